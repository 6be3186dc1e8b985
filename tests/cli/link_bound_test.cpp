// Link-bound machines, comparisons, histograms and matrix files, as a user sees them.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <dcube/catalogue.hpp>

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

ordered_json json_of(const std::string& line)
{
    const Outcome outcome = dcube_line(line + " --format json");
    CAPTURE(line, outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return ordered_json::parse(outcome.out);
}

// Rows of whole numbers, one byte each.
std::string matrix(std::size_t rows, std::size_t columns)
{
    std::string bytes;
    for (std::size_t at = 0; at < rows * columns; ++at)
        bytes += static_cast<char>(at * 7 % 251);
    return bytes;
}

std::string transposed(const std::string& bytes, std::size_t rows, std::size_t columns)
{
    std::string other;
    for (std::size_t column = 0; column < columns; ++column)
        for (std::size_t row = 0; row < rows; ++row)
            other += bytes[row * columns + column];
    return other;
}

std::string npy(const std::string& dictionary, const std::string& data)
{
    std::string header = "\x93NUMPY";
    header += '\x01';
    header += '\x00';
    header += static_cast<char>(dictionary.size());
    header += '\x00';
    return header + dictionary + data;
}

void check_refused(const std::string& line, const std::string& complaint)
{
    CAPTURE(line);
    const Outcome outcome = dcube_line(line);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    CHECK_THAT(outcome.err, Catch::Contains(complaint));
}

}  // namespace

TEST_CASE("link-bound: a report has measured, predicted and least time", "[cli]")
{
    const ordered_json report =
        json_of("run broadcast --dim 4 --bytes 192 --tau 3 --beta 100 --groups 2 --algorithm B4");
    CHECK(report["link_model"] == "link-bound");
    CHECK(report["tau_ns_per_byte"] == 3);
    CHECK(report["virtual_time_ns"] == 860);
    CHECK(report["predicted_time_ns"] == 860);
    CHECK(report["time_lower_bound_ns"] == 412);
    CHECK(report["clock"] == "data-driven");
    CHECK(report["steps_lower_bound"].is_null());
    CHECK(json_of("run broadcast --dim 1 --bytes 1 --tau 5/2 --beta 0.25")["virtual_time_ns"] == "11/4");
    CHECK(json_of("run broadcast --dim 2 --bytes 10 --machine ncube2")["tau_ns_per_byte"] == "10000/17");
    CHECK(json_of("run broadcast --dim 2 --bytes 10 --machine ncube2 --beta 5")["beta_ns"] == 5);
    CHECK(json_of("run broadcast --dim 2 --bytes 10 --tau 1 --beta 5 --clock lockstep")["clock"] == "lockstep");
    const Outcome text = dcube_line("run broadcast --dim 4 --bytes 192 --tau 3 --beta 100 --groups 2 --algorithm B4");
    CHECK_THAT(text.out, Catch::Contains("860 ns (8.6 beta), as predicted"));
    CHECK_THAT(text.out, Catch::Contains("412 ns, 2.087 times the bound"));
}

TEST_CASE("link-bound: algorithms of the unit model run there too", "[cli]")
{
    // N/2 steps of one packet each, one after the other on every link.
    const ordered_json report = json_of("run all-to-all --dim 4 --bytes 10 --tau 2 --beta 30 --algorithm optimal");
    CHECK(report["virtual_time_ns"] == 8 * (2 * 10 + 30));
    CHECK(report["predicted_time_ns"].is_null());
    CHECK(
        json_of(
            "run broadcast --dim 4 --bytes 10 --tau 2 --beta 30 --algorithm unit:pipelined-trees")["virtual_time_ns"] ==
        4 * (2 * 10 + 30));
}

