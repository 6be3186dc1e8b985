# shellcheck shell=bash disable=SC2034,SC2119,SC2154  # what the launcher has, and what it reads
# The launcher's part for `dcube package`, which builds what is installed and has cpack make packages of it, and for
# `dcube release`, which makes everything that is offered for download.

# The packages that cpack and its Debian packages need, and those for the packages with MPI.
package_packages=(dpkg-dev fakeroot file xz-utils)
package_mpi=(libopenmpi-dev openmpi-bin)

help_package() {
    cat <<'END'
usage: dcube package [--no-docs] [--no-lab] [--no-mpi] [--no-python] [DIR]

Builds packages of dcube: for Debian dcube, libdcube0.9, libdcube-dev, dcube-mpi and python3-dcube, and for any Linux
an archive with a static program (on Debian 12). Prints their names and sizes.

  dcube package                  into build/packages
  dcube package DIR              into DIR, which is created if it does not exist
  dcube package --no-docs        does not build the site of the documents first (dcube docs)
  dcube package --no-lab         does not compile the module for browsers first (dcube lab)
  dcube package --no-mpi         does not install MPI and build dcube-mpi first
  dcube package --no-python      does not install Python's headers and build the module first

What was built before is packaged in any case. docs/packaging.md says what is in the packages and how they are tested.
END
}

# configure_packages: Debian's folder for libraries, and what the parts need that were not left out.
configure_packages() {
    local folder
    folder=lib/$(dpkg-architecture -q DEB_HOST_MULTIARCH)
    if [[ " ${parts[*]} " == *" python "* ]]; then configure_python "${python_packages[@]}"; fi
    grep -qsxF "CMAKE_INSTALL_LIBDIR:PATH=$folder" "$build/CMakeCache.txt" ||
        quietly cmake -D "CMAKE_INSTALL_LIBDIR:PATH=$folder" "$build" || fail "the build could not be set up"
}

# install_mpi_for_packages: a build that was set up without MPI is set up anew.
install_mpi_for_packages() {
    install_packages "${package_mpi[@]}"
    grep -qs '^build dcube_mpi_program:' "$build/build.ninja" || rm -f "$build/.packages"
}

# list_files FOLDER: what was made, with sizes.
list_files() {
    local file
    for file in "$1"/*; do
        printf '%s  %s MB\n' "$file" "$(awk -v bytes="$(stat -c %s "$file")" 'BEGIN {printf "%.1f", bytes / 1e6}')"
    done
}

# make_packages FOLDER
make_packages() {
    mkdir -p "$1"
    say "packing..."
    quietly env -C "$build" cpack -B "$(realpath -- "$1")" || fail "the packages could not be made"
    rm -rf "$1/_CPack_Packages"
    list_files "$1"
}

run_package() {
    local folder='' word parts=(docs lab mpi python)
    for word in "$@"; do
        case $word in
        --no-docs | --no-lab | --no-mpi | --no-python) mapfile -t parts < <(printf '%s\n' "${parts[@]}" | grep -vx "${word#--no-}") ;;
        -*) fail "package has no option '$word'; it takes --no-docs, --no-lab, --no-mpi, --no-python, a folder, or --help" ;;
        *)
            [[ ! $folder ]] || fail "package takes one folder at most"
            folder=$word
            ;;
        esac
    done
    can_build || fail "packages need write permission for $build"
    command -v dpkg-query >/dev/null || fail "packages are made on Debian and its descendants"
    install_packages "${package_packages[@]}"
    load docs  # and build_module
    load python
    for word in "${parts[@]}"; do
        case $word in
        docs) (run_docs >/dev/null) ;;
        lab) build_module || say "the packages are made without the module for browsers" ;;
        mpi) install_mpi_for_packages ;;
        esac
    done
    also_configure=(configure_packages)
    build_targets "what is packaged" "$build/cli/dcube" dcube_packaged
    make_packages "${folder:-$root/build/packages}"
}

help_release() {
    cat <<'END'
usage: dcube release [--no-debian13] [--python INTERPRETER]... [--with FILE]... [DIR]

Makes all files of a release in one folder, on Debian 12: the packages for Debian 12 and 13, the archive for any Linux,
wheels for Python and the package of the sources, a formula for Homebrew, the package for npx where it is built, a
README.md with what is new, and SHA256SUMS.

  dcube release                  into build/dcube-VERSION, which must not exist
  dcube release DIR              into DIR
  dcube release --no-debian13    without packages for Debian 13, which are built in a root of its own (as root, by
                                 debootstrap)
  dcube release --python PYTHON  a wheel for this interpreter, whose headers are installed, and no others; more than once
                                 [Debian 12's and Debian 13's, and python3.12 where it is installed]
  dcube release --with FILE      adds a file that was made elsewhere, such as an archive for ARM

docs/packaging.md says how to publish the folder.
END
}

project_version() {
    awk '/^#define DCUBE_VERSION_/ {printf "%s%s", dot, $3; dot = "."}' "$root/include/dcube/version.hpp"
}

# headers_of INTERPRETER: the folder of its headers, or nothing.
headers_of() {
    local folder
    folder=$("$1" -c 'import sysconfig; print(sysconfig.get_path("include"))' 2>/dev/null) || return 0
    [[ ! -e $folder/Python.h ]] || echo "$folder"
}

# wheel_headers FOLDER INTERPRETER...: the folders of headers of these, or of the default ones. FOLDER has Debian 13's.
wheel_headers() {
    local folder=$1 python headers
    shift
    if (($# == 0)); then
        echo "$folder/python3.13"
        set -- /usr/bin/python3
        if [[ $(headers_of python3.12) ]]; then set -- "$@" python3.12; else
            say "no wheel for Python 3.12: no python3.12 with its headers is installed (--python names one)"
        fi
    fi
    for python in "$@"; do
        headers=$(headers_of "$python")
        [[ $headers ]] || fail "there are no headers of $python"
        echo "$headers"
    done
}

# configure_wheels: the modules for wheels, with a pybind11 that knows NumPy 2.
configure_wheels() {
    configure_packages
    quietly cmake -D "DCUBE_WHEELS=$(IFS=';' && echo "${wheels[*]}")" -D "DCUBE_PYBIND11=$debian13" "$build" ||
        fail "the wheels could not be set up"
}

# make_wheels FOLDER INTERPRETER...
make_wheels() {
    local folder wheels parts=() debian13=$root/build/debian13/usr/include
    folder=$(realpath -- "$1")
    shift
    [[ -e $debian13/pybind11 ]] ||
        quietly "$root/packaging/unpack" trixie "$root/build/debian13" pybind11-dev libpython3.13-dev ||
        fail "pybind11 of Debian 13 could not be had"
    wheels=$(wheel_headers "$debian13" "$@") || exit
    mapfile -t wheels <<<"$wheels"
    also_configure=(configure_wheels)
    build_targets "the wheels" '' dcube_wheels
    quietly env -C "$root" PYTHONDONTWRITEBYTECODE=1 "$(system_python)" python/backend/release_wheels.py "$build" "$folder" ||
        fail "the wheels could not be packed"
}

# rename_debs FROM TO DEBIAN: moves packages, and puts into their names what they are for.
rename_debs() {
    local file name
    for file in "$1"/*.deb; do
        name=${file##*/}
        mv "$file" "$2/${name%_*}_$3_${name##*_}"
    done
}

