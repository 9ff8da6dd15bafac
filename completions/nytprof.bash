# shellcheck shell=bash
# Completion for bash: the options in a program's --help, values of some of them, and files.
# Installed once for each program, under its name: bash-completion loads it when they are asked for.

_nytprof_options() {
    "$1" --help 2>/dev/null | sed '/^  *[^ -]/d' | grep -oE -- '(^|[ ,([])--?[a-zA-Z][a-z-]*=?' | tr -d ' ,(['
}

_nytprof() {
    # shellcheck disable=SC2034 # _init_completion sets them
    local cur prev words cword split values=''
    _init_completion -s || return
    case ${words[0]##*/}$prev in
    *--theme) values='heat gray print colorblind' ;;
    nytprofcalls--unit) values='ticks ns us' ;;
    nytp-tree--unit) values='s ms us ns ticks' ;;
    nytp-tree--color) values='auto always never' ;;
    nytp-dot--color) values='total self' ;;
    nytp-dot--cluster) values='package file' ;;
    nytp-dot--collapse) values='package' ;;
    esac
    if [[ -z $values && $split == false && $cur == -* ]]; then
        values=$(_nytprof_options "$1")
    fi
    if [[ -n $values ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$cur")
        [[ ${COMPREPLY-} == *= ]] && compopt -o nospace
    else
        _filedir
    fi
} && complete -F _nytprof @TOOLS@
