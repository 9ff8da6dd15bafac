# shellcheck shell=bash
# Builds for arm64 with gcc's cross compiler.
#
#   . test/tools/cross.sh
#   cross_make ROOT PERL TARGET ...     ROOT has Debian's packages for arm64; PERL runs its perl here

# An absolute link of ROOT leads out of it, and the linker would take the static library instead.
make_links_relative() { # ROOT
    local link
    find "$1/usr/lib/aarch64-linux-gnu" -maxdepth 1 -lname '/*' | while read -r link; do
        ln -sfnr "$1$(readlink "$link")" "$link"
    done
}

cross_make() {
    local core root=$1 perl=$2
    shift 2
    make_links_relative "$root"
    # shellcheck disable=SC2016 # perl's
    core=$("$perl" -MConfig -e 'print "$Config{archlibexp}/CORE"')
    PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig \
        make -s LTO= DEPS=no CC="aarch64-linux-gnu-gcc --sysroot=$root" AR=aarch64-linux-gnu-ar PERL="$perl" PERL_CORE="$root$core" \
        -j"$(nproc)" "$@"
}
