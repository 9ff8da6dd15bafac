# shellcheck shell=bash
# Downloads Debian's packages and sources, and changes nothing of this system.
#
#   . test/tools/apt.sh
#   apt_in DIRECTORY ARCHITECTURE 'deb-src http://deb.debian.org/debian trixie main' ...    gets the lists of these sources
#   apt-get "${apt[@]}" source --download-only perl

apt_in() { # DIRECTORY ARCHITECTURE LINE ...
    local option at=$1 architecture=$2
    shift 2
    mkdir -p "$at/lists/partial" "$at/cache/archives/partial"
    : >"$at/status" # no package is installed
    printf '%s\n' "$@" >"$at/sources.list"
    apt=(-qq)
    for option in "APT::Architecture=$architecture" "APT::Architectures::=$architecture" "Dir::State::lists=$at/lists" \
        "Dir::State::status=$at/status" "Dir::Cache=$at/cache" Dir::Etc::sourceparts=/dev/null "Dir::Etc::sourcelist=$at/sources.list" \
        "APT::Sandbox::User=$(id -un)"; do
        apt+=(-o "$option")
    done
    apt-get "${apt[@]}" update
}
