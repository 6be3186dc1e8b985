# shellcheck shell=bash disable=SC2034,SC2154,SC2317  # what the launcher has, and what it reads
# The launcher's part for `dcube lab`, `demos` and `docs`: pages, and the module by which they run dcube.

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
        quietly env -C "$root" cmake --fresh --preset wasm || fail "the build for WebAssembly could not be set up"
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

help_demos() {
    cat <<'END'
usage: dcube demos [--exercises] [DIR]

Builds the lessons of web/lessons as pages for a browser, which work offline, and prints the path of their index. It
first builds the module for WebAssembly with which they can run dcube, in lab.js beside them.

  dcube demos                    into build/demos
  dcube demos DIR                into DIR, which is created if it does not exist
  dcube demos --exercises [DIR]  the exercises of all lessons as two pages to print, one with their solutions
END
}

run_demos() {
    local sheets=()
    if [[ ${1-} == --exercises ]]; then
        sheets=(--exercises)
        shift
    fi
    (($# <= 1)) || fail "demos takes one folder at most"
    [[ ${1-} != -* ]] || fail "demos has no option '$1'; it takes --exercises, a folder, or --help"
    build_module_for "${sheets[@]}"
    build_targets "the lessons" "$build/web/lessons/gallery/dcube_gallery" dcube_gallery
    exec "$build/web/lessons/gallery/dcube_gallery" "${sheets[@]}" "$root" "${1-$root/build/demos}"
}

help_docs() {
    cat <<'END'
usage: dcube docs [DIR]

Builds the documents as one site for a browser, which works offline: docs/, the lessons, pages that play runs, the
reference of the C++ interface (by Doxygen), and a search in all of them. Prints the path of its first page.

  dcube docs                     into build/docs
  dcube docs DIR                 into DIR, which is created if it does not exist
END
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

# build_reference FOLDER: the C++ reference, which is made there; 1 where Doxygen cannot be had.
build_reference() {
    if ! (install_packages doxygen) || ! command -v doxygen >/dev/null; then
        say "the site is made without the C++ reference, for which Doxygen is needed"
        return 1
    fi
    build_targets "the C++ reference" "$1/index.html" dcube_reference
}

run_docs() {
    (($# <= 1)) || fail "docs takes one folder at most"
    [[ ${1-} != -* ]] || fail "docs has no option '$1'; it takes a folder, or --help"
    local folder=${1-$root/build/docs} site=$build/web/site/dcube_site lessons=$build/docs/lessons
    local reference=$build/docs/reference/html parts=()
    build_targets "the site" "$site" dcube_site dcube_gallery
    "$site" --claim "$folder"
    build_site_lessons "$lessons"
    parts=(--lessons "$lessons")
    if build_reference "$reference"; then parts+=(--reference "$reference"); fi
    exec "$site" "${parts[@]}" "$root" "$folder"
}
