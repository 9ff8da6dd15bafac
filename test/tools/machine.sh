# shellcheck shell=bash
# Debians in chroots, for tests that would change this machine. Needs root and debootstrap.
#
#   . test/tools/machine.sh DIRECTORY
#   architecture=arm64          # unless the programs are this machine's
#   unpack_system bookworm      # made the first time, and kept as DIRECTORY/bookworm.tar
#   inside "$root" 'make'       # in a clone of the sources, /root/clone
#   offline=1 inside "$root" 'make test'

command -v debootstrap >/dev/null || { echo "$0: install debootstrap" >&2; exit 1; }
mkdir -p "$1"
directory=$(cd "$1" && pwd)
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mirror=${MIRROR:-http://deb.debian.org/debian}

make_system() { # SUITE
    local root=$directory/$1.new
    rm -rf --one-file-system "$root" # one that was interrupted may have left /proc mounted there
    case $1 in
    # Debian 12 has no package of Ubuntu's keys.
    bionic) set -- "$1" "${UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}" --no-check-gpg --components=main,universe ;;
    *) set -- "$1" "$mirror" ;;
    esac
    debootstrap ${architecture:+--arch="$architecture"} --variant=minbase --include=git,make,ca-certificates "${@:3}" "$1" "$root" "$2" >"$directory/$1.debootstrap.log"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    tar -C "$root" -cf "$directory/$1.tar" .
    rm -rf "$root"
}

inside() { # ROOT COMMAND
    # A shell of its own for mounts, so that none survives; no network but the machine itself, which
    # servers are tested on, when asked so. The devices are those that debootstrap made: tests may
    # spoil them, not this machine's. The root is a mount, without which unshare(1) cannot make mounts of its own.
    # shellcheck disable=SC2016 # expanded by the inner shell
    unshare --mount ${offline:+--net} sh -c '
        ip link set lo up && mount --bind "$0" "$0" && mount -t proc proc "$0/proc" &&
        mount -t devpts -o newinstance,ptmxmode=666 devpts "$0/dev/pts" &&
        exec chroot "$0" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
            LC_ALL=C.UTF-8 sh -c "cd /root/clone && $1"' "$@"
}

# Sets root to a fresh system with a clone in it, which the caller removes.
unpack_system() { # SUITE
    [ -e "$directory/$1.tar" ] || make_system "$1"
    root=$directory/$1
    rm -rf "$root"
    mkdir "$root"
    tar -C "$root" -xf "$directory/$1.tar"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/thrown-away" # no fsync() a file
    git clone --quiet "$source" "$root/root/clone"
}
