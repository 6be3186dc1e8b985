# shellcheck shell=bash disable=SC2034  # for the scripts that source it
# A root that has Debian's base and nothing else, for tests of what dcube needs, and for building packages of another
# Debian. Needs root, and debootstrap.
#
#   in_own_namespace "$@"    first: starts the script again, so that what it mounts is gone when it ends, and $work too
#   make_base                makes $root, of the Debian $suite; with a folder $cache, what is downloaded is kept there for
#                            the next time
#   mount_system             what a running system has; inside COMMAND... runs a command there, apt ... apt-get

work=${OWN_ROOT-}
root=$work/debian
suite=bookworm
cache=''

fail() { echo "${0##*/}: $*" >&2; exit 1; }

# Prints the output of a command only if it fails.
quietly() {
    local output status=0
    output=$("$@" 2>&1 </dev/null) || status=$?
    ((status == 0)) || { echo "$output" >&2; fail "failed: $*"; }
}

say() { printf '%4d s  %s\n' "$SECONDS" "$*"; }

# Everything is removed where nothing of it is mounted: a folder of the system that is seen in the root stays as it is.
in_own_namespace() {
    [[ ! $work ]] || return 0
    ((EUID == 0)) || fail "must be root, for a root of its own"
    for tool in debootstrap unshare chroot; do
        command -v $tool >/dev/null || fail "$tool is missing"
    done
    work=$(mktemp -d)
    trap 'rm -rf --one-file-system "$work"' EXIT
    OWN_ROOT=$work unshare --mount "$0" "$@"
    exit
}

# The server that this machine has its packages from.
# shellcheck disable=SC2016  # expanded by apt
mirror() {
    local server
    server=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | head -n 1)
    [[ $server ]] || fail "apt knows no source of Debian 12"
    echo "$server"
}

make_base() {
    local base=${cache:+$cache/$suite.tar} server
    mkdir -p "$root"
    if [[ $base && -f $base ]]; then
        tar -xpf "$base" -C "$root"
        return
    fi
    server=$(mirror)
    quietly debootstrap --variant=minbase "$suite" "$root" "$server"
    chroot "$root" apt-get clean
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"  # it is thrown away
    [[ ! $base ]] || { mkdir -p "$cache" && tar -cpf "$base.new" -C "$root" . && mv "$base.new" "$base"; }
}

mount_system() {
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    if [[ $cache ]]; then
        mkdir -p "$cache/archives-$suite/partial"
        mount --bind "$cache/archives-$suite" "$root/var/cache/apt/archives"
    fi
    [[ ! -e /etc/resolv.conf ]] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
}

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
apt() { quietly inside apt-get -y -o APT::Keep-Downloaded-Packages=true "$@"; }
