# For each completion the program prints a line: the type, a comma, the text, a tab and the help.
function _cribwars_completion
    set -l word (commandline -ct)
    set -l option (string match -r -- '^--[^=]*=' $word)
    for item in (env COMP_WORDS=(commandline -cp | string collect) COMP_CWORD="$word" _CRIBWARS_COMPLETE=fish_complete cribwars 2>/dev/null)
        set -l parts (string split --max 1 -- , $item)
        switch $parts[1]
            case file
                __fish_complete_path (string replace -- "$option" '' $word) | string replace -r '^' -- "$option"
            case dir
                __fish_complete_directories (string replace -- "$option" '' $word) | string replace -r '^' -- "$option"
            case plain
                echo "$option$parts[2]"
        end
    end
end

complete --command cribwars --no-files --arguments '(_cribwars_completion)'
