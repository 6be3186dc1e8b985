// Command lines that cannot be meant: each gives one line that says what is wrong and what is allowed, nothing on
// standard output, and exit 2.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"
#include "tests/support/sizes.hpp"

#include <algorithm>
#include <iterator>
#include <string>

using namespace dcube::test;
using test_support::Sample;

namespace {

struct Wrong {
    const char* line;
    const char* complaint;  // part of what is said
};

constexpr Wrong wrong_lines[] = {
    // commands
    {"", "a command is missing: allowed are run, verify, replay, compare, bench, limits, view, histogram, info, "
         "explain, list, export, help, completion"},
    {"frobnicate", "'frobnicate' is not a command: allowed are run, verify, replay, compare, bench, limits, view, "
                   "histogram, info, explain, list, export, help, completion"},
    {"RUN all-to-all --dim 3", "'RUN' is not a command: did you mean run? Allowed are"},
    {"--frobnicate", "'--frobnicate' is not an option of dcube itself"},
    {"-x", "'-x' is not an option of dcube itself: --help and --version are"},
    {"--dim 3 run all-to-all", "options follow the command"},
    {"''", "'' is not a command"},
    {"list everything", "'everything' is not a list: allowed are algorithms, machines"},
    {"list machines algorithms", "'algorithms' is one argument too many for list"},
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
    {"run all-to-all --dim 3 --pin close", "--pin: 'close' is not a kind of pinning: none, compact and scatter are"},
    {"run all-to-all --dim 3 --pin", "--pin needs a value"},
    {"run all-to-all --dim 3 --pin none --pin compact", "--pin"},
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
    {"run all-to-all --dim 3 --trace t --repeat 2", "--trace records one run; it cannot be combined with --repeat 2"},
    {"run all-to-all --dim 3 --seed 2 --input f", "--seed cannot be combined with --input"},
    {"run all-to-all --dim 3 --dry-run --output f", "--dry-run runs nothing: it cannot be combined with --output"},
    {"run all-to-all --dim 3 --dry-run --trace f", "--dry-run runs nothing: it cannot be combined with --trace"},
    {"run all-to-all --dim 3 --dry-run --repeat 2", "--dry-run runs nothing: it cannot be combined with --repeat"},
    // verify
    {"verify", "a trace is missing"},
    {"verify -", "the trace has no header that says what it is of"},
    {"verify - scatter", "--dim is missing"},
    {"verify /nowhere/at/all scatter --dim 3", "cannot read '/nowhere/at/all': No such file or directory"},
    {"verify / scatter --dim 3", "cannot read '/': Is a directory"},
    {"verify - frobnicate --dim 3", "frobnicate"},
    {"verify - scatter --dim 3 --root 9", "--root 9 is too large: 0 to 7 are allowed"},
    {"verify - scatter --dim 3 --op sum", "'--op' is not an option of verify"},
    {"verify - scatter --dim 3 --format csv", "text, json are"},
    {"verify - scatter --dim 3 extra", "'extra' is one argument too many for verify"},
    // misspellings
    {"rnu all-to-all --dim 3", "'rnu' is not a command: did you mean run? Allowed are run, verify, replay, compare"},
    {"histogramm --dim 3", "did you mean histogram? "},
    {"run all-to-al --dim 3",
     "'all-to-al' is not a collective: did you mean all-to-all? Allowed are broadcast, reduce"},
    {"run scater --dim 3", "did you mean scatter? "},
    {"run totalexchange --dim 3", "did you mean total-exchange? "},
    {"run all-to-all --dmi 3", "'--dmi' is not an option of run: did you mean --dim? dcube run --help"},
    {"run all-to-all --dim 3 --byte 4", "did you mean --bytes? "},
    {"run all-to-all --dim 3 --colour always", "did you mean --color? "},
    {"run all-to-all --dim 3 --thread=2", "'--thread=2' is not an option of run: did you mean --threads? "},
    {"compare all-to-all --dim 3 --packet 2", "'--packet' is not an option of compare: did you mean --packets? "},
    {"info --dimension 3", "'--dimension' is not an option of info: dcube info --help"},
    {"run reduce --dim 3 --op summ", "--op: 'summ' is not an operation: did you mean sum? Allowed are sum, min, max"},
    {"run reduce --dim 3 --type flaot", "did you mean float? "},
    {"run broadcast --dim 3 --machine ipsc680", "'ipsc680' is not a machine: did you mean ipsc860? Allowed are ncube1"},
    {"run matrix-transpose --dim 2 --rows 4 --cols 4 --layout rows-block", "did you mean rows-blocked? "},
    {"list machine", "'machine' is not a list: did you mean machines? Allowed are algorithms, machines"},
    {"help rum", "'rum' is not a command: did you mean run? Allowed are run, verify"},
    {"help frobnicate", "'frobnicate' is not a command: allowed are run, verify"},
    {"help run verify", "'verify' is one argument too many for help"},
    // links and tuning
    {"run broadcast --dim 3 --link maybe", "--link: 'maybe' is not "},
    {"run broadcast --dim 3 --tau 1 --beta x",
     "--beta 'x' is not possible: a number from 0 to 2^63-1 such as 100, 5/2"},
    {"run broadcast --dim 3 --tau '' --beta 1", "--tau '' is not possible"},
    {"run broadcast --dim 3 --beta 1", "the link-bound model needs --tau and --beta, in ns, or a --machine"},
    {"run broadcast --dim 3 --link unit --machine ncube1",
     "--machine is for the link-bound model: it cannot be combined"},
    {"run broadcast --dim 3 --machine ncube1 --tau 1 --beta 1",
     "--machine cannot be combined with both --tau and --beta"},
    {"run broadcast --dim 3 --machine ncube1 --clock wall", "--clock: 'wall' is not "},
    {"run broadcast --dim 3 --machine ncube1 --groups x",
     "--groups x is not a whole number: 1 to 2147483648 are allowed"},
    {"run broadcast --dim 3 --machine ncube1 --halvings 25", "--halvings 25 is too large: 0 to 24 are allowed"},
    {"run all-reduce --dim 3 --machine ncube1 --halvings 4",
     "--halvings 4 is too large: 0 to 3 are allowed on hypercube:3"},
    {"run scatter --dim 3 --machine ncube1 --waves ''", "--waves '' is not a wave plan; examples: 432|1, 7..3|2|1"},
    {"histogram --dim 3 --input f --ports one --machine ncube1",
     "--ports one cannot be combined with the link-bound model"},
    {"verify t scatter --dim 3 --groups 2", "'--groups' is not an option of verify"},
    // ranges
    {"compare broadcast --dim 3 --bytes 1:8", "--bytes '1:8' is not a range: 1KiB:16MiB:x4 and 64:256:+64 are"},
    {"compare broadcast --dim 3 --bytes 8:1:x2", "--bytes '8:1:x2' is not a range: it ends before it begins"},
    {"compare broadcast --dim 3 --bytes 1:8:x1", "is not a range"},
    {"compare broadcast --dim 3 --bytes 1:8:x", "is not a range"},
    {"compare broadcast --dim 3 --bytes 1:8:2", "is not a range"},
    {"compare broadcast --dim 3 --bytes 1:8:x2:x2", "is not a range"},
    {"compare broadcast --dim 3 --bytes 8,", "--bytes '' is not a size"},
    {"compare broadcast --dim 3 --bytes ,8", "--bytes '' is not a size"},
    {"compare broadcast --dim 3 --bytes 8,x", "--bytes 'x' is not a size"},
    {"compare broadcast --dim 3 --bytes 1:1M:+1", "--bytes '1:1M:+1' has more than 1000 values"},
    {"run all-to-all --dim 3:40", "--dim 40 is too large: 0 to 24 are allowed"},
    {"run all-to-all --dim 5:3", "--dim '5:3' is not a range: it ends before it begins"},
    {"run all-to-all --dim 3:5:x0", "--dim '3:5:x0' is not a range: 4:10, 4:10:+2 and 1:100:x10 are"},
    {"run all-to-all --dim 0:5:x2", "is not a range"},
    {"run all-to-all --dim 3:", "--dim '' is not a whole number"},
    {"run all-to-all --dim 3,", "--dim '' is not a whole number"},
    {"run all-to-all --dim 3,x", "--dim x is not a whole number"},
    {"run all-to-all --dim 3 --packets 1:4:+0", "is too small"},
    {"run all-to-all --dim 1:9 --bytes 1:999:+1 --packets 1:9", "a sweep of more than 10000 runs is not possible"},
    {"run all-to-all --dim 3 --repeat 1:3", "--repeat 1:3 is not a whole number"},
    {"run all-to-all --dim 3 --seed 1,2", "--seed 1,2 is not a whole number"},
    {"run broadcast --dim 2:4 --root 5", "--root 5 is too large: 0 to 3 are allowed"},
    {"run all-to-all --dim 2:4 --output f", "--output is for one run: it cannot be combined with a sweep of 3"},
    {"run all-to-all --dim 2,4 --trace f", "--trace is for one run: it cannot be combined with a sweep of 2"},
    {"run all-to-all --dim 2:3 --input -", "--input - is for one run: it cannot be combined with a sweep of 2"},
    {"run all-to-all --dim 2:3 --algorithm frobnicate", "frobnicate"},
    {"run all-to-all --topology ring:5,frob:3", "'frob:3' is not a topology"},
    {"verify t scatter --dim 3:4", "--dim 3:4 is not a whole number"},
    {"verify t scatter --dim 3 --bytes 8:64:x8", "--bytes '8:64:x8' is not a size"},
    {"info --dim 3,4", "--dim 3,4 is not a whole number"},
    {"histogram --dim 3 --input f --threads 1,2", "--threads 1,2 is not a whole number"},
    // permutations and matrices
    {"run permute --dim 3", "--permutation is missing: rotation, inversion, reflection, bit-reversal"},
    {"run permute --dim 3 --permutation ''", "--permutation is missing"},
    {"run permute --dim 3 --permutation frobnicate", "frobnicate"},
    {"run permute --dim 3 --permutation @", "cannot read ''"},
    {"run permute --dim 3 --permutation @/", "cannot read '/': Is a directory"},
    {"run permute --dim 3 --permutation @/dev/null", "'/dev/null' is empty"},
    {"run permute --dim 3 --permutation @/dev/zero",
     "'/dev/zero' has more than 4 352 bytes, but a permutation of 8 nodes"},
    {"run permute --dim 3 --permutation xor:9", "mask 9 is not a node of hypercube:3: nodes are 0 to 7"},
    {"run scatter --dim 3 --permutation shuffle", "--permutation does not apply to scatter: permute has one"},
    {"run scatter --dim 3 --to 4", "--to does not apply to scatter: send and exchange have two ends"},
    {"run send --dim 3 --to x", "--to x is not a whole number: 0 to 7 are allowed"},
    {"run exchange --dim 3", "--to is missing: exchange goes from --root to another node"},
    {"run exchange --dim 0 --to 0", "is possible between two"},
    {"run matrix-transpose --dim 2", "--rows and --cols are missing: a matrix has a size"},
    {"run matrix-transpose --dim 2 --rows 4", "--rows and --cols are missing"},
    {"run matrix-transpose --dim 2 --rows 0 --cols 4", "--rows 0 is too small: 1 to 1099511627776 are allowed"},
    {"run matrix-transpose --dim 2 --rows 4 --cols x", "--cols x is not a whole number"},
    {"run matrix-transpose --dim 2 --rows 4 --cols 4 --layout diagonal", "--layout: 'diagonal' is not "},
    {"run matrix-transpose --dim 2 --rows 4 --cols 4 --packets 2", "--packets does not apply to matrix-transpose"},
    {"run matrix-transpose --dim 2 --rows 4 --cols 4 --to-layout rows-striped", "--to-layout does not apply"},
    {"run scatter --dim 2 --cols 4", "--cols does not apply to scatter: the matrix- collectives have a matrix"},
    {"run scatter --dim 2 --layout submatrices", "--layout does not apply to scatter"},
    // histogram and info
    {"histogram", "--dim is missing"},
    {"histogram --dim 3", "--input is missing: a histogram counts a file's bytes, and - is standard input"},
    {"histogram --dim 3 --input ''", "--input is missing"},
    {"histogram --dim 3 --input f --bins 0", "--bins 0 is too small: 1 to 65536 are allowed"},
    {"histogram --dim 3 --input f --words 12", "--words: '12' is not allowed: 8 and 16 bits are"},
    {"histogram --dim 3 --input f --words x", "--words: 'x' is not allowed"},
    {"histogram --dim 3 --input /", "cannot read '/': Is a directory"},
    {"histogram --dim 3 --input /dev/null", "'/dev/null' is empty"},
    {"histogram --dim 3 --input f extra", "'extra' is one argument too many for histogram"},
    {"histogram --dim 3 --input f --format markdown", "--format 'markdown' is not allowed here: text, json, csv are"},
    {"info ring:5", "'ring:5' is one argument too many for info"},
    {"info --dim 3 --ports one", "'--ports' is not an option of info"},
    {"info --topology ''", "--topology: "},
    {"compare", "a collective is missing"},
    {"compare all-to-all", "--dim is missing"},
    {"compare all-to-all --dim 3 --algorithm optimal", "'--algorithm' is not an option of compare"},
    {"compare all-to-all --dim 3 --format yaml", "text, json, csv are"},
};

}  // namespace

TEST_CASE("wrong lines: each gives one clear line and exit 2", "[cli][negative]")
{
    STATIC_REQUIRE(std::size(wrong_lines) >= 200);
    Sample sample;
    for (const Wrong& wrong : wrong_lines)
        if (sample.takes_next())
            check_refused(wrong.line, wrong.complaint);
}

TEST_CASE("wrong lines: endless values are shortened", "[cli][negative]")
{
    const std::string endless(100'000, 'x');
    for (const std::string& line :
         {"run " + endless + " --dim 3", "run all-to-all --dim " + endless, "run all-to-all --dim 3 --" + endless,
          "run all-to-all --dim 3 --algorithm " + endless, "run all-to-all --dim 3 --input " + endless,
          "run all-to-all --topology " + endless, "run all-to-all --dim 3 --tau " + endless, endless,
          "run scatter --dim 3 --tau 1 --beta 1 --waves " + endless, "verify " + endless + " scatter --dim 3",
          "run permute --dim 3 --permutation " + endless, "run permute --dim 3 --permutation @" + endless}) {
        const Outcome outcome = dcube_line(line);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.err.size() < 1000);
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
    }
}
