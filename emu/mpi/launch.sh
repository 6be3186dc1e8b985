# shellcheck shell=bash disable=SC2034,SC2154  # what the launcher has, and what it reads
# The launcher's part for `dcube mpi-setup`: installs an MPI, and builds dcube-mpi.

help_mpi_setup() {
    cat <<'END'
usage: dcube mpi-setup [--mpich]

Installs Open MPI, or MPICH, and builds dcube for it, so that machines can be spread over processes and hosts:

  dcube run all-to-all --dim 10 --ranks 4
  mpirun -n 4 build/release/cli/dcube run all-to-all --dim 10

A build is for one MPI, and that MPI's launcher must start its ranks.
END
}

run_mpi_setup() {
    local mpi_packages=(libopenmpi-dev openmpi-bin) suffix=''
    case "$*" in
    '') ;;
    --mpich)
        mpi_packages=(libmpich-dev mpich)
        suffix=.mpich
        ;;
    *) fail "mpi-setup takes --mpich or nothing" ;;
    esac
    can_build || fail "dcube cannot be built for MPI: no permission to write to $build"
    install_packages "${packages[@]}" "${mpi_packages[@]}"
    mkdir -p "$build"
    rm -f "$build/.packages"  # so that it is set up anew
    echo "$suffix" >"$build/.mpi"
    build_targets "dcube for MPI" "$build/cli/dcube-mpi" dcube_program dcube_mpi_program
    say "dcube run all-to-all --dim 10 --ranks 4 spreads a machine over four processes"
}
