// Matrices in files, as a user sees them.

#include "cli/files/matrix_files.hpp"
#include "cli/files/rank_files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/local_world.hpp"
#include "tests/support/npy_files.hpp"
#include "tests/support/process.hpp"

#include <dcube/dcube.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

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

// The file that every rank deals out, runs, and writes its part of.
std::string through_files(const std::string& file, const std::string& out, dcube::Problem problem,
                          const dcube::Topology& topology, unsigned ranks)
{
    test_support::run_ranks(ranks, [&](const std::shared_ptr<dcube::World>& world) {
        dcube::Problem own = problem;
        const std::span<const std::byte> bytes = std::as_bytes(std::span(file));
        const std::vector<std::byte> input = dcube::cli::deal_out(bytes, "in", own, true, topology);
        dcube::Machine machine(topology, {.threads = 1, .world = world});
        dcube::cli::NewFileOfRanks made(*world, out);
        dcube::VerifiedRunOptions how;
        how.input = input;
        how.output = [&](std::span<const std::byte> mine) {
            const dcube::Layout layout = dcube::Layout(own, topology).of(machine.own_nodes());
            dcube::cli::scatter_elements(
                mine, layout, machine.own_nodes(), out, own, topology,
                [&](std::size_t at, std::span<const std::byte> part) { made.write_at(at, part); });
            if (world->ranks() == 1 && dcube::cli::collect(mine, out, own, topology).size() != file.size())
                throw dcube::Error("the file of one rank has another size");
        };
        dcube::run_verified(machine, own, how);
        made.commit();
    });
    return read_text(out);
}

// The file collected from all nodes' places, including those of missing nodes.
std::string collected(const std::string& file, dcube::Problem problem, const dcube::Topology& topology)
{
    const std::vector<std::byte> input =
        dcube::cli::deal_out(std::as_bytes(std::span(file)), "in", problem, true, topology);
    CHECK(input.size() == dcube::Layout(problem, topology).input_bytes);
    std::string found;
    dcube::Machine machine(topology, {.threads = 1});
    dcube::VerifiedRunOptions how;
    how.input = input;
    how.output = [&](std::span<const std::byte> all) {
        const std::vector<std::byte> bytes = dcube::cli::collect(all, "out", problem, topology);
        found.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    dcube::run_verified(machine, problem, how);
    return found;
}

// Every rows' layout that the network has, and all turns.
void check_matrices(const dcube::Topology& topology, const TemporaryFolder& folder)
{
    using namespace dcube;
    const std::size_t members = topology.members();
    for (const MatrixLayout layout :
         {MatrixLayout::rows_blocked, MatrixLayout::rows_striped, MatrixLayout::submatrices})
        for (const Collective collective : all_collectives) {
            if (!is_matrix(collective) || (layout == MatrixLayout::submatrices && members != 4))
                continue;
            CAPTURE(topology.name(), name(collective), name(layout));
            Problem problem{.collective = collective, .type = ElementType::uint8};
            problem.layout = problem.to_layout = layout;
            if (collective == Collective::matrix_relayout && layout != MatrixLayout::submatrices)
                problem.to_layout = MatrixLayout::rows_striped;
            else if (collective == Collective::matrix_relayout)
                continue;
            problem.rows = 2 * members;
            problem.columns = members;
            const std::string file = matrix(problem.rows, problem.columns);
            const std::string alone = collected(file, problem, topology);
            if (collective == Collective::matrix_transpose)
                CHECK(alone == transposed(file, problem.rows, problem.columns));
            else if (collective == Collective::matrix_relayout)
                CHECK(alone == file);
            else if (collective == Collective::matrix_half_turn)
                CHECK(alone == std::string(file.rbegin(), file.rend()));
            for (const unsigned ranks : {1U, 2U})
                CHECK(through_files(file, folder.file("out"), problem, topology, ranks) == alone);
        }
}

}  // namespace

TEST_CASE("matrices: files lie on the nodes that are there, over one rank and two", "[cli][faults][ranks][slow]")
{
    const TemporaryFolder folder;
    for (const char* const network : {"hypercube:3", "ring:5", "torus:3x3", "petersen"}) {
        const dcube::Topology whole = dcube::Topology::parse(network);
        for (const dcube::NodeId missing : {0U, whole.nodes() / 2, whole.nodes() - 1})
            check_matrices(whole.without({.nodes = {missing}}), folder);
    }
}

