// Invalid command lines: each gives one line that says what is wrong and what is allowed, nothing on standard output,
// and exit 2. Nearly all are executed in this process.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/files.hpp"
#include "tests/support/process.hpp"

#include <dcube/catalogue.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

using namespace dcube::test;

namespace {

struct Wrong {
    const char* line;
    const char* complaint;  // a part of the message
};

constexpr Wrong wrong_lines[] = {
    // commands
    {"", "a command is missing: expected one of run, view, explain, compare, info, bench, scale, verify, replay, "
         "export, lab, "
         "histogram, list, limits, self-test, help"},
    {"frobnicate",
     "'frobnicate' is not a command: expected one of run, view, explain, compare, info, bench, scale, verify, replay, "
     "export, lab, histogram, list, limits, self-test, help"},
    {"RUN all-to-all --dim 3", "'RUN' is not a command: did you mean run? Expected one of"},
    {"--frobnicate", "'--frobnicate' is not an option of dcube itself"},
    {"-x", "'-x' is not an option of dcube itself: expected --help or --version"},
    {"--dim 3 run all-to-all", "options follow the command"},
    {"''", "'' is not a command"},
    {"--version run", "--version takes no arguments"},
    {"--help run", "--help takes no arguments: see dcube COMMAND --help"},
    {"run all-to-all --dim= 3", "--dim needs a value"},
    {"--help=3", "--help takes no value"},
    {"run -h=3", "--help takes no value"},
    {"run all-to-all --dim 3 --dry-run=false", "--dry-run takes no value"},
    {"run all-to-all --dim 3 --explain=0", "--explain takes no value"},
    {"limits --quick=2", "--quick takes no value"},
    {"scale --minutes 0", "--minutes: '0' is no number of minutes: 0.1 to 1440 are allowed"},
    {"scale --minutes soon", "--minutes: 'soon' is no number of minutes"},
    {"scale --again there --minutes 2", "--again"},
    {"scale .", "cannot write folder '.': it exists; --replace replaces results of dcube scale"},
    {"scale / --replace", "cannot write folder '/': --replace replaces only a folder that dcube scale has written"},
    {"scale no/such/folder", "cannot write folder 'no/such/folder': No such file or directory"},
    {"scale --again no-such-folder --dry-run", "cannot read 'no-such-folder/plan.json'"},
    {"help --man-pages ''", "--man-pages '' is not a folder's name"},
    {"help --completion", "--completion needs a value"},
    {"help --completion tcsh", "--completion: 'tcsh' is not a shell"},
    {"help --completion bsh", "did you mean bash?"},
    {"help run --completion bash", "the argument COMMAND and --completion cannot be used together"},
    {"help --completion bash --man-pages f", "--completion and --man-pages cannot be used together"},
    {"demoo", "did you mean demo? Expected one of run, view"},
    {"inf --topology ring:6", "'inf' is not a command: did you mean info? Expected one of run"},
    {"help inf", "'inf' is not a command: did you mean info? Expected one of run"},
    {"info --topo ring:6", "'--topo' is not an option of info: did you mean --topology?"},
    {"run all-to-all --di=3", "'--di=3' is not an option of run: did you mean --dim?"},
    {"--vers", "'--vers' is not an option of dcube itself"},
    {"run --he", "'--he' is not an option of run"},
    {"demo", "demo is a command of the script dcube in dcube's source folder"},
    {"list everything", "'everything' is not a list: expected one of algorithms, machines"},
    {"list machines algorithms", "unexpected argument 'algorithms' for list"},
    {"list --dim 3", "'--dim' is not an option of list"},
    // collectives
    {"run", "COLLECTIVE is missing: there are broadcast, reduce, scatter"},
    {"run --dim 3", "COLLECTIVE is missing"},
    {"run frobnicate --dim 3", "all-to-all"},
    {"run '' --dim 3", "all-to-all"},
    {"run all-to-all scatter --dim 3", "unexpected argument 'scatter' for run"},
    {"run all-to-all list --dim 3", "unexpected argument 'list' for run"},
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
    {"run all-to-all --dim 3 --topology hypercube:3", "--dim and --topology cannot be used together"},
    {"run all-to-all --topology hypercube:40", "40 is too large"},
    {"run all-to-all --topology hypercube", "'hypercube' is not a topology"},
    {"run all-to-all --topology torus:3x", "'torus:3x' is not a topology: expected e.g. torus:8x8x8"},
    {"run all-to-all --topology moebius:3", "'moebius:3' is not a topology: there are hypercube:10, torus:8x8x8"},
    {"run all-to-all --topology mesh:1x3", "path:1 is not possible: expected 2 to 4096"},
    {"run all-to-all --topology circulant:6,2", "circulant:6,2 is not connected"},
    {"run all-to-all --topology graph:/no/such/file", "there is no such file"},
    {"run all-to-all --topology mesh:3x3 --algorithm edge-colouring", "it is for rings and complete graphs"},
    {"run all-to-all --topology mesh:3x3 --algorithm optimal", "it is for hypercubes"},
    {"run broadcast --topology mesh:3x3 --root 9", "--root 9 is too large: 0 to 8 are allowed"},
    {"run permute --topology mesh:3x3 --permutation shuffle", "'shuffle' is for 2, 4, 8, ... nodes: mesh:3x3 has 9"},
    {"run matrix-transpose --topology ring:6 --rows 6 --columns 6 --layout submatrices",
     "--layout: the layout submatrices on ring:6 needs 4, 16, 64, ... nodes"},
    {"run matrix-transpose --topology ring:6 --rows 6 --columns 6 --layout rows-striped-gray",
     "--layout: the layout rows-striped-gray on ring:6 needs 2, 4, 8, ... nodes"},
    {"info", "--dim is missing: give the hypercube's dimension, 0 to 24, or another network with --topology"},
    {"info --topology torus:3x3 --dim 3", "--dim and --topology cannot be used together"},
    {"info --topology torus:3x3 --format csv", "csv"},
    {"info --topology torus:5000x2", "ring:5000 is not possible: expected 2 to 4096"},
    {"run all-to-all --topology hypercube:", "--topology: 'hypercube:' is not a topology"},
    {"run all-to-all --topology hypercube:3x", "is not a topology"},
    // sizes
    {"run all-to-all --dim 3 --bytes -4", "--bytes '-4' is not a size"},
    {"run all-to-all --dim 3 --bytes x", "--bytes 'x' is not a size"},
    {"run all-to-all --dim 3 --bytes 4KB", "--bytes '4KB' is not a size"},
    {"run all-to-all --dim 3 --bytes 1.5K", "--bytes '1.5K' is not a size"},
    {"run all-to-all --dim 3 --bytes 64Q", "e.g. 64, 4KiB, 1M"},
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
    {"run all-to-all --dim 3 --packets -1", "--packets -1 is too small: 0 to 4294967295 are allowed"},
    {"run all-to-all --dim 3 --packets x", "--packets x is not a whole number"},
    {"run all-to-all --dim 3 --packets 4294967296", "--packets 4294967296 is too large"},
    {"run scatter --dim 3 --root 8", "--root 8 is too large: 0 to 7 are allowed"},
    {"run scatter --dim 3 --root -1", "--root -1 is too small"},
    {"run scatter --dim 3 --root 4294967296", "--root 4294967296 is too large"},
    {"run scatter --dim 0 --root 1", "--root 1 is too large: only 0 is allowed"},
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
    {"run all-to-all --dim 3 --pin close", "--pin: 'close' is not a kind of pinning: expected none, compact, scatter, "
                                           "no-smt, one-per-l3 or processors such as 0,2,4-7"},
    {"run all-to-all --dim 3 --pin", "--pin needs a value"},
    {"run all-to-all --dim 3 --pin none --pin compact", "--pin"},
    {"run all-to-all --dim 3 --algorithm frobnicate", "frobnicate"},
    {"run all-to-all --dim 3 --algorithm ''", ""},
    {"run reduce --dim 3 --operation product", "--operation: "},
    {"run reduce --dim 3 --type complex", "--type: "},
    {"run reduce --dim 3 --operation bit-xor --type float --bytes 4", "bit-xor"},
    {"run scatter --dim 3 --operation sum", "--operation does not apply to scatter"},
    {"run all-to-all --dim 3 --type int8", "--type does not apply to all-to-all"},
    {"run all-to-all --dim 3 --format xml", "--format: 'xml' is not a format of run: expected one of text, json, csv"},
    {"run all-to-all --dim 3 --format markdown", "--format: 'markdown' is not a format of run"},
    {"list --format yaml", "expected one of text, json, csv, markdown"},
    {"run all-to-all --dim 3 --color green", "--color: 'green' is not a choice: expected one of auto, always, never"},
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
    {"run all-to-all --dim 3 --dry-run --output f", "--output and --dry-run cannot be used together"},
    {"run all-to-all --dim 3 --dry-run --trace f", "--trace and --dry-run cannot be used together"},
    {"run all-to-all --dim 3 --dry-run --repeat 2", "--repeat and --dry-run cannot be used together"},
    // verify
    {"verify", "a trace is missing"},
    {"verify -", "the trace has no header"},
    {"verify - scatter", "--dim is missing"},
    {"verify /nowhere/at/all scatter --dim 3", "cannot read '/nowhere/at/all': No such file or directory"},
    {"verify / scatter --dim 3", "cannot read '/': Is a directory"},
    {"verify - frobnicate --dim 3", "frobnicate"},
    {"verify - scatter --dim 3 --root 9", "--root 9 is too large: 0 to 7 are allowed"},
    {"verify - scatter --dim 3 --operation sum", "'--operation' is not an option of verify"},
    {"verify - scatter --dim 3 --format csv", "expected one of text, json"},
    {"verify - scatter --dim 3 extra", "unexpected argument 'extra' for verify"},
    // misspellings
    {"rnu all-to-all --dim 3", "'rnu' is not a command: did you mean run? Expected one of run, view, explain, compare"},
    {"histogramm --dim 3", "did you mean histogram? "},
    {"run all-to-al --dim 3",
     "'all-to-al' is not a collective: did you mean all-to-all? Expected one of broadcast, reduce"},
    {"run scater --dim 3", "did you mean scatter? "},
    {"run totalexchang --dim 3", "did you mean total-exchange? "},
    {"run bcasts --dim 3", "did you mean bcast? Expected one of broadcast, reduce"},
    {"run MPI_Alltoallw --dim 3", "'MPI_Alltoallw' is not a collective"},
    {"run MPI_ --dim 3", "'MPI_' is not a collective"},
    {"run nccl --dim 3", "'nccl' is not a collective"},
    {"run all-to-all --dmi 3", "'--dmi' is not an option of run: did you mean --dim? See dcube run --help"},
    {"run all-to-all --dim 3 --byts 4", "did you mean --bytes? "},
    {"run matrix-transpose --dim 2 --rows 4 --cols 4", "'--cols' is not an option of run: see dcube run --help"},
    {"run all-to-all --dim 3 --colour always", "did you mean --color? "},
    {"run all-to-all --dim 3 --thraeds=2", "'--thraeds=2' is not an option of run: did you mean --threads? "},
    {"compare all-to-all --dim 3 --packts 2", "'--packts' is not an option of compare: did you mean --packets? "},
    {"info --dimension 3", "'--dimension' is not an option of info: see dcube info --help"},
    {"run reduce --dim 3 --operation summ",
     "--operation: 'summ' is not an operation: did you mean sum? Expected one of sum, min, max"},
    {"run reduce --dim 3 --type flaot", "did you mean float? "},
    {"run broadcast --dim 3 --machine ncube4",
     "'ncube4' is not a machine: did you mean ncube3? Expected one of ncube3"},
    {"run matrix-transpose --dim 2 --rows 4 --columns 4 --layout rows-block", "did you mean rows-blocked? "},
    {"list machine", "'machine' is not a list: did you mean machines? Expected one of algorithms, machines"},
    {"help rum", "'rum' is not a command: did you mean run? Expected one of run, view"},
    {"help frobnicate", "'frobnicate' is not a command: expected one of run, view"},
    {"help run verify", "unexpected argument 'verify' for help"},
    // links and tuning
    {"run broadcast --dim 3 --link maybe", "--link 'maybe' is not "},
    {"run broadcast --dim 3 --tau 1 --beta x",
     "--beta 'x' is not possible: expected a number from 0 to 2^63-1 such as 100, 5/2"},
    {"run broadcast --dim 3 --tau '' --beta 1", "--tau '' is not possible"},
    {"run broadcast --dim 3 --beta 1", "the link-bound model needs --tau and --beta, or --machine"},
    {"run broadcast --dim 3 --link unit --machine ncube3",
     "--machine is for the link-bound model: it cannot be combined"},
    {"run broadcast --dim 3 --machine ncube3 --tau 1 --beta 1",
     "--machine cannot be combined with both --tau and --beta"},
    {"run broadcast --dim 3 --machine ncube3 --clock wall", "--clock 'wall' is not "},
    {"run broadcast --dim 3 --machine ncube3 --groups x",
     "--groups x is not a whole number: 1 to 2147483648 are allowed"},
    {"run broadcast --dim 3 --machine ncube3 --halvings 25", "--halvings 25 is too large: 0 to 24 are allowed"},
    {"run all-reduce --dim 3 --machine ncube3 --halvings 4",
     "--halvings 4 is too large: 0 to 3 are allowed on hypercube:3"},
    {"run scatter --dim 3 --machine ncube3 --waves ''", "--waves '' is not a wave plan; examples: '432|1', '7..3|2|1'"},
    {"run broadcast --dim 3 --duplex half --machine ncube3", "--duplex half is for one port: give --ports one"},
    {"verify t scatter --dim 3 --groups 2", "'--groups' is not an option of verify"},
    // ranges
    {"compare broadcast --dim 3 --bytes 1:8",
     "--bytes '1:8' is not a range: expected e.g. 1KiB:16MiB:x4 or 64:256:+64"},
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
    {"run all-to-all --dim 3:5:x0", "--dim '3:5:x0' is not a range: expected e.g. 4:10, 4:10:+2 or 1:100:x10"},
    {"run all-to-all --dim 0:5:x2", "is not a range"},
    {"run all-to-all --dim 3:", "--dim '' is not a whole number"},
    {"run all-to-all --dim 3,", "--dim '' is not a whole number"},
    {"run all-to-all --dim 3,x", "--dim x is not a whole number"},
    {"run all-to-all --dim 3 --packets 1:4:+0", "'1:4:+0' is not a range"},
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
    {"run permute --dim 3", "--permutation is missing: identity, rotation, inversion, reflection, bit-reversal"},
    {"run permute --dim 3 --permutation ''", "--permutation is missing"},
    {"run permute --dim 3 --permutation frobnicate", "frobnicate"},
    {"run permute --dim 3 --permutation @", "cannot read ''"},
    {"run permute --dim 3 --permutation @/", "cannot read '/': Is a directory"},
    {"run permute --dim 3 --permutation @/dev/null", "'/dev/null' is empty"},
    {"run permute --dim 3 --permutation @/dev/zero",
     "'/dev/zero' has more than 4 352 bytes, but a permutation of 8 nodes"},
    {"run permute --dim 3 --permutation xor:9", "mask 9 is not a node of hypercube:3: nodes are 0 to 7"},
    {"run scatter --dim 3 --permutation shuffle", "--permutation does not apply to scatter: permute has one"},
    {"run broadcast --dim 3 --counts poisson:2",
     "--counts does not apply to broadcast: all-to-all, all-gather, reduce-scatter, gather and scatter have"},
    {"run gather --dim 3 --counts frobnicate", "'frobnicate' is not a law of counts: expected zipf:S[:MEAN]"},
    {"run gather --dim 3 --counts 1,2,3", "the counts end after 3 numbers: gather of hypercube:3 needs 8"},
    {"run gather --dim 1 --counts 1,2 --packets 2",
     "--packets 2 cannot be combined with --counts, which says how many packets every message has"},
    {"run gather --dim 3 --counts @/dev/null", "'/dev/null' is empty"},
    {"run all-to-all --dim 1 --counts 0,1,2,0 --in-place",
     "--in-place needs as many packets from node 1 to node 0 as from 0 to 1: expected 1, got 2"},
    {"run all-to-all --dim 3 --counts poisson:2 --algorithm staircase", "all its messages have the same length"},
    {"run scatter --dim 3 --peer 4", "--peer does not apply to scatter: send and exchange have two ends"},
    {"run send --dim 3 --peer x", "--peer x is not a whole number: 0 to 7 are allowed"},
    {"run exchange --dim 3", "--peer is missing: exchange goes from --root to another node"},
    {"run exchange --dim 0 --peer 0", "needs two"},
    {"run matrix-transpose --dim 2", "--rows is missing: a matrix has --rows and --columns"},
    {"run matrix-transpose --dim 2 --rows 4", "--columns is missing"},
    {"run matrix-transpose --dim 2 --rows 0 --columns 4", "--rows 0 is too small: 1 to 1099511627776 are allowed"},
    {"run matrix-transpose --dim 2 --rows 4 --columns x", "--columns x is not a whole number"},
    {"run matrix-transpose --dim 2 --rows 4 --columns 4 --layout diagonal", "--layout: 'diagonal' is not "},
    {"run matrix-transpose --dim 2 --rows 4 --columns 4 --packets 2", "--packets does not apply to matrix-transpose"},
    {"run matrix-transpose --dim 2 --rows 4 --columns 4 --to-layout rows-striped", "--to-layout does not apply"},
    {"run scatter --dim 2 --columns 4", "--columns does not apply to scatter: the matrix- collectives have a matrix"},
    {"run scatter --dim 2 --layout submatrices", "--layout does not apply to scatter"},
    // histogram and info
    {"histogram", "--dim is missing"},
    {"histogram --dim 3", "--input is missing: a histogram counts a file's bytes, and - is standard input"},
    {"histogram --dim 3 --input ''", "--input is missing"},
    {"histogram --dim 3 --input f --bins 257", "--bins 257 is too many: there are 256 values of 8 bits"},
    {"histogram --dim 3 --input f --bins 0", "--bins 0 is too small: 1 to 65536 are allowed"},
    {"histogram --dim 3 --input f --words 12", "--words: '12' is not allowed: expected 8 or 16 bits"},
    {"histogram --dim 3 --input f --words x", "--words: 'x' is not allowed"},
    {"histogram --dim 3 --input /", "cannot read '/': Is a directory"},
    {"histogram --dim 3 --input /dev/null", "'/dev/null' is empty"},
    {"histogram --dim 3 --input f extra", "unexpected argument 'extra' for histogram"},
    {"histogram --dim 3 --input f --format markdown",
     "--format: 'markdown' is not a format of histogram: expected one of text, json, csv"},
    {"info ring:5", "unexpected argument 'ring:5' for info"},
    {"info --dim 3 --ports one", "'--ports' is not an option of info"},
    {"info --topology ''", "--topology: "},
    {"compare", "COLLECTIVE is missing"},
    {"compare all-to-all", "--dim is missing"},
    {"compare all-to-all --dim 3 --algorithm optimol", "all-to-all has no algorithm 'optimol'"},
    {"compare all-to-all --dim 3 --repeat 3", "'--repeat' is not an option of compare"},
    {"compare all-to-all --dim 3 --format yaml", "expected one of text, json, csv"},
    // options that other commands have
    {"verify - scatter --dim 3 --threads 2", "is not an option of verify"},
    {"verify - scatter --dim 3 --dry-run", "is not an option of verify"},
    {"compare scatter --dim 3 --output f", "is not an option of compare"},
    {"compare scatter --dim 3 --dry-run", "is not an option of compare"},
    {"histogram --dim 3 --bytes 8", "is not an option of histogram"},
    {"histogram --dim 3 --seed 2", "--seed needs --fault-rate P"},
    {"histogram --dim 3 --groups 2", "is not an option of histogram"},
    {"info --dim 3 --bytes 8", "is not an option of info"},
    {"info --dim 3 --tau 1", "is not an option of info"},
    {"list --ports one", "is not an option of list"},
    {"help --dim 3", "is not an option of help"},
    {"run scatter --dim 3 --bins 4", "is not an option of run"},
    {"run scatter --dim 3 --words 8", "is not an option of run"},
    // bench: values that are no number, no size, or out of range
    {"bench all-to-all --dim 3 --min-time x", "--min-time 'x' is not a number: 1e-06 to 86400 are allowed"},
    {"bench all-to-all --dim 3 --min-time 0", "--min-time '0' is too small"},
    {"bench all-to-all --dim 3 --min-time -1", "--min-time '-1' is too small"},
    {"bench all-to-all --dim 3 --min-time nan", "--min-time 'nan' is not a number"},
    {"bench all-to-all --dim 3 --min-time 1s", "--min-time '1s' is not a number"},
    {"bench all-to-all --dim 3 --min-time 1e9", "--min-time '1e9' is too large"},
    {"bench all-to-all --dim 3 --min-time ''", "--min-time '' is not a number"},
    {"bench all-to-all --dim 3 --max-time inf", "--max-time 'inf' is not a number"},
    {"bench all-to-all --dim 3 --max-time 0", "--max-time '0' is too small"},
    {"bench all-to-all --dim 3 --samples 0", "--samples 0 is too small: 1 to 1000000 are allowed"},
    {"bench all-to-all --dim 3 --samples 2.5", "--samples 2.5 is not a whole number"},
    {"bench all-to-all --dim 3 --samples many", "--samples many is not a whole number"},
    {"bench all-to-all --dim 3 --samples -3", "--samples -3 is too small"},
    {"bench all-to-all --dim 3 --rounds 0", "--rounds 0 is too small: 1 to 1000 are allowed"},
    {"bench all-to-all --dim 3 --rounds 1001", "--rounds 1001 is too large"},
    {"bench all-to-all --dim 3 --warm-up x", "--warm-up x is not a whole number"},
    {"bench all-to-all --dim 3 --check 2", "--check 2 is too large: 0 to 1 are allowed"},
    {"bench all-to-all --dim 3 --check yes", "--check yes is not a whole number"},
    {"bench all-to-all --dim 3 --bytes 0", "nothing to time: 0 bytes are moved"},
    {"bench all-to-all --dim 3 -b 8", "'-b' is not an option of bench"},
    {"bench all-to-all --dim 3 --max-slowdown 0.9 --against f", "--max-slowdown '0.9' is too small: 1 to 1000"},
    {"bench all-to-all --dim 3 --max-slowdown x", "--max-slowdown 'x' is not a number"},
    {"bench all-to-all --dim 3 --min-efficiency 1.1", "--min-efficiency '1.1' is too large: 0 to 1"},
    {"bench all-to-all --dim 3 --min-efficiency -0.1", "--min-efficiency '-0.1' is too small"},
    {"bench all-to-all --dim 3 --seed x", "--seed x is not a whole number"},
    {"bench all-to-all --dim 3 --threads 0", "--threads 0 is too small"},
    {"bench all-to-all --dim 3 --threads some", "--threads some is not a whole number"},
    {"bench all-to-all --dim 3 --threads 1,all", "--threads all is not a whole number"},
    {"bench all-to-all --dim 25", "--dim 25 is too large"},
    {"bench all-to-all --dim 3 --bytes 8:4", "--bytes"},
    {"bench all-to-all --dim 3 --pin tight", "--pin"},
    {"bench all-to-all --dim 3 --format xml",
     "--format: 'xml' is not a format of bench: expected one of text, json, csv, nccl"},
    {"bench all-to-all --dim 3 --format markdown", "text, json, csv, nccl"},
    {"bench all-to-all --dim 3 --topology ring:4", "cannot be used together"},
    // lab
    {"lab all-to-ale", "did you mean all-to-all"},
    {"lab all-to-all scatter", "unexpected argument 'scatter' for lab"},
    {"lab all-to-all --dim 3 --threads 2", "'--threads' is not an option of lab"},
    {"lab --bytes 64", "COLLECTIVE is missing"},
    {"lab --dim 3 --algorithm optimal", "COLLECTIVE is missing"},
    {"lab all-to-all --dim 3,4", "--dim 3,4 is not a whole number"},
    {"lab all-to-all --algorithm best", "all-to-all has no algorithm 'best'"},
    {"lab all-to-all --dim 3 --versus best", "all-to-all has no algorithm 'best'"},
    {"lab all-to-all --dim 3 --algorithm @mine.json", "one from a file cannot be in it"},
    {"lab broadcast --dim 3 --peer 3", "--peer does not apply to broadcast"},
    {"lab broadcast --root 16", "--root 16 is too large: 0 to 15 are allowed"},
    {"lab send", "--peer is missing"},
    {"lab scatter --dim 3 --tau 1", "needs --tau and --beta"},
    {"lab scatter --dim 3 --groups 2", "--groups is for the link-bound model"},
    {"lab scatter --dim 3 --without-link 0-3", "0-3"},
    {"lab scatter --dim 3 --fail-link 0-3@1", "0-3"},
    {"lab scatter --topology graph:/no/such/file", "there is no such file"},
    {"lab --html -", "--html - is not allowed"},
    {"lab --html ''", "--html '' is not a file's name"},
    {"lab --html a --script ./a", "--html and --script name the same file"},
    {"lab --print-request --html a", "--html and --print-request cannot be used together"},
    {"lab --print-request --module a", "--print-request and --module cannot be used together"},
    {"lab --module /no/such/file", "cannot read '/no/such/file'"},
    {"lab --module /dev/null", "'/dev/null' is empty"},
    // bench: arguments that are missing, unknown, or given twice
    {"bench", "COLLECTIVE is missing"},
    {"bench all-to-all", "--dim is missing"},
    {"bench all-to-ale --dim 3", "did you mean all-to-all"},
    {"bench all-to-all --dim 3 more", "unexpected argument 'more'"},
    {"bench all-to-all --dim 3 --repeat 3", "'--repeat' is not an option of bench"},
    {"bench all-to-all --dim 3 --input f", "is not an option of bench"},
    {"bench all-to-all --dim 3 --trace f", "is not an option of bench"},
    {"bench all-to-all --dim 3 --rounds", "--rounds needs a value"},
    {"bench all-to-all --dim 3 --output --weak", "--output needs a value, but --weak follows"},
    {"bench all-to-all --dim 3 --min-time 1 --min-time 1", "--min-time is given more than once"},
    {"bench all-to-all --dim 3 --samples 3 --samples 3", "--samples is given more than once"},
    {"bench all-to-all --dim 3 --weak=maybe", "--weak takes no value"},
    {"bench all-to-all --dim 3 --algorithm best", "all-to-all has no algorithm 'best'"},
    {"bench all-to-all --dim 3 --bytes 8,8", "a cell is asked for twice: all-to-all, hypercube:3, 8 bytes"},
    {"bench all-to-all --dim 3 --threads 1,1", "a cell is asked for twice"},
    {"bench all-to-all --topology hypercube:3,hypercube:3", "a cell is asked for twice"},
    {"bench send --dim 3", "--peer is missing"},
    {"bench matrix-transpose --dim 2", "--rows is missing"},
    {"bench all-to-all --dim 3 --groups 2", "--groups is for the link-bound model"},
    // bench: options that do not go together
    {"bench all-to-all --dim 3 --min-time 2 --max-time 1", "--max-time 1 is less than --min-time 2"},
    {"bench all-to-all --topology ring:4 --weak", "--weak adds dimensions to a hypercube"},
    {"bench all-to-all --dim 0 --weak --threads 1,2", "--weak adds dimensions to a hypercube: give --dim, 1 or more"},
    {"bench all-to-all --dim 3 --weak --threads 1,3", "--weak doubles the threads"},
    {"bench all-to-all --dim 3 --weak --threads 2,4", "must begin with 1"},
    {"bench broadcast --dim 24 --weak --threads 1,2", "make 25 dimensions: at most 24"},
    {"bench permute --dim 4 --permutation shuffle --weak", "--weak cannot be combined with permute"},
    {"bench matrix-transpose --dim 2 --rows 8 --columns 8 --weak", "--weak cannot be combined with matrix-transpose"},
    {"bench matrix-transpose --dim 2 --rows 8 --columns 8 --format nccl", "nccl-tests have no matrix-transpose"},
    {"bench all-to-all --dim 3 --min-efficiency 0.8 --threads 1", "needs several numbers of threads"},
    {"bench all-to-all --dim 3 --max-slowdown 1.1", "--max-slowdown needs something to compare with"},
    {"bench all-to-all --dim 3 --format nccl --against f", "--format nccl has no comparisons"},
    {"bench all-to-all --dim 3 --dry-run --output f", "--dry-run and --output cannot be used together"},
    {"bench all-to-all --dim 3 --dry-run --html f", "--dry-run and --html cannot be used together"},
    {"bench all-to-all --dim 3 --dry-run --against f", "--dry-run and --against cannot be used together"},
    {"bench all-to-all --dim 3 --dry-run --format nccl", "--dry-run and --format nccl cannot be used together"},
    {"bench all-to-all --dim 3 --dry-run --threads 1,2 --min-efficiency 0.5",
     "--dry-run and --min-efficiency cannot be used together"},
    {"bench all-to-all --dim 3 --output -", "--output - is not allowed"},
    {"bench all-to-all --dim 3 --html -", "--html - is not allowed"},
    {"bench all-to-all --dim 3 --output ''", "--output '' is not a file's name"},
    {"bench all-to-all --dim 3 --against ''", "--against '' is not a file's name"},
    {"bench all-to-all --dim 3 --output /tmp/x --html /tmp/../tmp/x", "--output and --html name the same file"},
    {"bench --read x.json --html ./x.json", "--html names the file './x.json', which this command reads"},
    {"bench all-to-all --dim 3 --against x.json --html x.json",
     "--html names the file 'x.json', which this command reads"},
    {"bench --read a --read b", "--read is given more than once"},
    {"bench --read b --against a --dim 3", "--read measures nothing: it cannot be combined with --dim"},
    {"bench --read b --against a --format nccl", "--format nccl has no comparisons"},
    {"bench --read b --against-program a", "--read and --against-program cannot be used together"},
    {"bench all-to-all --dim 3 --against a --against-program b",
     "--against and --against-program cannot be used together"},
    {"bench all-to-all --dim 3 --max-slowdown 1.1",
     "--max-slowdown needs something to compare with: --against FILE or --against-program PROGRAM"},
    {"bench --against a", "COLLECTIVE is missing"},
    {"bench all-to-all --read a", "--read measures nothing: it cannot be combined with a collective"},
    {"bench --read a --rounds 3", "--read measures nothing: it cannot be combined with --rounds"},
    {"bench --read ''", "--read '' is not a file's name"},
    {"bench --read a --max-slowdown 2", "--max-slowdown needs something to compare with"},
};

}  // namespace