TEST_CASE("link-bound: what cannot be meant is refused in one line", "[cli][negative]")
{
    const TemporaryFolder folder;
    write_text(folder.file("twice"), "0 1 2 2\n");
    write_text(folder.file("short"), "0 1 2 # 3\n");
    check_refused("run broadcast --dim 3 --tau -1 --beta 2", "--tau '-1' is not possible");
    check_refused("run broadcast --dim 3 --tau 1/0 --beta 2", "--tau '1/0' is not possible");
    check_refused("run broadcast --dim 3 --tau 1 --beta -2", "--beta '-2' is not possible");
    check_refused("run broadcast --dim 3 --tau 1", "needs --tau and --beta");
    check_refused("run broadcast --dim 3 --link link-bound", "needs --tau and --beta");
    check_refused("run broadcast --dim 3 --link unit --beta 1",
                  "--beta is for the link-bound model: it cannot be combined with --link unit");
    check_refused("run broadcast --dim 3 --clock lockstep",
                  "--clock is for the link-bound model: --tau and --beta, or --machine");
    check_refused("run broadcast --dim 3 --machine cray", "'cray' is not a machine: allowed are ncube1, ncube2");
    check_refused("run broadcast --dim 3 --tau 1 --beta 1 --ports one",
                  "--ports one cannot be combined with the link-bound model");
    check_refused("run broadcast --dim 3 --tau 1 --beta 1 --groups 0", "--groups 0 is too small");
    check_refused("run scatter --dim 4 --tau 1 --beta 1 --waves 43|1 --algorithm waves", "not a wave plan");
    check_refused("run all-reduce --dim 3 --tau 1 --beta 1 --halvings 4", "--halvings 4 is too large");
    check_refused("run broadcast --dim 3 --bytes 1G --tau 9000000000000000000 --beta 1", "does not fit in 64 bits");
    check_refused("run send --dim 3 --tau 1 --beta 1", "--to is missing");
    check_refused("run send --dim 3 --to 0 --tau 1 --beta 1", "both node 0");
    check_refused("run send --dim 3 --to 8 --tau 1 --beta 1", "--to 8 is too large");
    check_refused("run permute --dim 2 --tau 1 --beta 1", "--permutation is missing");
    check_refused("run permute --dim 2 --permutation cycle --tau 1 --beta 1", "cycle");
    check_refused("run permute --dim 3 --permutation transpose --tau 1 --beta 1", "transpose");
    check_refused("run permute --dim 2 --permutation @" + folder.file("twice") + " --tau 1 --beta 1", "twice");
    check_refused("run permute --dim 2 --permutation @" + folder.file("short") + " --tau 1 --beta 1", "3");
    check_refused("run permute --dim 2 --permutation @" + folder.file("none") + " --tau 1 --beta 1", "cannot read");
    check_refused("run matrix-transpose --dim 2 --tau 1 --beta 1", "--rows and --cols are missing");
    check_refused("run matrix-transpose --dim 2 --rows 6 --cols 8 --tau 1 --beta 1", "a multiple of 4 rows");
    check_refused("run matrix-transpose --dim 3 --rows 8 --cols 8 --layout submatrices --tau 1 --beta 1", "even");
    check_refused("run matrix-transpose --dim 2 --rows 8 --cols 8 --bytes 4 --tau 1 --beta 1",
                  "--bytes does not apply");
    check_refused("run broadcast --dim 2 --rows 8 --tau 1 --beta 1", "--rows does not apply to broadcast");
    check_refused("run matrix-relayout --dim 2 --rows 8 --cols 8 --layout submatrices --tau 1 --beta 1", "submatrices");
}

TEST_CASE("link-bound: tuning without links that take time is refused, not ignored", "[cli][negative]")
{
    check_refused("run broadcast --dim 3 --groups 2", "--groups is for the link-bound model");
    check_refused("run send --dim 3 --to 5 --detour-groups 2", "--detour-groups is for the link-bound model");
    check_refused("run scatter --dim 3 --waves 3|2|1", "--waves is for the link-bound model");
    check_refused("compare all-reduce --dim 3 --halvings 1", "--halvings is for the link-bound model");
    check_refused("run scatter --dim 3 --tau 1 --beta 1 --waves ''",
                  "--waves '' is not a wave plan; examples: 432|1, 7..3|2|1");
    check_refused("run broadcast --dim 3 --tau 1 --beta 1 --groups 2147483649", "1 to 2147483648 are allowed");
}

