# shellcheck shell=bash disable=SC2034,SC2119,SC2154  # what the launcher has, and what it reads
# The launcher's part for `dcube package`: builds what is installed, and has cpack make packages of it.

# The packages that cpack and its Debian packages need, and those for the packages with MPI.
package_packages=(dpkg-dev fakeroot file xz-utils)
package_mpi=(libopenmpi-dev openmpi-bin)

help_package() {
    cat <<'END'
usage: dcube package [--no-docs] [--no-lab] [--no-mpi] [--no-python] [DIR]

Builds packages of dcube: for Debian dcube, libdcube0.9, libdcube-dev, dcube-mpi and python3-dcube, and for any Linux
an archive with a program that needs nothing but the C library. Prints their names and sizes.

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

# make_packages FOLDER
make_packages() {
    local file
    mkdir -p "$1"
    say "packing..."
    quietly env -C "$build" cpack -B "$(realpath -- "$1")" || fail "the packages could not be made"
    rm -rf "$1/_CPack_Packages"
    for file in "$1"/*.deb "$1"/*.tar.gz; do
        printf '%s  %s MB\n' "$file" "$(awk -v bytes="$(stat -c %s "$file")" 'BEGIN {printf "%.1f", bytes / 1e6}')"
    done
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