TEST_CASE("wrong lines: each gives one clear line and exit 2", "[cli][negative][slow]")
{
    STATIC_REQUIRE(std::size(wrong_lines) >= 300);
    for (const Wrong& wrong : wrong_lines)
        check_refused(wrong.line, wrong.complaint);
}

TEST_CASE("wrong lines: a message begins with the option that was typed", "[cli][negative]")
{
    const auto message = [](const std::string& line) { return executed(line).err; };
    const TemporaryFolder folder;
    const std::string board = "view broadcast --board --html " + folder.file("board.html");
    CHECK_THAT(message("run send --dim 0 --peer 0"), Catch::StartsWith("dcube: --dim: hypercube:0 has one node"));
    CHECK_THAT(message("run send --dim=0 --peer 0"), Catch::StartsWith("dcube: --dim: hypercube:0 has one node"));
    CHECK_THAT(message("bench send --dim 0 --peer 0"), Catch::StartsWith("dcube: --dim: hypercube:0 has one node"));
    CHECK_THAT(message("run send --topology hypercube:0 --peer 0"), Catch::StartsWith("dcube: --topology: "));
    CHECK_THAT(message(board + " --dim 7"), Catch::StartsWith("dcube: --dim: hypercube:7 has 128 nodes"));
    CHECK_THAT(message(board + " --topology torus:9x9"), Catch::StartsWith("dcube: --topology: torus:9x9 has"));
    CHECK_THAT(message(board + " --dim 3 --machine ncube3"), Catch::StartsWith("dcube: --machine: a board has steps"));
    CHECK_THAT(message(board + " --dim 3 --tau 1 --beta 1"), Catch::StartsWith("dcube: --tau: a board has steps"));
    CHECK_THAT(message(board + " --dim 3 --link link-bound --machine ncube3"),
               Catch::StartsWith("dcube: --link: a board has steps"));
    CHECK_THAT(message("run broadcast --dim 3 --threads 3:2"), Catch::StartsWith("dcube: --threads '3:2' is not a"));
    CHECK_THAT(message("run broadcast --dim 3 --memory-limit x"), Catch::StartsWith("dcube: --memory-limit 'x' is"));
    CHECK_THAT(message("run all-to-all --topology moebius:3"), Catch::StartsWith("dcube: --topology: 'moebius:3'"));
}