TEST_CASE("link-bound: machines name their source, and reports name the machine", "[cli]")
{
    const std::string machines = dcube_line("list machines").out;
    CHECK_THAT(machines, Catch::Contains("ipsc860: tau 1000/3 ns, beta 65000 ns\n    J. Dongarra and T. Dunigan"));
    CHECK_THAT(machines, Catch::Contains("T. Dunigan's reports on the iPSC/1"));
    CHECK(ordered_json::parse(dcube_line("list machines --format json").out)[4]["tau_ns_per_byte"] == "1000/3");
    CHECK(lines_of(dcube_line("list machines --format csv").out).size() == 6);
    CHECK(lines_of(dcube_line("list machines --format markdown").out).size() == 7);
    for (const char* const command : {"run", "verify", "compare", "histogram"})
        CHECK(dcube_line(fmt::format("{} --help", command)).out.find("Dongarra") == std::string::npos);
    CHECK_THAT(dcube_line("run broadcast --dim 2 --machine ncube1").out, Catch::Contains("ncube1: tau 2 500 ns"));
    CHECK(dcube_line("run broadcast --dim 2 --machine ncube1 --beta 7").out.find("ncube1") == std::string::npos);
}

TEST_CASE("link-bound: a forecast has the time of the run, and no figure that it cannot know", "[cli]")
{
    const std::string line = "run broadcast --dim 4 --bytes 192 --tau 3 --beta 100 --algorithm ";
    const std::string in_groups = line + "B4 --groups 2";
    const ordered_json pipelined = json_of(in_groups + " --dry-run");
    CHECK(pipelined["predicted_time_ns"] == json_of(in_groups)["virtual_time_ns"]);
    CHECK(pipelined["transmissions"] == json_of(in_groups)["transmissions"]);
    CHECK(pipelined["steps_lower_bound"].is_null());
    CHECK(pipelined["link_bytes"].is_null());
    CHECK(pipelined["predicted_seconds"].is_null());
    const std::string text = dcube_line(in_groups + " --dry-run").out;
    CHECK_THAT(text, Catch::Contains("860 ns (8.6 beta)"));
    CHECK(text.find("link bytes") == std::string::npos);

    // Packets of the unit model's algorithms are as large as was said.
    const ordered_json foreign = json_of(line + "unit:pipelined-trees --dry-run");
    CHECK(foreign["predicted_time_ns"].is_null());
    CHECK(foreign["link_bytes"] == 15 * 192);
    CHECK(foreign["predicted_seconds"].get<double>() > 0);
}

TEST_CASE("link-bound: records of a matrix have its sides, and no bytes of a packet", "[cli]")
{
    for (const char* const line : {"run matrix-transpose --dim 2 --rows 8 --cols 4 --tau 1 --beta 5 --dry-run",
                                   "compare matrix-transpose --dim 2 --rows 8 --cols 4 --tau 1 --beta 5"}) {
        const ordered_json record = json_of(line);
        CHECK(record["rows"] == 8);
        CHECK(record["columns"] == 4);
        CHECK(record["layout"] == "rows-blocked");
        CHECK(record["clock"] == "data-driven");
        CHECK(record["packets"].is_null());
    }
    const ordered_json compared = json_of("compare matrix-transpose --dim 2 --rows 8 --cols 4 --tau 1 --beta 5");
    CHECK(compared["algorithms"].front()["bytes"].is_null());
    CHECK(json_of("run broadcast --dim 2 --bytes 9 --dry-run")["bytes"] == 9);
}

TEST_CASE("link-bound: a random permutation may have a seed when the data are given", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("in"), "abcdefgh");
    const auto permuted = [&](const std::string& seed) {
        const Outcome outcome =
            dcube_line("run permute --dim 3 --permutation random --seed " + seed +
                       " --bytes 1 --tau 1 --beta 5 --input " + folder.file("in") + " --output " + folder.file("out"));
        CAPTURE(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        return read_text(folder.file("out"));
    };
    CHECK(permuted("3") == permuted("3"));
    CHECK(permuted("3") != permuted("4"));
    check_refused("run permute --dim 3 --permutation shuffle --seed 3 --bytes 1 --tau 1 --beta 5 --input " +
                      folder.file("in"),
                  "--seed cannot be combined with --input");
}

