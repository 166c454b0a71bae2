# For each completion the program prints a line: the type, a comma, the text, a tab and the help.
_cribwars_completion() {
    local line="${COMP_LINE:0:COMP_POINT}" type value
    local word="${line##*[[:space:]]}"
    local before="${word%"$2"}" # the part that Bash leaves as it is: up to the last = or :
    before="${before#--*=}"
    COMPREPLY=()
    while IFS=, read -r type value; do
        value="${value%%$'\t'*}"
        case "$type" in
            file) compopt -o default ;;
            dir) compopt -o dirnames ;;
            plain)
                [[ "$value" != *= ]] || compopt -o nospace
                COMPREPLY+=("${value#"$before"}")
                ;;
        esac
    done < <(env COMP_WORDS="$line" COMP_CWORD="$word" _CRIBWARS_COMPLETE=fish_complete "$1" 2>/dev/null)
}

complete -o nosort -F _cribwars_completion cribwars
