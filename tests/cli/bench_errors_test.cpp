// What dcube bench refuses: exit 2, one line, nothing written.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

using namespace dcube::test;

namespace {

struct Refused {
    const char* line;  ///< after "bench "
    const char* complaint;
};

void check_all_refused(const std::vector<Refused>& all)
{
    for (const Refused& one : all) {
        CAPTURE(one.line);
        check_refused(std::string("bench ") + one.line, one.complaint);
    }
}

}  // namespace

TEST_CASE("bench refuses: what is no number, no size, or out of range", "[cli][bench][negative]")
{
    check_all_refused({
        {"all-to-all --dim 3 --min-time x", "--min-time 'x' is not a number: 1e-06 to 86400 are allowed"},
        {"all-to-all --dim 3 --min-time 0", "--min-time '0' is too small"},
        {"all-to-all --dim 3 --min-time -1", "--min-time '-1' is too small"},
        {"all-to-all --dim 3 --min-time nan", "--min-time 'nan' is not a number"},
        {"all-to-all --dim 3 --min-time 1s", "--min-time '1s' is not a number"},
        {"all-to-all --dim 3 --min-time 1e9", "--min-time '1e9' is too large"},
        {"all-to-all --dim 3 --min-time ''", "--min-time '' is not a number"},
        {"all-to-all --dim 3 --max-time inf", "--max-time 'inf' is not a number"},
        {"all-to-all --dim 3 --max-time 0", "--max-time '0' is too small"},
        {"all-to-all --dim 3 --samples 0", "--samples 0 is too small: 1 to 1000000 are allowed"},
        {"all-to-all --dim 3 --samples 2.5", "--samples 2.5 is not a whole number"},
        {"all-to-all --dim 3 -n many", "--samples many is not a whole number"},
        {"all-to-all --dim 3 --iterations -3", "--samples -3 is too small"},
        {"all-to-all --dim 3 --rounds 0", "--rounds 0 is too small: 1 to 1000 are allowed"},
        {"all-to-all --dim 3 --rounds 1001", "--rounds 1001 is too large"},
        {"all-to-all --dim 3 --warm-up x", "--warm-up x is not a whole number"},
        {"all-to-all --dim 3 -c 2", "--check 2 is too large: 0 to 1 are allowed"},
        {"all-to-all --dim 3 --check yes", "--check yes is not a whole number"},
        {"all-to-all --dim 3 -b 0", "--begin"},
        {"all-to-all --dim 3 -b 8Q", "--begin"},
        {"all-to-all --dim 3 -b 8 -e x", "--end"},
        {"all-to-all --dim 3 -b 8 -e 64 -f 1", "--factor 1 is too small"},
        {"all-to-all --dim 3 -b 8 -e 64 -f x", "--factor x is not a whole number"},
        {"all-to-all --dim 3 --max-slowdown 0.9 --against f", "--max-slowdown '0.9' is too small: 1 to 1000"},
        {"all-to-all --dim 3 --max-slowdown x", "--max-slowdown 'x' is not a number"},
        {"all-to-all --dim 3 --min-efficiency 1.1", "--min-efficiency '1.1' is too large: 0 to 1"},
        {"all-to-all --dim 3 --min-efficiency -0.1", "--min-efficiency '-0.1' is too small"},
        {"all-to-all --dim 3 --seed x", "--seed x is not a whole number"},
        {"all-to-all --dim 3 --threads 0", "--threads 0 is too small"},
        {"all-to-all --dim 3 --threads some", "--threads some is not a whole number"},
        {"all-to-all --dim 3 --threads 1,all", "--threads all is not a whole number"},
        {"all-to-all --dim 25", "--dim 25 is too large"},
        {"all-to-all --dim 3 --bytes 8:4", "--bytes"},
        {"all-to-all --dim 3 --pin tight", "--pin"},
        {"all-to-all --dim 3 --format xml",
         "--format 'xml' is not possible here: expected one of text, json, csv, nccl"},
        {"all-to-all --dim 3 --format markdown", "text, json, csv, nccl"},
        {"all-to-all --dim 3 --topology ring:4", "cannot be used together"},
    });
}

