# shellcheck shell=bash disable=SC2034,SC2154  # what the launcher has, and what it reads
# The launcher's part for `dcube figures` and `dcube gbench`.

help_figures() {
    cat <<'END'
usage: dcube figures [OPTIONS]

Measures on this machine the speeds that README.md and docs/performance.md claim, and prints them beside the targets.

  --large                        also the figures that take 10 GB of memory and minutes
  --list                         only lists the claims, with their commands and targets
  --format text|json             [text]
END
}

help_gbench() {
    cat <<'END'
usage: dcube gbench [OPTIONS OF GOOGLE BENCHMARK]

Runs the single benchmarks: every algorithm of the catalogue, the engine, planning.

  --benchmark_list_tests         only lists their names
  --benchmark_filter=REGEX       only those whose names match, e.g. engine or ^broadcast/
  --benchmark_format=json        as JSON, or csv
  --small                        each once, at a size that takes milliseconds
END
}

# measure NAME ARGUMENTS...: builds and runs a program of this folder.
measure() {
    build_targets "$1" "$build/bench/dcube_$1" "dcube_$1"
    exec "$build/bench/dcube_$1" "${@:2}"
}

run_figures() {
    measure figures "$@"
}

run_gbench() {
    measure gbench "$@"
}
