#compdef cribwars

# For each completion the program prints a line: the type, a comma, the text, a tab and the help.
_cribwars_completion() {
    local item type value
    local -a names described
    local word="$PREFIX"
    local line="${(j: :)words[1,CURRENT-1]} $word"
    [[ $word != --*=* ]] || compset -P 1 '*='
    for item in ${(f)"$(env COMP_WORDS="$line" COMP_CWORD="$word" _CRIBWARS_COMPLETE=fish_complete $words[1] 2>/dev/null)"}; do
        type=${item%%,*} value=${item#*,}
        case $type in
            file) _path_files -f ;;
            dir) _path_files -/ ;;
            plain)
                if [[ $value == *$'\t'* ]]; then
                    described+=("${${value%%$'\t'*}//:/\\:}:${value#*$'\t'}")
                else
                    names+=("$value")
                fi
                ;;
        esac
    done
    (( $#described )) && _describe -V command described
    (( $#names )) && compadd -V names -a names
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _cribwars_completion "$@"
else
    compdef _cribwars_completion cribwars
fi