TEST_CASE("link-bound: one node has nothing to do, and does it, by any algorithm", "[cli]")
{
    for (const char* const problem :
         {"broadcast", "reduce", "scatter", "gather", "all-gather", "reduce-scatter", "all-reduce", "all-to-all",
          "permute --permutation identity", "matrix-transpose --rows 2 --cols 3",
          "matrix-transpose --rows 2 --cols 3 --layout submatrices",
          "matrix-quarter-turn --rows 2 --cols 3 --layout submatrices",
          "matrix-quarter-turn --rows 2 --cols 3 --layout submatrices-gray", "matrix-half-turn --rows 2 --cols 3",
          "matrix-relayout --rows 2 --cols 3"}) {
        const ordered_json compared = json_of(std::string("compare ") + problem + " --dim 0 --tau 1 --beta 9");
        for (const ordered_json& row : compared["algorithms"]) {
            CAPTURE(problem, row["algorithm"]);
            CHECK(row["virtual_time_ns"] == 0);
        }
    }
    check_refused("run matrix-transpose --dim 6 --rows 8 --cols 8 --layout submatrices --tau 1 --beta 9 --groups 2",
                  "3 or more packets");
    check_refused("run matrix-quarter-turn --dim 6 --rows 8 --cols 8 --layout submatrices-gray --tau 1 --beta 9 "
                  "--groups 1",
                  "2 or more packets");
}

TEST_CASE("link-bound: a time that overflows in the run ends it", "[cli][negative]")
{
    const Outcome outcome =
        dcube_line("run all-to-all --dim 5 --bytes 8 --tau 1 --beta 1500000000000000000 --algorithm "
                   "unit:optimal");  // the lower bound of 5 beta still fits
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.err, Catch::Contains("time-overflow in step "));
}

TEST_CASE("compare: every algorithm, the best first", "[cli]")
{
    const ordered_json compared = json_of("compare broadcast --dim 4 --bytes 192 --tau 3 --beta 100");
    std::set<std::string> names;
    double before = 0;
    for (const ordered_json& row : compared["algorithms"]) {
        names.insert(row["algorithm"]);
        CHECK(row["virtual_time_ns"].get<double>() >= before);
        before = row["virtual_time_ns"];
        CHECK(row["ratio_to_bound"].get<double>() == before / 412);
        CHECK(row["virtual_time_beta"].get<double>() == before / 100);
    }
    for (const char* const name :
         {"recursive-doubling", "rotated", "wave", "two-waves", "pipelined", "pipelined-pruned", "edge-disjoint-trees",
          "scatter-all-gather", "unit:pipelined-trees"})
        CHECK(names.contains(name));
    CHECK(compared["algorithms"].back()["virtual_time_ns"] == 2704);
    CHECK(compared["best"].size() == 1);

    const std::string text = dcube_line("compare broadcast --dim 4 --bytes 192 --tau 3 --beta 100").out;
    for (const std::string& line : lines_of(text))
        CHECK(line.size() <= 80);
    CHECK_THAT(text, Catch::Contains("recursive-doubling            2 704"));
    const std::vector<std::string> csv =
        lines_of(dcube_line("compare broadcast --dim 4 --bytes 192 --tau 3 --beta 100 --format csv").out);
    CHECK(csv.size() == compared["algorithms"].size() + 1);
    CHECK(csv[0].starts_with("schema,collective,algorithm,paper,"));
}

TEST_CASE("compare: several sizes have crossovers", "[cli]")
{
    const ordered_json compared = json_of("compare send --dim 5 --to 3 --bytes 4:256KiB:x8 --tau 1 --beta 100");
    std::set<std::size_t> sizes;
    for (const ordered_json& row : compared["algorithms"])
        sizes.insert(row["bytes"].get<std::size_t>());
    CHECK(sizes == std::set<std::size_t>{4, 32, 256, 2048, 16384, 131072});
    const ordered_json& best = compared["best"];
    CHECK(best.size() >= 2);
    CHECK(best.front()["from_bytes"] == 4);
    CHECK(best.back()["to_bytes"] == 131072);
    const std::string text = dcube_line("compare send --dim 5 --to 3 --bytes 4:256KiB:x8 --tau 1 --beta 100").out;
    CHECK_THAT(text, Catch::Contains("is best at 4 bytes"));
    check_refused("compare send --dim 5 --to 3 --bytes 4:2:x8 --tau 1 --beta 100", "it ends before it begins");
    check_refused("compare send --dim 5 --to 3 --bytes 4:20:8 --tau 1 --beta 100",
                  "is not a range: 1KiB:16MiB:x4 and 64:256:+64 are");
    check_refused("compare send --dim 5 --to 3 --bytes 4:20:x1 --tau 1 --beta 100",
                  "is not a range: 1KiB:16MiB:x4 and 64:256:+64 are");
}

