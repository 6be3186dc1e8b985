# shellcheck shell=bash disable=SC2034,SC2154,SC2317  # what the launcher has, and what it reads
# The launcher's part for `dcube lab` and `docs`: pages, and the module by which they run dcube. The site of the
# documents is Sphinx's; beside them are the lessons and Doxygen's reference of the C++ interface.

site_packages=(python3-sphinx python3-myst-parser furo doxygen)

# To compile for WebAssembly; only when a page is asked for in which dcube runs.
wasm_packages=(clang-19 lld-19 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 wasi-libc
               binaryen)
module=$root/build/wasm/web/wasm/dcube.wasm

# build_module: installs what compiles for WebAssembly, and builds $module, which runs dcube in a browser. Where that is
# not possible it says what is missing and returns 2; an older module may be there nevertheless.
build_module() { (build_for_browsers); }

build_for_browsers() {
    local build=$root/build/wasm packages=("${packages[@]}" "${wasm_packages[@]}")
    configure() {
        [[ -f $build/build.ninja ]] && grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt" && return
        install_packages "${packages[@]}"
        quietly cmake --fresh -S "$root" --preset wasm || fail "the build for WebAssembly could not be set up"
    }
    build_targets "the module for browsers" "$module" dcube_wasm
}

# build_module_for ARGUMENTS...: if a command line needs it. Where it cannot be built, the program says what is missing;
# Ctrl-C ends everything.
build_module_for() {
    [[ -d $root/web/wasm ]] || return 0
    case " $* " in
    *" --help "* | *" -h "* | *" --print-request "* | *" --module"[\ =]* | *" --exercises "*) ;;
    *) build_module || (($? != 130)) || exit 130 ;;
    esac
}

run_lab() {
    build_module_for "$@"
    start_program lab "$@"
}

help_docs() {
    cat <<'END'
usage: dcube docs [--lessons|--exercises] [DIR]

Builds the documents as one site for a browser, which works offline: docs/ with a search (by Sphinx), the lessons, and
the reference of the C++ interface (by Doxygen). Prints the path of its first page.

  dcube docs                     into build/docs
  dcube docs DIR                 into DIR, which is created if it does not exist
  dcube docs --lessons [DIR]     only the lessons of web/lessons, into build/lessons; pages in which dcube runs, by the
                                 module for WebAssembly in lab.js beside them, which is built first
  dcube docs --exercises [DIR]   the exercises of all lessons as two pages to print, one with their solutions
END
}

# build_lessons ARGUMENT...: the lessons' pages, by the gallery with these arguments: its options, and the folder.
build_lessons() {
    build_module_for "$@"
    build_targets "the lessons" "$build/web/lessons/gallery/dcube_gallery" dcube_gallery
    exec "$build/web/lessons/gallery/dcube_gallery" "${@:1:$#-1}" "$root" "${@: -1}"
}

# build_site_lessons FOLDER: the lessons' pages for the site, made anew if something that they are made of is newer.
build_site_lessons() {
    local folder=$1 gallery=$build/web/lessons/gallery/dcube_gallery sources
    build_module_for
    sources=("$gallery" "$build/cli/dcube" "$root/web/lessons" "$root/web/page/dist")
    [[ ! -f $module ]] || sources+=("$module")
    [[ -f $folder/index.html && ! $(find "${sources[@]}" -newer "$folder/index.html" -print -quit) ]] && return
    say "making the lessons' pages: this takes half a minute..."
    rm -rf "$folder" "$folder.new"
    "$gallery" --home ../index.html "$root" "$folder.new" >/dev/null
    mv "$folder.new" "$folder"  # complete, or not there
}

# may_hold_site FOLDER: it is empty, or such a site, or does not exist.
may_hold_site() {
    [[ ! -e $1 || (-d $1 && ! $(ls -A "$1")) ]] || grep -qs 'content="dcube docs"' "$1/index.html"
}

# build_site FOLDER
build_site() {
    local folder=$1 parts=$build/docs made=$build/docs/site part
    may_hold_site "$folder" || fail "$folder is not empty and holds no site of dcube: name another folder"
    can_build || fail "the site needs write permission for $build"
    if ! mkdir -p "$folder" 2>/dev/null || [[ ! -w $folder ]]; then fail "no permission to write to $folder"; fi
    install_packages "${site_packages[@]}"
    build_targets "the lessons and the C++ reference" "$parts" dcube_gallery dcube_reference
    build_site_lessons "$parts/lessons"
    rm -rf "$made"
    quietly /usr/bin/sphinx-build -q -W -c "$root/web/site" -d "$made/.doctrees" "$root" "$made" ||
        fail "the site could not be made"
    cp -r "$parts/lessons" "$made/lessons"
    cp -r "$parts/reference/html" "$made/reference"
    for part in "$made"/*; do  # complete, or not there
        rm -rf "${folder:?}/${part##*/}"
        mv "$part" "$folder"
    done
    echo "$folder/index.html"
}

run_docs() {
    local kind=''
    case ${1-} in
    --lessons | --exercises)
        kind=$1
        shift
        ;;
    esac
    (($# <= 1)) || fail "docs takes one folder at most"
    [[ ${1-} != -* ]] || fail "docs has no option '$1'; it takes --lessons, --exercises, a folder, or --help"
    case $kind in
    --lessons) build_lessons "${1-$root/build/lessons}" ;;
    --exercises) build_lessons --exercises "${1-$root/build/lessons}" ;;
    *) build_site "${1-$root/build/docs}" ;;
    esac
}