TEST_CASE("bench refuses: what is missing, unknown, or given twice", "[cli][bench][negative]")
{
    check_all_refused({
        {"", "a collective is missing"},
        {"all-to-all", "--dim is missing"},
        {"all-to-ale --dim 3", "did you mean all-to-all"},
        {"all-to-all --dim 3 more", "unexpected argument 'more'"},
        {"all-to-all --dim 3 --repeat 3", "'--repeat' is not an option of bench"},
        {"all-to-all --dim 3 --input f", "is not an option of bench"},
        {"all-to-all --dim 3 --trace f", "is not an option of bench"},
        {"all-to-all --dim 3 --rounds", "--rounds needs a value"},
        {"all-to-all --dim 3 --output --weak", "--output needs a value, but --weak follows"},
        {"all-to-all --dim 3 --min-time 1 --min-time 1", "--min-time is given more than once"},
        {"all-to-all --dim 3 -n 3 --samples 3", "--samples is given more than once"},
        {"all-to-all --dim 3 --weak=maybe", "--weak takes no value"},
        {"all-to-all --dim 3 --algorithm best", "all-to-all has no algorithm 'best'"},
        {"all-to-all --dim 3 --bytes 8,8", "a cell is asked for twice: all-to-all, hypercube:3, 8 bytes"},
        {"all-to-all --dim 3 --threads 1,1", "a cell is asked for twice"},
        {"all-to-all --topology hypercube:3,hypercube:3", "a cell is asked for twice"},
        {"send --dim 3", "--to is missing"},
        {"matrix-transpose --dim 2", "--rows and --cols are missing"},
        {"all-to-all --dim 3 --groups 2", "--groups is for the link-bound model"},
    });
}

TEST_CASE("bench refuses: options that do not go together", "[cli][bench][negative]")
{
    check_all_refused({
        {"all-to-all --dim 3 -e 64", "--end needs --begin"},
        {"all-to-all --dim 3 -b 8 -f 2", "--factor needs --begin and --end"},
        {"all-to-all --dim 3 -b 8 --bytes 8", "--begin and --bytes cannot be used together"},
        {"all-to-all --dim 3 -b 64 -e 8", "it ends before it begins"},
        {"all-to-all --dim 3 --min-time 2 --max-time 1", "--max-time 1 is less than --min-time 2"},
        {"all-to-all --topology ring:4 --weak", "--weak adds dimensions to a hypercube"},
        {"all-to-all --dim 0 --weak --threads 1,2", "--weak adds dimensions to a hypercube: give --dim, 1 or more"},
        {"all-to-all --dim 3 --weak --threads 1,3", "--weak doubles the threads"},
        {"all-to-all --dim 3 --weak --threads 2,4", "must begin with 1"},
        {"broadcast --dim 24 --weak --threads 1,2", "make 25 dimensions: at most 24"},
        {"permute --dim 4 --permutation shuffle --weak", "--weak cannot be combined with permute"},
        {"matrix-transpose --dim 2 --rows 8 --cols 8 --weak", "--weak cannot be combined with matrix-transpose"},
        {"matrix-transpose --dim 2 --rows 8 --cols 8 --format nccl", "nccl-tests have no matrix-transpose"},
        {"all-to-all --dim 3 --min-efficiency 0.8 --threads 1", "needs several numbers of threads"},
        {"all-to-all --dim 3 --max-slowdown 1.1", "--max-slowdown needs something to compare with"},
        {"all-to-all --dim 3 --format nccl --against f", "--format nccl has no comparisons"},
        {"all-to-all --dim 3 --dry-run --output f", "--dry-run measures nothing: it cannot be combined with --output"},
        {"all-to-all --dim 3 --dry-run --html f", "it cannot be combined with --html"},
        {"all-to-all --dim 3 --dry-run --against f", "it cannot be combined with --against"},
        {"all-to-all --dim 3 --dry-run --format nccl", "it cannot be combined with --format nccl"},
        {"all-to-all --dim 3 --dry-run --threads 1,2 --min-efficiency 0.5", "combined with --min-efficiency"},
        {"all-to-all --dim 3 --output -", "--output - is not allowed"},
        {"all-to-all --dim 3 --html -", "--html - is not allowed"},
        {"all-to-all --dim 3 --output ''", "--output '' is not a file's name"},
        {"all-to-all --dim 3 --against ''", "--against '' is not a file's name"},
        {"all-to-all --dim 3 --output /tmp/x --html /tmp/../tmp/x", "--html names the same file as another option"},
        {"--read x.json --html ./x.json", "--html names the same file as another option"},
        {"all-to-all --dim 3 --against x.json --html x.json", "--html names the same file as another option"},
        {"--compare old.json", "--compare needs two files: OLD NEW"},
        {"--compare a b --read c", "--compare and --read cannot be combined"},
        {"--compare a b --dim 3", "--compare measures nothing: it cannot be combined with --dim"},
        {"--compare a b --format nccl", "--format nccl has no comparisons"},
        {"--compare a b --html f", "--html shows one benchmark"},
        {"--read a --against b", "--read measures nothing: it cannot be combined with --against"},
        {"all-to-all --read a", "--read measures nothing: it cannot be combined with a collective"},
        {"--read a --rounds 3", "--read measures nothing: it cannot be combined with --rounds"},
        {"--read ''", "--read '' is not a file's name"},
        {"--read a --max-slowdown 2", "--max-slowdown needs something to compare with"},
    });
}