TEST_CASE("link-bound: a choice that the algorithm does not have is refused", "[cli][negative]")
{
    const std::string line = "run broadcast --dim 3 --bytes 96 --tau 1 --beta 5 ";
    check_refused(line + "--algorithm rotated --groups 2", "rotated has no groups to choose");
    check_refused(line + "--algorithm rotated --groups 2 --dry-run", "rotated has no groups to choose");
    check_refused(line + "--algorithm pipelined --halvings 1", "pipelined has no halvings to choose");
    check_refused(line + "--algorithm pipelined --waves 3|2|1", "pipelined has no wave plan to choose");
    check_refused("run send --to 7 --dim 3 --bytes 96 --tau 1 --beta 5 --algorithm subcube --detour-groups 2",
                  "subcube has no groups on detours to choose");
    check_refused("run all-gather --dim 3 --bytes 96 --tau 1 --beta 5 --groups 2",
                  "rotated, which is taken here, has no groups to choose");
    for (const dcube::Algorithm& algorithm : dcube::catalogue())
        CHECK(dcube::ignored_choice(algorithm, {}).empty());
}

TEST_CASE("compare: what one size has no memory for is left out there", "[cli]")
{
    // 8 bytes, and 1 TiB.
    const std::string line = "compare broadcast --dim 4 --bytes 8:1TiB:x137438953472 --tau 1 --beta 5";
    const ordered_json compared = json_of(line);
    REQUIRE(!compared["algorithms"].empty());
    std::size_t best = 0;
    for (const ordered_json& row : compared["algorithms"]) {
        CHECK(row["bytes"] == 8);
        best += row["best"] == true;
    }
    CHECK(best == 1);
    CHECK(compared["left_out"].size() == compared["algorithms"].size());
    for (const ordered_json& one : compared["left_out"]) {
        CHECK(one["from_bytes"] == std::size_t{1} << 40);
        CHECK_THAT(one["reason"].get<std::string>(), Catch::Contains(" TiB) of memory"));
    }
    const Outcome text = dcube_line(line);
    CHECK(text.exit_code == 0);
    CHECK_THAT(text.err, Catch::Contains("rotated on hypercube:4 at 1 TiB"));
    check_refused("compare broadcast --dim 4 --bytes 1TiB --tau 1 --beta 5", "no algorithm can do this");
}

TEST_CASE("compare: the unit model has steps", "[cli]")
{
    const ordered_json compared = json_of("compare all-to-all --dim 4 --bytes 8");
    CHECK(compared["algorithms"].front()["steps"] == 8);
    CHECK(compared["algorithms"].front()["virtual_time_ns"].is_null());
    CHECK_THAT(dcube_line("compare all-to-all --dim 4 --bytes 8").out, Catch::Contains("dimension-exchange"));
    const std::string sizes = dcube_line("compare all-to-all --dim 4 --bytes 8:32:x4").out;
    CHECK_THAT(sizes, Catch::Contains("steps  lower bound  ratio") && Catch::Contains("8            8  1.000"));
    CHECK_THAT(sizes, Catch::Contains("is best at 8 bytes to 32 bytes"));
}

