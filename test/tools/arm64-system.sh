# shellcheck shell=bash
# A Debian 12 of arm64, for tests. qemu-user runs its programs on this machine. Needs root, debootstrap, a cross compiler and
# the network.
#
#   . test/tools/arm64-system.sh DIRECTORY
#   emulate_programs         # from now on the kernel starts programs of arm64
#   unpack_and_build         # made the first time, which takes a quarter of an hour, and kept as DIRECTORY/arm64.tar
#   inside "$root" 'perl test/tools/run test/library/format.t'       # in a clone in which everything is compiled

architecture=arm64 # of what machine.sh makes
# shellcheck source=test/tools/machine.sh
. "$(dirname "${BASH_SOURCE[0]}")/machine.sh" "$1"
# shellcheck source=test/tools/cross.sh
. "$(dirname "${BASH_SOURCE[0]}")/cross.sh"
# shellcheck source=test/tools/apt.sh
. "$(dirname "${BASH_SOURCE[0]}")/apt.sh"

# That of Debian 13, whatever this machine has. It is static, so it is only unpacked.
get_emulator() {
    [ ! -e "$directory/qemu/usr/bin/qemu-aarch64" ] || return 0
    mkdir -p "$directory/qemu"
    apt_in "$directory/apt" "$(dpkg --print-architecture)" "deb $mirror trixie main"
    (cd "$directory/qemu" && apt-get "${apt[@]}" download qemu-user)
    dpkg -x "$directory"/qemu/*.deb "$directory/qemu"
}

# Until the script ends. F: the kernel opens the emulator now, so it need not be in the chroot.
emulate_programs() {
    local formats=/proc/sys/fs/binfmt_misc
    get_emulator
    [ -e $formats/register ] || mount -t binfmt_misc none $formats
    printf '%s' ":aarch64-$$" ':M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00' \
        ':\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff' \
        ":$directory/qemu/usr/bin/qemu-aarch64:OPF" >$formats/register
    "$directory/qemu/usr/bin/qemu-aarch64" --version | head -n 1
    trap 'echo -1 >/proc/sys/fs/binfmt_misc/aarch64-$$' EXIT
}

# The kernel's package is only unpacked: to configure it takes long, and what that makes is not needed.
# shellcheck disable=SC2016 # expanded in there
install='
    set -eu
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -qq -y --no-install-recommends procps iproute2 busybox-static perl
    packages=$(.ci/deps --no-install build test 2>&1 | sed -E "s/.*recommends//; s/ chromium[^ ]*//g")
    apt-get install -qq -y --no-install-recommends $packages
    cd /tmp
    apt-get download -qq "$(apt-cache depends linux-image-arm64 | sed -n "s/.*Depends: //p")"
    dpkg -x linux-image-*.deb /kernel'

made='all unit-programs prove-programs'
variables_of_make='LTO= DEPS=no' # also of that which tests call

# Sets root to the system with a clone in it, in which everything is compiled.
unpack_and_build() {
    if [ ! -e "$directory/arm64.tar" ]; then
        unpack_system bookworm
        inside "$root" "$install" >"$directory/apt.log" 2>&1
        rm -rf "$root/root/clone"
        tar -C "$root" -cf "$directory/arm64.tar" .
    fi
    root=$directory/arm64
    rm -rf "$root"
    mkdir "$root"
    tar -C "$root" -xf "$directory/arm64.tar"
    git clone --quiet "$source" "$root/root/clone"
    # shellcheck disable=SC2086 # words
    (cd "$root/root/clone" && export QEMU_LD_PREFIX=$root && cross_make "$root" "$root/usr/bin/perl" $made)
    # Some tests install. The compiler has another name in there, so make would compile all again.
    offline=1 inside "$root" "make -s -t $made $variables_of_make"
}
