# shellcheck shell=bash disable=SC2154  # what it reads of the launcher
# The launcher's part for `dcube docs`: Sphinx makes pages of the documents, beside them are the lessons and Doxygen's
# reference of the C++ interface.

site_packages=(python3-sphinx python3-myst-parser furo doxygen)

help_docs() {
    cat <<'END'
usage: dcube docs [DIR]

Builds the documents as one site for a browser, which works offline: docs/ with a search (by Sphinx), the lessons, and
the reference of the C++ interface (by Doxygen). Prints the path of its first page.

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

# may_hold_site FOLDER: it is empty, or such a site, or does not exist.
may_hold_site() {
    [[ ! -e $1 || (-d $1 && ! $(ls -A "$1")) ]] || grep -qs 'content="dcube docs"' "$1/index.html"
}

run_docs() {
    (($# <= 1)) || fail "docs takes one folder at most"
    [[ ${1-} != -* ]] || fail "docs has no option '$1'; it takes a folder, or --help"
    load demos  # build_module_for
    local folder=${1-$root/build/docs} parts=$build/docs made=$build/docs/site part
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
