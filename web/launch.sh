# shellcheck shell=bash disable=SC2034,SC2154,SC2317  # what the launcher has, and what it reads
# The launcher's part for `dcube lab` and `demos`: pages, and the module by which they run dcube.

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
