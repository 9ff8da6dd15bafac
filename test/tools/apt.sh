# shellcheck shell=bash
# Downloads Debian's packages and sources, and changes nothing of this system.
#
#   . test/tools/apt.sh
#   apt_in DIRECTORY ARCHITECTURE 'deb-src http://deb.debian.org/debian trixie main' ...    gets the lists of these sources
#   apt-get "${apt[@]}" source --download-only perl
#   tarball=$(source_of DIRECTORY perl 5.36.0)

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

# Prints the path of the tarball of a source package of Debian 12 or 13, whose upstream version that is.
source_of() { # DIRECTORY PACKAGE VERSION
    local version mirror=${MIRROR:-http://deb.debian.org/debian}
    if ! compgen -G "$1/$2_$3.orig.tar.*" >/dev/null; then
        apt_in "$1/apt" "$(dpkg --print-architecture)" "deb-src $mirror bookworm main" "deb-src $mirror trixie main"
        version=$(apt-cache "${apt[@]}" showsrc --only-source "$2" | sed -nE "s/^Version: (([0-9]+:)?$3-.*)/\1/p" | head -n 1)
        (cd "$1" && apt-get "${apt[@]}" source --tar-only --download-only "$2=$version" >&2)
    fi
    compgen -G "$1/$2_$3.orig.tar.*"
}