TEST_CASE("histogram: as a plain count finds it", "[cli]")
{
    const TemporaryFolder folder;
    std::string bytes;
    std::vector<std::uint64_t> expected(10);
    for (unsigned at = 0; at < 5001; ++at) {
        const unsigned value = at * at % 256;
        bytes += static_cast<char>(value);
        ++expected[value * 10 / 256];
    }
    write_text(folder.file("data"), bytes);
    for (const char* const links : {"", " --tau 1 --beta 10", " --ports one"}) {
        const ordered_json json = json_of("histogram --dim 3 --bins 10 --input " + folder.file("data") + links);
        CHECK(json["counts"].get<std::vector<std::uint64_t>>() == expected);
        CHECK(json["values"] == 5001);
        CHECK(json["report"]["collective"] == "reduce-scatter");
    }
    const std::vector<std::string> csv =
        lines_of(dcube_line("histogram --dim 3 --bins 10 --format csv --input " + folder.file("data")).out);
    REQUIRE(csv.size() == 11);
    CHECK(csv[1] == fmt::format("0,0,25,{}", expected[0]));
    CHECK_THAT(dcube_line("histogram --dim 3 --bins 10 --input " + folder.file("data")).out,
               Catch::Contains("equal to a plain count"));
}

TEST_CASE("histogram: words of 16 bits are little endian", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("data"), std::string("\x00\x80\x01\x00\xff\xff", 6));
    const ordered_json json = json_of("histogram --dim 2 --bins 4 --words 16 --input " + folder.file("data"));
    CHECK(json["counts"] == ordered_json({1, 0, 1, 1}));
    write_text(folder.file("odd"), "abc");
    check_refused("histogram --dim 2 --words 16 --input " + folder.file("odd"), "a multiple of 2");
    check_refused("histogram --dim 2 --words 12 --input " + folder.file("odd"), "8 and 16 bits");
    check_refused("histogram --dim 2 --bins 0 --input " + folder.file("odd"), "--bins 0 is too small");
    check_refused("histogram --dim 2 --bins 65537 --input " + folder.file("odd"), "--bins 65537 is too large");
    check_refused("histogram --dim 2", "--input is missing");
    check_refused("histogram --dim 2 --input " + folder.file("none"), "cannot read");
}

TEST_CASE("matrices: a raw file is transposed", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("a"), matrix(16, 8));
    for (const std::string layout : {"rows", "rows-striped", "rows-blocked-gray", "submatrices", "submatrices-gray"}) {
        const std::string dim = layout.starts_with("rows") ? "3" : "2";
        const Outcome outcome =
            dcube_line("run matrix-transpose --dim " + dim + " --rows 16 --cols 8 --layout " + layout +
                       " --tau 1 --beta 5 --input " + folder.file("a") + " --output " + folder.file("b"));
        CAPTURE(layout, outcome.err);
        REQUIRE(outcome.exit_code == 0);
        CHECK(read_text(folder.file("b")) == transposed(matrix(16, 8), 16, 8));
    }
    const std::string turn =
        " --dim 2 --rows 16 --cols 8 --tau 1 --beta 5 --input " + folder.file("a") + " --output " + folder.file("b");
    REQUIRE(dcube_line("run matrix-half-turn" + turn).exit_code == 0);
    std::string reversed = matrix(16, 8);
    std::ranges::reverse(reversed);
    CHECK(read_text(folder.file("b")) == reversed);
    REQUIRE(dcube_line("run matrix-relayout" + turn).exit_code == 0);
    CHECK(read_text(folder.file("b")) == matrix(16, 8));
    REQUIRE(dcube_line("run matrix-quarter-turn" + turn).exit_code == 0);
    // (r, c) goes to (c, 15 - r): the first row of the result is the first column, upwards.
    for (std::size_t at = 0; at < 16; ++at)
        CHECK(read_text(folder.file("b"))[at] == matrix(16, 8)[(15 - at) * 8]);
    check_refused("run matrix-transpose --dim 2 --rows 16 --cols 9 --tau 1 --beta 5 --input " + folder.file("a"),
                  "16 x 9 elements");
    check_refused("run matrix-transpose --dim 2 --tau 1 --beta 5 --input " + folder.file("a"), "--rows and --cols");
}

