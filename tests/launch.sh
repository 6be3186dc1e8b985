# shellcheck shell=bash disable=SC2034,SC2154  # what the launcher has, and what it reads
# The launcher's part for `dcube test`.

help_test() {
    cat <<'END'
usage: dcube test [--fast [FLOOR] | --thorough] [OPTIONS OF CTEST]

Builds all tests and runs them, one per core at a time. Exit 0 if all pass. A test that needs a tool which is not
installed (doxygen, zsh, ...) is skipped, and says so; with DCUBE_NO_SKIPS=1 it fails.

  dcube test                     all tests (some minutes, and some more for the first build)
  dcube test --fast emu          the fast ones of one floor: emu, judge, run, inspect or program
  dcube test --fast              the fast ones of every floor
  dcube test --thorough          all tests at full sizes, as before a release (some ten minutes)
  dcube test -R '^judge:'        only those whose names match a regular expression
  dcube test -N                  only lists their names
  dcube test --rerun-failed      only those that failed last time
END
}

run_test() {
    local floors=(emu judge run inspect program) floor targets=(all) labels=()
    can_build || fail "the tests need write permission for $build"
    if [[ ${1-} == --fast ]]; then
        shift
        if [[ ${1--} != -* ]]; then
            [[ " ${floors[*]} " == *" $1 "* ]] || fail "test --fast takes one of ${floors[*]}, or nothing"
            floors=("$1")
            shift
        fi
        targets=()
        for floor in "${floors[@]}"; do
            targets+=("dcube_${floor}_tests")
        done
        labels=(-L "^($(IFS='|' && echo "${floors[*]}"))-fast\$")
    elif [[ ${1-} == --thorough ]]; then
        shift
        export DCUBE_THOROUGH=1
    fi
    build_targets "the tests" "" "${targets[@]}"
    exec ctest --test-dir "$build" --output-on-failure --no-tests=error --progress -j "$(nproc)" "${labels[@]}" "$@"
}
