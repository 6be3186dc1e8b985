// What the program says to command lines that cannot be meant: one line, nothing on standard output, exit 2.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <dcube/catalogue.hpp>

#include <algorithm>

using namespace dcube::test;

namespace {

struct Wrong {
    const char* line;
    const char* complaint;  // part of what is said
};

constexpr Wrong wrong_lines[] = {
    // commands
    {"", "a command is missing: run, verify, compare, histogram, info and list"},
    {"frobnicate", "'frobnicate' is not a command: run, verify, compare, histogram, info and list are"},
    {"RUN all-to-all --dim 3", "'RUN' is not a command"},
    {"--frobnicate", "'--frobnicate' is not an option of dcube itself"},
    {"-x", "'-x' is not an option of dcube itself"},
    {"--dim 3 run all-to-all", "options follow the command"},
    {"''", "'' is not a command"},
    {"list everything", "'everything' is one argument too many for list"},
    {"list --dim 3", "'--dim' is not an option of list"},
    // collectives
    {"run", "a collective is missing: there are broadcast, reduce, scatter"},
    {"run --dim 3", "a collective is missing"},
    {"run frobnicate --dim 3", "all-to-all"},
    {"run '' --dim 3", "all-to-all"},
    {"run all-to-all scatter --dim 3", "'scatter' is one argument too many for run"},
    {"run all-to-all list --dim 3", "'list' is one argument too many for run"},
    // dimension
    {"run all-to-all", "--dim is missing: give the hypercube's dimension, 0 to 24"},
    {"run all-to-all --dim", "--dim needs a value"},
    {"run all-to-all --dim 40", "--dim 40 is too large: 0 to 24 are allowed"},
    {"run all-to-all --dim 25", "--dim 25 is too large: 0 to 24 are allowed"},
    {"run all-to-all --dim 99999999999999999999", "is too large: 0 to 24 are allowed"},
    {"run all-to-all --dim x", "--dim x is not a whole number: 0 to 24 are allowed"},
    {"run all-to-all --dim ''", "--dim '' is not a whole number"},
    {"run all-to-all --dim 3x", "--dim 3x is not a whole number"},
    {"run all-to-all --dim 3.5", "--dim 3.5 is not a whole number"},
    {"run all-to-all --dim -1", "--dim -1 is too small: 0 to 24 are allowed"},
    {"run all-to-all --dim=-1", "--dim -1 is too small"},
    {"run all-to-all --dim +3", "--dim +3 is not a whole number"},
    {"run all-to-all --dim 0x3", "--dim 0x3 is not a whole number"},
    {"run all-to-all --dim 3 --dim 3", "--dim is given more than once"},
    {"run all-to-all --dim 3 --dim=4", "--dim is given more than once"},
    {"run all-to-all --dim --bytes 4", "--dim needs a value, but --bytes follows"},
    {"run all-to-all --dim 3 --topology hypercube:3", "--dim and --topology say the same"},
    {"run all-to-all --topology hypercube:40", "40 is too large"},
    {"run all-to-all --topology hypercube", "'hypercube' is not a topology"},
    {"run all-to-all --topology torus:3x", "'torus:3x' is not a topology: torus:8x8x8 is one"},
    {"run all-to-all --topology moebius:3", "'moebius:3' is not a topology: there are hypercube:10, torus:8x8x8"},
    {"run all-to-all --topology mesh:1x3", "path:1 is not possible: 2 to 4096 is"},
    {"run all-to-all --topology circulant:6,2", "circulant:6,2 is not connected"},
    {"run all-to-all --topology graph:/no/such/file", "there is no such file"},
    {"run all-to-all --topology mesh:3x3 --algorithm edge-colouring", "it is for rings and complete graphs"},
    {"run all-to-all --topology mesh:3x3 --algorithm optimal", "it is for hypercubes"},
    {"run broadcast --topology mesh:3x3 --root 9", "--root 9 is too large: 0 to 8 are allowed"},
    {"run permute --topology mesh:3x3 --permutation shuffle", "'shuffle' is for 2, 4, 8, .. nodes: mesh:3x3 has 9"},
    {"run matrix-transpose --topology ring:6 --rows 6 --cols 6 --layout submatrices",
     "4, 16, 64, .. nodes are allowed"},
    {"run matrix-transpose --topology ring:6 --rows 6 --cols 6 --layout rows-striped-gray",
     "2, 4, 8, .. nodes are allowed"},
    {"info", "--dim is missing: give the hypercube's dimension, 0 to 24, or another network with --topology"},
    {"info --topology torus:3x3 --dim 3", "--dim and --topology say the same: give one of them"},
    {"info --topology torus:3x3 --format csv", "csv"},
    {"info --topology torus:5000x2", "ring:5000 is not possible: 2 to 4096 is"},
    {"run all-to-all --topology hypercube:", "--topology: 'hypercube:' is not a topology"},
    {"run all-to-all --topology hypercube:3x", "is not a topology"},
    // sizes
    {"run all-to-all --dim 3 --bytes 0", "--bytes 0 is too small"},
    {"run all-to-all --dim 3 --bytes 0K", "--bytes 0 is too small"},
    {"run all-to-all --dim 3 --bytes -4", "--bytes '-4' is not a size"},
    {"run all-to-all --dim 3 --bytes x", "--bytes 'x' is not a size"},
    {"run all-to-all --dim 3 --bytes 4KB", "--bytes '4KB' is not a size"},
    {"run all-to-all --dim 3 --bytes 1.5K", "--bytes '1.5K' is not a size"},
    {"run all-to-all --dim 3 --bytes 64Q", "64, 64B, 4KiB, 1M and 2GiB are"},
    {"run all-to-all --dim 3 --bytes ''", "--bytes '' is not a size"},
    {"run all-to-all --dim 3 --bytes 99999999999999999999", "is too large"},
    {"run all-to-all --dim 3 --bytes 8388609TiB", "--bytes 8388609TiB is too large"},
    {"run all-to-all --dim 3 --bytes 64 --bytes 64", "--bytes is given more than once"},
    {"run all-to-all --dim 20 --bytes 1M", ""},
    {"run all-to-all --dim 24 --bytes 4194304TiB", ""},
    {"run all-to-all --dim 24 --bytes 4194304TiB --packets 4294967295", ""},
    {"run scatter --dim 24 --bytes 4194304TiB --packets 4294967295", ""},
    {"run all-reduce --dim 3 --bytes 6 --type int32", "6"},
    {"run reduce --dim 3 --bytes 7 --type float64", ""},
    {"run reduce-scatter --dim 3 --bytes 1 --type uint16", ""},
    // packets, root, threads and the other numbers
    {"run all-to-all --dim 3 --packets 0", "--packets 0 is too small"},
    {"run all-to-all --dim 3 --packets x", "--packets x is not a whole number"},
    {"run all-to-all --dim 3 --packets 4294967296", "--packets 4294967296 is too large"},
    {"run scatter --dim 3 --root 8", "--root 8 is too large: 0 to 7 are allowed"},
    {"run scatter --dim 3 --root -1", "--root -1 is too small"},
    {"run scatter --dim 3 --root 4294967296", "--root 4294967296 is too large"},
    {"run scatter --dim 0 --root 1", "--root 1 is too large: 0 to 0 are allowed"},
    {"run scatter --dim 3 --root a", "--root a is not a whole number"},
    {"run all-to-all --dim 3 --root 0", "--root does not apply to all-to-all"},
    {"run all-gather --dim 3 --root 1", "broadcast, reduce, scatter and gather have a root"},
    {"run all-to-all --dim 3 --threads 0", "--threads 0 is too small: 1 to 1024 are allowed"},
    {"run all-to-all --dim 3 --threads 1025", "--threads 1025 is too large"},
    {"run all-to-all --dim 3 --threads many", "--threads many is not a whole number"},
    {"run all-to-all --dim 3 --capacity 0", "--capacity 0 is too small"},
    {"run all-to-all --dim 3 --capacity 65537", "--capacity 65537 is too large"},
    {"run all-to-all --dim 3 --repeat 0", "--repeat 0 is too small"},
    {"run all-to-all --dim 3 --seed -1", "--seed -1 is too small"},
    {"run all-to-all --dim 3 --seed 18446744073709551616", "is too large"},
    // words
    {"run all-to-all --dim 3 --ports two", "--ports: "},
    {"run all-to-all --dim 3 --ports", "--ports needs a value"},
    {"run all-to-all --dim 3 --channel pipe", "--channel: "},
    {"run all-to-all --dim 3 --algorithm frobnicate", "frobnicate"},
    {"run all-to-all --dim 3 --algorithm ''", ""},
    {"run reduce --dim 3 --op product", "--op: "},
    {"run reduce --dim 3 --type complex", "--type: "},
    {"run reduce --dim 3 --op bit-xor --type float --bytes 4", "bit-xor"},
    {"run scatter --dim 3 --op sum", "--op does not apply to scatter"},
    {"run all-to-all --dim 3 --type int8", "--type does not apply to all-to-all"},
    {"run all-to-all --dim 3 --format xml", "--format 'xml' is not allowed here: text, json, csv are"},
    {"run all-to-all --dim 3 --format markdown", "--format 'markdown' is not allowed here"},
    {"list --format yaml", "text, json, csv, markdown are"},
    {"run all-to-all --dim 3 --color green", "auto, always and never are"},
    {"run all-to-all --dim 3 --frobnicate", "'--frobnicate' is not an option of run"},
    {"run all-to-all --dim 3 --frobnicate=3", "'--frobnicate=3' is not an option of run"},
    {"run all-to-all --dim 3 -d 3", "'-d' is not an option of run"},
    {"run all-to-all --dimension 3", "'--dimension' is not an option of run"},
    {"run all-to-all --dim 3 --dry-run --dry-run", "--dry-run is given more than once"},
    {"run all-to-all --dim 3 --dry-run=maybe", "--dry-run"},
    // files
    {"run all-to-all --dim 3 --output -", "--output - is not allowed: standard output carries the report"},
    {"run all-to-all --dim 3 --trace -", "--trace - is not allowed"},
    {"run all-to-all --dim 3 --output ''", "--output '' is not a file's name"},
    {"run all-to-all --dim 3 --input /nowhere/at/all", "cannot read '/nowhere/at/all': No such file or directory"},
    {"run all-to-all --dim 3 --input /", "cannot read '/': Is a directory"},
    {"run all-to-all --dim 3 --input /dev/null", "'/dev/null' is empty"},
    {"run all-to-all --dim 3 --bytes 8 --input /dev/zero", "has more than 512 bytes"},
    {"run all-to-all --dim 3 --output /nowhere/at/all", "cannot write '/nowhere/at/all'"},
    {"run all-to-all --dim 3 --output /", "cannot write '/': Is a directory"},
    {"run all-to-all --dim 3 --output /dev/full", "cannot write '/dev/full': No space left on device"},
    {"run all-to-all --dim 3 --trace /dev/full", "cannot write '/dev/full': No space left on device"},
    {"run all-to-all --dim 3 --trace /nowhere/at/all", "cannot write '/nowhere/at/all'"},
    {"run all-to-all --dim 3 --trace /nowhere/t --output /nowhere/./t", "--output and --trace name the same file"},
    {"run all-to-all --dim 3 --trace t --repeat 2", "--trace tells of one run"},
    {"run all-to-all --dim 3 --seed 2 --input f", "--seed does not go with --input"},
    {"run all-to-all --dim 3 --dry-run --output f", "--dry-run runs nothing: --output"},
    {"run all-to-all --dim 3 --dry-run --trace f", "--dry-run runs nothing: --trace"},
    {"run all-to-all --dim 3 --dry-run --repeat 2", "--dry-run runs nothing: --repeat"},
    // verify
    {"verify", "a trace is missing"},
    {"verify t.jsonl", "a collective is missing"},
    {"verify t.jsonl scatter", "--dim is missing"},
    {"verify /nowhere/at/all scatter --dim 3", "cannot read '/nowhere/at/all': No such file or directory"},
    {"verify / scatter --dim 3", "cannot read '/': Is a directory"},
    {"verify - frobnicate --dim 3", "frobnicate"},
    {"verify - scatter --dim 3 --root 9", "--root 9 is too large: 0 to 7 are allowed"},
    {"verify - scatter --dim 3 --op sum", "'--op' is not an option of verify"},
    {"verify - scatter --dim 3 --format csv", "text, json are"},
    {"verify - scatter --dim 3 extra", "'extra' is one argument too many for verify"},
};

}  // namespace