TEST_CASE("bench refuses: files that cannot be read or written, before anything is measured", "[cli][bench][negative]")
{
    const TemporaryFolder folder;
    write_text(folder.file("not.json"), "{\"kind\": \"limits\"}");
    check_refused("bench --read " + folder.file("none"), "none");
    check_refused("bench --compare " + folder.file("not.json") + " " + folder.file("none"), "its kind is 'limits'");
    check_refused("bench all-to-all --dim 2 --against " + folder.file("none"), "none");
    const std::string nowhere = folder.file("no/where");
    for (const char* const option : {"--output", "--html"})
        check_refused(fmt::format("bench all-to-all --dim 2 {} {}", option, nowhere), "no/where");
    check_refused(fmt::format("bench all-to-all --dim 2 --output {} --against {}", folder.file("new"), nowhere),
                  "no/where");
    CHECK(folder.names() == std::vector<std::string>{"not.json"});
}

TEST_CASE("bench refuses: a sweep of which nothing can be done, with the first reason", "[cli][bench][negative]")
{
    check_refused("bench all-to-all --dim 3 --algorithm ring-exchange", "ring-exchange");
    check_refused("bench all-to-all --dim 3 --algorithm x,y", "'x'");
    check_refused("bench all-to-all --dim 3 --algorithm x --dry-run", "'x'");
}

TEST_CASE("bench refuses: an algorithm that the collective does not have, in any list", "[cli][bench][negative]")
{
    check_refused("bench all-to-all --dim 3 --algorithm optimal,nosuch", "all-to-all has no algorithm 'nosuch'");
    check_refused("bench all-to-all --dim 3 --algorithm optimal,", "all-to-all has no algorithm ''");
    check_refused("bench all-to-all --dim 3 --algorithm optimal,unit:nosuch --dry-run",
                  "has no algorithm 'unit:nosuch'");
    check_refused("bench all-to-all --dim 3 --algorithm optimal,Optimal", "a cell is asked for twice");
    check_refused("run all-to-all --dim 3 --algorithm optimal,nosuch", "all-to-all has no algorithm 'nosuch'");
}
