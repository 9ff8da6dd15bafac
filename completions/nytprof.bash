# shellcheck shell=bash
# Completion for bash. The programs list their options and the words that these take (--help-values), and nytp its verbs.
# Installed once for each program, under its name: bash-completion loads it when it is first needed.

_nytprof() {
    # shellcheck disable=SC2034 # _init_completion sets them
    local cur prev words cword split option values offered='' known=''
    local -a command=("$1")
    _init_completion -s || return
    [[ ${1##*/} == nytp && $cword -gt 1 && ${words[1]} != help ]] && command+=("${words[1]}")
    while IFS=$'\t' read -r option values; do
        offered+=" ${option/\[=\]/}"
        # Words are in lower case; the name of an argument is in upper case.
        [[ ${option%%[=\[]*} == "$prev" && $values == [a-z]* ]] && known=$values
    done < <("${command[@]}" --help-values 2>/dev/null)
    if [[ -z $known && $split == false && ($cur == -* || $offered == ' help '*) ]]; then
        known=$offered
    fi
    if [[ -n $known ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$known" -- "$cur")
        [[ ${COMPREPLY-} == *= ]] && compopt -o nospace
    else
        _filedir
    fi
} && complete -F _nytprof @TOOLS@