TEST_CASE("matrices: a raw file is transposed", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("a"), matrix(16, 8));
    for (const std::string layout : {"rows", "rows-striped", "rows-blocked-gray", "submatrices", "submatrices-gray"}) {
        const std::string dim = layout.starts_with("rows") ? "3" : "2";
        const Outcome outcome =
            executed("run matrix-transpose --dim " + dim + " --rows 16 --columns 8 --layout " + layout +
                     " --tau 1 --beta 5 --input " + folder.file("a") + " --output " + folder.file("b"));
        CAPTURE(layout, outcome.err);
        REQUIRE(outcome.exit_code == 0);
        CHECK(read_text(folder.file("b")) == transposed(matrix(16, 8), 16, 8));
    }
    const std::string turn =
        " --dim 2 --rows 16 --columns 8 --tau 1 --beta 5 --input " + folder.file("a") + " --output " + folder.file("b");
    REQUIRE(executed("run matrix-half-turn" + turn).exit_code == 0);
    std::string reversed = matrix(16, 8);
    std::ranges::reverse(reversed);
    CHECK(read_text(folder.file("b")) == reversed);
    REQUIRE(executed("run matrix-relayout" + turn).exit_code == 0);
    CHECK(read_text(folder.file("b")) == matrix(16, 8));
    REQUIRE(executed("run matrix-quarter-turn" + turn).exit_code == 0);
    // (r, c) goes to (c, 15 - r): the first row of the result is the first column, upwards.
    for (std::size_t at = 0; at < 16; ++at)
        CHECK(read_text(folder.file("b"))[at] == matrix(16, 8)[(15 - at) * 8]);
    check_refused("run matrix-transpose --dim 2 --rows 16 --columns 9 --tau 1 --beta 5 --input " + folder.file("a"),
                  "16 x 9 elements");
    check_refused("run matrix-transpose --dim 2 --tau 1 --beta 5 --input " + folder.file("a"), "--rows and --columns");
}

TEST_CASE("matrices: the header of a .npy file says what it holds", "[cli]")
{
    const TemporaryFolder folder;
    const std::string head = "{'descr': '<u2', 'fortran_order': ";
    write_text(folder.file("a.npy"), npy_file(1, head + "False, 'shape': (8, 4), }\n", matrix(8, 8)));
    const std::string run = "run matrix-transpose --dim 2 --tau 1 --beta 5 --input ";
    const Outcome outcome =
        executed(run + folder.file("a.npy") + " --output " + folder.file("b.npy") + " --format json");
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(ordered_json::parse(outcome.out)["type"] == "uint16");
    const std::string result = read_text(folder.file("b.npy"));
    REQUIRE(result.size() == 128 + 64);
    CHECK_THAT(result.substr(10, 118), Catch::Contains("{'descr': '<u2', 'fortran_order': False, 'shape': (4, 8), }"));
    const std::string twice = [&] {
        REQUIRE(executed(run + folder.file("b.npy") + " --output " + folder.file("c")).exit_code == 0);
        return read_text(folder.file("c"));
    }();
    CHECK(twice == matrix(8, 8));

    // Column by column, it is the transposed matrix that stands in the file.
    write_text(folder.file("f.npy"), npy_file(1, head + "True, 'shape': (4, 8), }\n", matrix(8, 8)));
    REQUIRE(executed(run + folder.file("f.npy") + " --output " + folder.file("c")).exit_code == 0);
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
    const std::string good = npy_file(1, "{'descr': '<u2', 'fortran_order': False, 'shape': (8, 4), }\n", data);
    for (std::size_t size = 6; size < good.size(); ++size) {
        write_text(folder.file("a.npy"), good.substr(0, size));
        CAPTURE(size);
        CHECK(executed("run matrix-transpose --dim 2 --tau 1 --beta 5 --input " + folder.file("a.npy")).exit_code == 2);
        size += size > 80 ? 30 : 3;
    }
    refused(good + "x", "65 bytes follow the header");
    refused(npy_file(1, "{'descr': '<u2', 'fortran_order': False, 'shape': (0, 4)}", ""),
            "a matrix of 0 x 4 has no elements");
    refused(npy_file(1, "{'descr': '>u2', 'fortran_order': False, 'shape': (8, 4)}", data), "its elements are '>u2'");
    refused(npy_file(1, "{'descr': '<c8', 'fortran_order': False, 'shape': (8, 1)}", data), "its elements are '<c8'");
    refused(npy_file(1, "{'descr': [('a','<u2')], 'fortran_order': False, 'shape': (8, 4)}", data), "records");
    refused(npy_file(1, "{'descr': '<u2', 'shape': (8, 4)}", data), "lacks some of");
    refused(npy_file(1, "{'descr': '<u2', 'fortran_order': 0, 'shape': (8, 4)}", data), "neither True nor False");
    refused(npy_file(1, "{'descr': '<u2', 'fortran_order': False, 'shape': (8, -4)}", data), "whole numbers");
    refused(npy_file(1, "{'descr': '<u2', 'fortran_order': False, 'shape': (32)}", data), "malformed");
    refused(npy_file(1, "{'descr': '<u2', 'fortran_order': False, 'shape': (32,)}", data), "it has 1 dimension:");
    refused(npy_file(1, "{'descr': '<u2', 'fortran_order': False, 'shape': (8, 4), 'x': 1}", data), "a key 'x'");
    refused(npy_file(1, "{'descr': '<u2', 'descr': '<u2', 'shape': (8, 4)}", data), "twice");
    refused(npy_file(1, "{'descr': '<u2', 'fortran_order': False, 'shape': (8, 4)} x", data), "goes on behind");
    refused(npy_file(1, "{'descr': '<u2', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", data),
            "more than 2^64");
    std::string version = good;
    version[6] = '\x07';
    refused(version, "version 7.0");
}
