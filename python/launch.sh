# shellcheck shell=bash disable=SC2034,SC2154  # what the launcher has, and what it reads
# The launcher's part for `dcube python`: builds the package, and starts the system's Python, or Jupyter.

python_packages=(python3-dev pybind11-dev python3-numpy)
notebook_packages=(jupyter-notebook python3-matplotlib python3-pandas python3-networkx)

help_python() {
    cat <<'END'
usage: dcube python [ARGUMENTS OF PYTHON]
       dcube python --notebook [OPTIONS OF JUPYTER] [FILE]

Builds the Python package of dcube, and runs the system's Python with it:

  dcube python                   an interpreter in which dcube is imported
  dcube python program.py ...    a program of your own, with arguments
  dcube python -c 'import dcube; print(dcube.run("broadcast", dim=3))'

--notebook opens Jupyter in a browser, with matplotlib, pandas and networkx beside the package:

  dcube python --notebook                 a list of the notebooks that come with dcube
  dcube python --notebook teaching        one of these
  dcube python --notebook mine.ipynb      a file of your own
  dcube python --notebook --no-browser    prints the address only; other options as --port=8888

dcube's own notebooks are opened as copies, in build/notebooks. A copy that you have changed stays as it is; delete it
to get a fresh one. docs/python.md shows what the package can do.
END
}

# The Python that Debian's packages belong to: one that comes earlier in PATH may have no NumPy.
system_python() {
    if [[ -x /usr/bin/python3 ]]; then echo /usr/bin/python3; else command -v python3 || true; fi
}

# The module, if it is built.
python_module() {
    local file
    for file in "$build"/python/dcube/_core.*.so; do
        [[ ! -e $file ]] || echo "$file"
    done
}

knows_python_module() { grep -qs '^build dcube_python[ :]' "$build/build.ninja"; }

# Where ./dcube run sets the build up anew, it keeps what .python says. Without the packages the rest is built, nothing
# fails (AUTO).
configure_python() {
    install_packages "$@"
    ! knows_python_module || return 0
    echo AUTO >"$build/.python"
    quietly cmake -D DCUBE_PYTHON=AUTO -D "Python_EXECUTABLE=$(system_python)" "$build" ||
        fail "the build could not be set up"
    knows_python_module ||
        fail "the Python package cannot be built here: it needs Python 3.11 and pybind11 2.10 with their headers, and NumPy"
}

# build_python PACKAGE...: the module, and these packages installed beside it. A build that cannot be written to is used
# as it is.
build_python() {
    also_configure=(configure_python "${python_packages[@]}" "$@")
    build_targets "the Python package" "$(python_module)" dcube_python
    export PYTHONPATH=$build/python${PYTHONPATH:+:$PYTHONPATH}
}

# copy_notebooks FOLDER: with the originals beside the copies, which tell what the user has changed.
copy_notebooks() {
    local file copy original
    mkdir -p "$1/.originals"
    for file in "$root"/python/notebooks/*; do
        [[ -f $file ]] || continue
        copy=$1/${file##*/} original=$1/.originals/${file##*/}
        if [[ ! -e $copy ]] || cmp -s "$copy" "$original"; then
            cp -f -- "$file" "$copy"
            cp -f -- "$file" "$original"
        elif ! cmp -s "$file" "$original"; then
            say "$copy is yours and stays as it is; the one that comes with dcube has changed since"
        fi
    done
}

# notebook_file FOLDER NAME: a file of the user's, or one of the copies, with or without its ending.
notebook_file() {
    local file
    for file in "$2" "$1/$2" "$1/$2.ipynb"; do
        [[ ! -f $file ]] || { realpath -- "$file" && return; }
    done
    fail "there is no notebook $2; dcube brings $(cd -- "$1" && printf '%s\n' *.ipynb | sed 's/[.]ipynb$//' | paste -sd ' ' -)"
}

open_notebook() {
    local word options=() names=() folder=$root/build/notebooks target
    for word in "$@"; do
        if [[ $word == -* ]]; then options+=("$word"); else names+=("$word"); fi
    done
    ((${#names[@]} <= 1)) || fail "python --notebook takes one file at most, and options as --port=8888"
    [[ ! -e $root/build || -w $root/build ]] || folder=${XDG_DATA_HOME:-$HOME/.local/share}/dcube/notebooks
    build_python "${notebook_packages[@]}"
    copy_notebooks "$folder"
    target=$folder
    ((${#names[@]} == 0)) || target=$(notebook_file "$folder" "${names[0]}")
    ((EUID != 0)) || options+=(--allow-root)  # Jupyter asks root for that
    if [[ $target == "$folder"* ]]; then options+=("--notebook-dir=$folder"); fi
    exec "$(system_python)" -m notebook "${options[@]}" "$target"
}

run_python() {
    if [[ ${1-} == --notebook ]]; then
        if [[ ${2-} == -h || ${2-} == --help ]]; then help_python; else open_notebook "${@:2}"; fi
        return
    fi
    build_python
    if (($# == 0)) && [[ -t 0 ]]; then
        set -- -i -c 'import sys, dcube; print(f"Python {sys.version.split()[0]}; dcube is imported: help(dcube)")'
    fi
    exec "$(system_python)" "$@"
}
