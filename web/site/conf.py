"""The documents as a site, by Sphinx: see web/launch.sh. The top of the tree is its source, README.md its first."""
from pathlib import Path
from re import findall, search, sub

# Headings of the navigation, and the pages below them. A document that is missing here fails the build.
contents = {
    "Start": ["docs/tutorial", "docs/coming-from-mpi-or-nccl", "docs/troubleshooting"],
    "Use": ["docs/command-line", "docs/faults", "docs/python", "docs/browser", "docs/browser-programs", "docs/npx",
            "docs/many-machines", "docs/uneven-messages"],
    "Understand": ["docs/algorithms", "docs/optimality", "docs/results", "docs/errata", "docs/performance",
                   "docs/measuring", "docs/glossary"],
    "Extend": ["docs/library", "docs/contributing", "docs/packaging", "ARCHITECTURE", "web/page/README"],
    "Refer to": ["docs/report", "docs/versions", "CHANGELOG", "SECURITY"],
    "Measurements": ["docs/measurements/performance", "docs/measurements/many-machines"],
}

project = "dcube"
version_header = Path(__file__).parents[2] / "include/dcube/version.hpp"
release = ".".join(findall("#define DCUBE_VERSION_[A-Z]+ ([0-9]+)", version_header.read_text()))
root_doc = "README"
include_patterns = ["*.md", "docs/**.md", "web/page/README.md"]
exclude_patterns = ["build", "web/page/node_modules", ".*"]
extensions = ["myst_parser"]
myst_heading_anchors = 6
smartquotes = False
html_theme = "furo"
html_title = f"dcube {release}"
templates_path = ["templates"]
html_sidebars = {"**": ["sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html",
                        "sidebar/navigation.html", "beside.html", "sidebar/scroll-end.html"]}
html_additional_pages = {"index": "index.html"}
html_use_index = False
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_show_search_summary = False  # it is read from other files, which a page from disk may not do


# The site opens with a figure that moves: see web/page/src/lesson/opening.ts.
opening = """

```{raw} html
<iframe src="lessons/01-what-is-a-hypercube.html?embed#opening=5" style="width:100%;height:420px;border:0"
        title="a cube doubles, blocks flow over it, and it is pulled apart"></iframe>
```
"""


def with_contents(app, document, source):
    if document == root_doc:
        title, rest = source[0].split("\n", 1)
        source[0] = title + opening + rest
        for caption, pages in contents.items():
            source[0] += "\n```{toctree}\n:hidden:\n:caption: " + caption + "\n\n" + "\n".join(pages) + "\n```\n"


# Debian's furo takes a script and a style from a web server, and has no dark colours for those who have not chosen any.
def from_disk(app, failure):
    if failure:
        return
    static = Path(app.outdir, "_static")
    script = static / "scripts/furo.js"
    script.write_text((static / "scripts/gumshoe-patched.js").read_text() + sub("^import .*\n", "", script.read_text()))
    style = static / "styles/furo.css"
    rules = sub("@import url\\((.*?)\\);", lambda found: Path("/usr/share" + found[1]).read_text(), style.read_text())
    dark = search(r'body\[data-theme="dark"\] {([^}]*)}', rules)[1]
    unless_light = '@media screen and (prefers-color-scheme: dark) { body:not([data-theme="light"]) {'
    style.write_text(rules + unless_light + dark + "} }\n")


def setup(app):
    app.connect("source-read", with_contents)
    app.connect("build-finished", from_disk)