TEST_CASE("wrong lines: every option refuses no value, another option as its value, and a second one",
          "[cli][negative][long]")
{
    REQUIRE(commands_of_dcube().size() == 16);
    CHECK(options_of("run").size() > 40);
    const auto first = [](const std::string& command) { return command == "verify" ? "verify -" : command; };
    for (const std::string& command : commands_of_dcube())
        for (const HelpedOption& option : options_of(command)) {
            const std::string line = fmt::format("{} {}", first(command), option.name);
            check_refused(fmt::format("{} --no-{}", first(command), option.name.substr(2)),
                          fmt::format("is not an option of {}", command));
            if (!option.takes_value) {
                check_refused(line + "=maybe", fmt::format("{} takes no value", option.name));
                check_refused(fmt::format("{} {}", line, option.name), "is given more than once: once is allowed");
                continue;
            }
            check_refused(line, fmt::format("{} needs a value", option.name));
            check_refused(line + " --help-me", fmt::format("{} needs a value, but --help-me follows", option.name));
            if (!option.repeatable)
                check_refused(fmt::format("{} x {} x", line, option.name),
                              fmt::format("{} is given more than once: once is allowed", option.name));
        }
}

TEST_CASE("wrong lines: a text is no number and no name", "[cli][negative][long]")
{
    for (const std::string command : {"run all-to-all", "compare all-to-all", "verify - all-to-all", "bench all-to-all",
                                      "view all-to-all", "export goal all-to-all", "histogram", "info", "list"}) {
        CAPTURE(command);
        const std::vector<HelpedOption> options = options_of(command.substr(0, command.find(' ')));
        CHECK_FALSE(options.empty());
        for (const HelpedOption& option : options) {
            constexpr std::string_view any_text[] = {
                "--input", "--output",  "--trace",           "--algorithm", "--permutation", "--plan-cache", "--html",
                "--svg",   "--against", "--against-program", "--read",      "--versus",      "--drawing",    "--faults",
                "--root",  "--peer",    "--waves",           "--link-file", "--counts"};
            if (option.takes_value && std::ranges::find(any_text, option.name) == std::end(any_text))
                check_refused(fmt::format("{} {} x", command, option.name), " is not ");
        }
    }
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
        const Outcome outcome = executed(line);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.err.size() < 1000);
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
    }
}

