# shellcheck shell=bash disable=SC2034,SC2154  # what the launcher has, and what it reads
# The launcher's part for `dcube figures`: the claims' figures, the single benchmarks, and the peers whose packages are
# installed.

peer_packages=(libopenmpi-dev openmpi-bin libsimgrid-dev golang-go)

help_figures() {
    cat <<'END'
usage: dcube figures [OPTIONS]
       dcube figures --benchmarks [OPTIONS OF GOOGLE BENCHMARK]
       dcube figures --peers [OPTIONS]

Measures on this machine the speeds that README.md and docs/performance.md claim, and prints them beside the targets.

  --large                        also the figures that take 10 GB of memory and minutes
  --list                         only lists the claims, with their commands and targets
  --format text|json             [text]

--benchmarks runs the single benchmarks: clock/, engine/, catalogue/, link-bound/, products/, planning/ and peers/. The
"workers" in their names are dcube's threads. docs/measuring.md says what each measures.

  --benchmark_list_tests         only lists their names
  --benchmark_filter=REGEX       only those whose names match, e.g. ^engine/ or ^clock/barrier
  --benchmark_format=json        as JSON, or csv
  --small                        each once, at a size that takes milliseconds

--peers measures a total exchange (every node sends every other node a block) by dcube and by every installed peer in
turn, with the same bytes, all compared afterwards: ranks of Open MPI, actors of SimGrid, threads with lock-free queues,
goroutines with channels, and OpenMP loops without channels. Prints each time as a multiple of dcube's.

  --dim D                        2^D nodes, 1 to 12 [8]
  --bytes B                      bytes from each node to each other, e.g. 64 or 4KiB [64]
  --repeat R                     number of runs; the median is shown [9]
  --only NAMES                   only these, separated by commas: openmp, goroutines, threads, simgrid, openmpi
  --limit S                      seconds after which a peer is stopped [60]
  --format text|json             [text]; JSON has all times
  --install                      installs missing packages of the peers first

  dcube figures --peers --dim 6 --only threads,goroutines
END
}

# measure NAME ARGUMENTS...: builds and runs a program of this folder.
measure() {
    build_targets "$1" "$build/bench/dcube_$1" "dcube_$1"
    exec "$build/bench/dcube_$1" "${@:2}"
}

# The peers that are installed, in a build of their own; set up anew when one of their packages has come or gone.
build_peers() {
    local folder=$root/build/peers key
    key="$root without $(missing_packages "${peer_packages[@]}" | paste -sd ' ' -)"
    if [[ ! -w $root/build ]]; then
        [[ -d $folder ]] || say "the peers cannot be built: no permission to write to $root/build"
        return 0
    fi
    mkdir -p "$folder"
    exec 9>"$folder/.lock"
    flock 9
    if ! grep -qsxF "$key" "$folder/.key"; then
        quietly cmake --fresh -S "$root" -B "$folder" -G Ninja -D CMAKE_BUILD_TYPE=Release -D DCUBE_PEERS=ON 9>&- ||
            fail "the peers' build could not be set up"
        echo "$key" >"$folder/.key"
    fi
    quietly ninja -C "$folder" -j "$(job_count)" dcube_peer_programs 9>&- || fail "the peers could not be built"
    exec 9>&-
}

measure_peers() {
    local word words=() install=''
    for word in "$@"; do
        if [[ $word == --install ]]; then install=yes; else words+=("$word"); fi
    done
    build_targets "the comparison" "$build/bench/peers/dcube_peers" dcube_peers
    [[ ! $install ]] || install_packages "${peer_packages[@]}"
    build_peers
    exec "$build/bench/peers/dcube_peers" --peers "$root/build/peers/bench/peers" "${words[@]}"
}

run_figures() {
    if [[ ${1-} != --benchmarks && ${1-} != --peers ]]; then
        measure figures "$@"
    elif [[ ${2-} == -h || ${2-} == --help ]]; then
        help_figures
    elif [[ $1 == --peers ]]; then
        measure_peers "${@:2}"
    else
        measure gbench "${@:2}"
    fi
}