TEST_CASE("matrices: .npy files say themselves what they hold", "[cli]")
{
    const TemporaryFolder folder;
    const std::string head = "{'descr': '<u2', 'fortran_order': ";
    write_text(folder.file("a.npy"), npy(head + "False, 'shape': (8, 4), }\n", matrix(8, 8)));
    const std::string run = "run matrix-transpose --dim 2 --tau 1 --beta 5 --input ";
    const Outcome outcome =
        dcube_line(run + folder.file("a.npy") + " --output " + folder.file("b.npy") + " --format json");
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(ordered_json::parse(outcome.out)["type"] == "uint16");
    const std::string result = read_text(folder.file("b.npy"));
    REQUIRE(result.size() == 128 + 64);
    CHECK_THAT(result.substr(10, 118), Catch::Contains("{'descr': '<u2', 'fortran_order': False, 'shape': (4, 8), }"));
    const std::string twice = [&] {
        REQUIRE(dcube_line(run + folder.file("b.npy") + " --output " + folder.file("c")).exit_code == 0);
        return read_text(folder.file("c"));
    }();
    CHECK(twice == matrix(8, 8));

    // Column by column, it is the transposed matrix that stands in the file.
    write_text(folder.file("f.npy"), npy(head + "True, 'shape': (4, 8), }\n", matrix(8, 8)));
    REQUIRE(dcube_line(run + folder.file("f.npy") + " --output " + folder.file("c")).exit_code == 0);
    CHECK(read_text(folder.file("c")) == matrix(8, 8));

    check_refused(run + folder.file("a.npy") + " --rows 4", "--rows 4 is given, but");
    check_refused(run + folder.file("a.npy") + " --type int8", "--type int8 is given, but");
}

TEST_CASE("matrices: a malformed .npy file is refused in one line", "[cli][negative]")
{
    const TemporaryFolder folder;
    const std::string data = matrix(8, 8);
    const auto refused = [&](const std::string& file, const std::string& complaint) {
        write_text(folder.file("a.npy"), file);
        check_refused("run matrix-transpose --dim 2 --tau 1 --beta 5 --output " + folder.file("b") + " --input " +
                          folder.file("a.npy"),
                      complaint);
        CHECK(folder.names() == std::vector<std::string>{"a.npy"});
    };
    const std::string good = npy("{'descr': '<u2', 'fortran_order': False, 'shape': (8, 4), }\n", data);
    for (std::size_t size = 6; size < good.size(); ++size) {
        write_text(folder.file("a.npy"), good.substr(0, size));
        CAPTURE(size);
        CHECK(dcube_line("run matrix-transpose --dim 2 --tau 1 --beta 5 --input " + folder.file("a.npy")).exit_code ==
              2);
        size += size > 80 ? 30 : 3;
    }
    refused(good + "x", "65 bytes follow the header");
    refused(npy("{'descr': '<u2', 'fortran_order': False, 'shape': (0, 4)}", ""), "a matrix of 0 x 4 has no elements");
    refused(npy("{'descr': '>u2', 'fortran_order': False, 'shape': (8, 4)}", data), "its elements are '>u2'");
    refused(npy("{'descr': '<c8', 'fortran_order': False, 'shape': (8, 1)}", data), "its elements are '<c8'");
    refused(npy("{'descr': [('a','<u2')], 'fortran_order': False, 'shape': (8, 4)}", data), "records");
    refused(npy("{'descr': '<u2', 'shape': (8, 4)}", data), "does not tell all");
    refused(npy("{'descr': '<u2', 'fortran_order': 0, 'shape': (8, 4)}", data), "neither True nor False");
    refused(npy("{'descr': '<u2', 'fortran_order': False, 'shape': (8, -4)}", data), "whole numbers");
    refused(npy("{'descr': '<u2', 'fortran_order': False, 'shape': (32)}", data), "malformed");
    refused(npy("{'descr': '<u2', 'fortran_order': False, 'shape': (32,)}", data), "1 dimensions");
    refused(npy("{'descr': '<u2', 'fortran_order': False, 'shape': (8, 4), 'x': 1}", data), "a key 'x'");
    refused(npy("{'descr': '<u2', 'descr': '<u2', 'shape': (8, 4)}", data), "twice");
    refused(npy("{'descr': '<u2', 'fortran_order': False, 'shape': (8, 4)} x", data), "goes on behind");
    refused(npy("{'descr': '<u2', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", data), "more than 2^64");
    std::string version = good;
    version[6] = '\x07';
    refused(version, "version 7.0");
}