# make_npm FOLDER: the package for npx, where there is a target for it (web/npm).
make_npm() {
    grep -qs '^build dcube_npm:' "$root/build/wasm/build.ninja" || return 0
    quietly cmake --build "$root/build/wasm" --target dcube_npm || fail "the package for npx could not be made"
    cp "$root"/build/wasm/web/npm/*.tgz "$1"
}

# what_is_new: the first section of the changelog that is not empty.
what_is_new() {
    awk '/^## \[/ {if (text) exit; heading = $0; next}
        heading && (text || NF) {if (!text) text = heading "\n"; text = text "\n" $0}
        END {print text}' "$root/CHANGELOG.md"
}

# make_notes FOLDER VERSION: README.md, with the commands of README.md here, but not its links.
make_notes() {
    {
        printf '# dcube %s: files to download\n\n' "$2"
        sed -n '/^## Without building$/,/^## /{s/ (\[[^]]*\]([^)]*))//;/^## /!p}' "$root/README.md"
        printf '\nsha256sum --check SHA256SUMS checks the files.\n\n'
        what_is_new
    } >"$1/README.md"
}

# make_formula FOLDER VERSION
make_formula() {
    local sum
    sum=$(sha256sum <"$1/dcube-$2.tar.gz")
    sed -e "s/@VERSION@/$2/" -e "s/@SHA256@/${sum%% *}/" "$root/packaging/homebrew/dcube.rb.in" >"$1/dcube.rb"
}

# fill_release FOLDER VERSION: uses debian_13, pythons and others of run_release.
fill_release() {
    local folder=$1 version=$2 made
    made=$(mktemp -d)
    (run_package "$made" >/dev/null)
    mv "$made"/*.tar.gz "$folder"
    rename_debs "$made" "$folder" debian12
    if [[ $debian_13 ]]; then
        say "building for Debian 13, in a root of its own..."
        quietly "$root/packaging/debs" --cache "$root/build/roots" trixie "$made"
        rename_debs "$made" "$folder" debian13
    fi
    rmdir "$made"
    make_wheels "$folder" "${pythons[@]}"
    make_npm "$folder"
    ((${#others[@]} == 0)) || cp -- "${others[@]}" "$folder"
    make_formula "$folder" "$version"
    make_notes "$folder" "$version"
    (cd -- "$folder" && sums=$(sha256sum -- *) && echo "$sums" >SHA256SUMS)
    list_files "$folder"
}

run_release() {
    local folder='' file debian_13=yes pythons=() others=()
    while (($# > 0)); do
        case $1 in
        --no-debian13) debian_13='' ;;
        --python | --with)
            (($# > 1)) || fail "release needs a value for $1"
            if [[ $1 == --with ]]; then others+=("$2"); else pythons+=("$2"); fi
            shift
            ;;
        -*) fail "release has no option '$1'; it takes --no-debian13, --python, --with, a folder, or --help" ;;
        *)
            [[ ! $folder ]] || fail "release takes one folder at most"
            folder=$1
            ;;
        esac
        shift
    done
    folder=${folder:-$root/build/dcube-$(project_version)}
    [[ ! -e $folder || ! $(ls -A -- "$folder") ]] || fail "release needs a folder that is new or empty, and $folder is not"
    [[ ! $debian_13 || $EUID == 0 ]] || fail "packages for Debian 13 are built in a root of its own, which needs root (or --no-debian13)"
    for file in "${others[@]}"; do
        [[ -f $file ]] || fail "release --with takes a file, and $file is none"
    done
    load python
    mkdir -p "$folder"
    fill_release "$folder" "$(project_version)"
}
