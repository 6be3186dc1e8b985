# shellcheck shell=bash disable=SC2034,SC2154  # what the launcher has, and what it reads
# The launcher's part for `dcube demo`.

help_demo() {
    cat <<'END'
usage: dcube demo NAME [ARGUMENTS]

Builds demos/NAME/main.cpp and runs it with these arguments. To begin a program of your own, copy the folder of a demo
and change its main.cpp:

  dcube demo all-reduce
  cp -r demos/all-reduce demos/mine; dcube demo mine

NAME may be:
END
    demo_names | sed 's/^/  /'
}

demo_names() {
    local program
    for program in "$root"/demos/*/main.cpp; do
        basename -- "$(dirname -- "$program")"
    done
}

run_demo() {
    (($# >= 1)) || fail "demo takes a name: $(demo_names | paste -sd ' ' -)"
    [[ -f $root/demos/$1/main.cpp ]] || fail "there is no demos/$1/main.cpp; there are $(demo_names | paste -sd ' ' -)"
    build_targets "the demo $1" "$build/demos/demo_$1" "demo_$1"
    exec "$build/demos/demo_$1" "${@:2}"
}