TEST_CASE("wrong lines: a complaint stays one line whatever is in the argument", "[cli][negative]")
{
    const Outcome outcome = dcube_program({"run", "all-to-all\nand more\r\033[31m", "--dim", "3"});
    CHECK(outcome.exit_code == 2);
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    CHECK(outcome.err.find('\033') == std::string::npos);
}

TEST_CASE("wrong lines: an algorithm for all ports is refused on a machine with one", "[cli][negative]")
{
    std::size_t refused = 0;
    for (const dcube::Entry& algorithm : dcube::catalogue()) {
        if (algorithm.ports != dcube::PortModel::all || algorithm.link != dcube::LinkKind::unit)
            continue;
        const dcube::Collective collective = algorithm.collective;
        const std::string needed = has_peer(collective)          ? " --peer 5"
                                   : has_permutation(collective) ? " --permutation inversion"
                                   : is_matrix(collective)       ? " --rows 16 --columns 16"
                                                                 : "";
        check_refused(
            fmt::format("run {} --dim 3 --ports one --algorithm {}{}", name(collective), algorithm.name, needed),
            "uses all ports of a node at once");
        ++refused;
    }
    CHECK(refused > 10);
}

TEST_CASE("wrong lines: standard output that cannot be written is an error", "[cli][negative]")
{
    const Outcome outcome = dcube_line("list", {.out_file = "/dev/full"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err == "dcube: cannot write to standard output\n");
}