TEST_CASE("usage: each wrong command line gives one clear line and exit 2", "[cli][negative]")
{
    REQUIRE(std::size(wrong_lines) >= 60);
    for (const Wrong& wrong : wrong_lines) {
        CAPTURE(wrong.line);
        const Outcome outcome = dcube_line(wrong.line);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
        CHECK(outcome.err.starts_with("dcube: "));
        CHECK_THAT(outcome.err, Catch::Contains(wrong.complaint));
    }
}

TEST_CASE("usage: a complaint stays one line whatever is in the argument", "[cli][negative]")
{
    const Outcome outcome = dcube_program({"run", "all-to-all\nand more\r\033[31m", "--dim", "3"});
    CHECK(outcome.exit_code == 2);
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    CHECK(outcome.err.find('\033') == std::string::npos);
}

TEST_CASE("usage: an algorithm for all ports is refused on a machine with one", "[cli][negative]")
{
    for (const dcube::Algorithm& algorithm : dcube::catalogue()) {
        if (algorithm.ports != dcube::PortModel::all || algorithm.link != dcube::LinkKind::unit)
            continue;
        CAPTURE(name(algorithm.collective), algorithm.name);
        const Outcome outcome = dcube_program({"run", std::string(name(algorithm.collective)), "--dim", "3", "--ports",
                                               "one", "--algorithm", std::string(algorithm.name)});
        CHECK(outcome.exit_code == 2);
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
    }
}

TEST_CASE("usage: standard output that cannot be written is an error", "[cli][negative]")
{
    const Outcome outcome = dcube_line("list", {.out_file = "/dev/full"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err == "dcube: cannot write to standard output\n");
}
