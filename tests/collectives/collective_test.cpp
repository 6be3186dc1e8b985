// Collectives: names, limits, and who holds which bytes.

#include "collectives/other_names.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/small_problems.hpp"

#include <dcube/layout.hpp>
#include <dcube/link.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace dcube;
using test_support::contains;
using test_support::error_of;

TEST_CASE("collective: every name is read back, whatever its case, spaces or hyphens", "[judge]")
{
    for (const Collective collective : all_collectives)
        CHECK(parse_collective(name(collective)) == collective);
    for (const PortModel ports : {PortModel::all, PortModel::one})
        CHECK(parse_ports(name(ports)) == ports);
    for (const Operation operation : all_operations)
        CHECK(parse_operation(name(operation)) == operation);
    for (int i = 0; i < 10; ++i)
        CHECK(parse_element_type(name(static_cast<ElementType>(i))) == static_cast<ElementType>(i));
    CHECK(parse_collective("Total Exchange") == Collective::all_to_all);
    CHECK(parse_collective("ALL TO-ALL") == Collective::all_to_all);
    CHECK(parse_element_type("float32") == ElementType::float32);
    CHECK(parse_element_type("float64") == ElementType::float64);
    CHECK(name(ElementType::float32) == "float");
    CHECK(name(ElementType::float64) == "double");
    CHECK(name(Operation::bit_xor) == "bit-xor");
}

TEST_CASE("collective: the papers' names are known", "[judge]")
{
    const std::pair<const char*, Collective> names[] = {
        {"single node broadcast", Collective::broadcast},
        {"single node scatter", Collective::scatter},
        {"distribute", Collective::scatter},
        {"single node gather", Collective::gather},
        {"accumulation", Collective::reduce},
        {"single node accumulation", Collective::reduce},
        {"multinode broadcast", Collective::all_gather},
        {"complete broadcast", Collective::all_gather},
        {"multinode accumulation", Collective::reduce_scatter},
        {"histogram", Collective::reduce_scatter},
        {"total exchange", Collective::all_to_all},
        {"complete exchange", Collective::all_to_all},
        {"permuted send", Collective::permute},
        {"transpose", Collective::matrix_transpose},
        {"quarter turn", Collective::matrix_quarter_turn},
        {"half turn", Collective::matrix_half_turn},
        {"relayout", Collective::matrix_relayout},
    };
    for (const auto& [text, collective] : names) {
        CAPTURE(text);
        CHECK(parse_collective(text) == collective);
    }
}

TEST_CASE("collective: the names of MPI and NCCL are known, in full and short", "[judge]")
{
    const std::pair<const char*, Collective> names[] = {
        {"bcast", Collective::broadcast},
        {"MPI_Bcast", Collective::broadcast},
        {"ncclBroadcast", Collective::broadcast},
        {"ncclBcast", Collective::broadcast},
        {"allgather", Collective::all_gather},
        {"MPI_Allgather", Collective::all_gather},
        {"ncclAllGather", Collective::all_gather},
        {"allreduce", Collective::all_reduce},
        {"All_Reduce", Collective::all_reduce},
        {"mpi_allreduce", Collective::all_reduce},
        {"ncclAllReduce", Collective::all_reduce},
        {"alltoall", Collective::all_to_all},
        {"ALLTOALL", Collective::all_to_all},
        {"reduce_scatter", Collective::reduce_scatter},
        {"reducescatter", Collective::reduce_scatter},
        {"MPI_Reduce_scatter_block", Collective::reduce_scatter},
        {"ncclReduceScatter", Collective::reduce_scatter},
        {"sendrecv", Collective::exchange},
        {"MPI_Sendrecv", Collective::exchange},
        {"MPI_Send", Collective::send},
        {"MPI_Scatter", Collective::scatter},
        {"MPI_Gather", Collective::gather},
        {"MPI_Reduce", Collective::reduce},
        {"MPI_Scan", Collective::scan},
        {"prefix sum", Collective::scan},
        {"prefix", Collective::scan},
        {"inclusive-scan", Collective::scan},
        {"MPI_Exscan", Collective::exscan},
        {"exclusive_scan", Collective::exscan},
        {"MPI_Barrier", Collective::barrier},
        {"matrix_transpose", Collective::matrix_transpose},
    };
    for (const auto& [text, collective] : names) {
        CAPTURE(text);
        CHECK(parse_collective(text) == collective);
    }
    for (const char* const text :
         {"MPI_", "nccl", "MPI_Alltoallw", "MPI_broadcast", "MPI_total-exchange", "allto", "-"})
        CHECK_THROWS_AS(parse_collective(text), InvalidArgument);
}

TEST_CASE("collective: the textbooks' names are known, and one of two collectives is not guessed", "[judge]")
{
    const std::pair<const char*, Collective> names[] = {
        {"one-to-all broadcast", Collective::broadcast},
        {"all-to-one reduction", Collective::reduce},
        {"all-to-all broadcast", Collective::all_gather},
        {"all-to-all reduction", Collective::reduce_scatter},
        {"one-to-all personalized", Collective::scatter},
        {"all-to-one personalized", Collective::gather},
        {"all-to-all personalized", Collective::all_to_all},
        {"All-to-All Personalized Communication", Collective::all_to_all},
    };
    for (const auto& [text, collective] : names) {
        CAPTURE(text);
        CHECK(parse_collective(text) == collective);
    }
    CHECK_THROWS_WITH(
        parse_collective("one to all"),
        "'one to all' may be one of two collectives: expected broadcast (one-to-all-broadcast) or scatter "
        "(one-to-all-personalized)");
    CHECK_THROWS_WITH(parse_collective("all-to-one"),
                      Catch::Contains("expected reduce (all-to-one-reduction) or gather"));
}

TEST_CASE("collective: operations and types have the names of MPI and NCCL too", "[judge]")
{
    for (const char* const text : {"sum", "MPI_SUM", "mpi_sum", "ncclSum"})
        CHECK(parse_operation(text) == Operation::sum);
    for (const char* const text : {"min", "MPI_MIN", "ncclMin"})
        CHECK(parse_operation(text) == Operation::min);
    for (const char* const text : {"max", "MPI_MAX", "ncclMax"})
        CHECK(parse_operation(text) == Operation::max);
    for (const char* const text : {"bit-xor", "xor", "bxor", "MPI_BXOR"})
        CHECK(parse_operation(text) == Operation::bit_xor);
    const std::pair<const char*, ElementType> types[] = {
        {"MPI_INT", ElementType::int32},       {"MPI_LONG", ElementType::int64},
        {"MPI_UNSIGNED", ElementType::uint32}, {"MPI_FLOAT", ElementType::float32},
        {"MPI_DOUBLE", ElementType::float64},  {"MPI_UINT64_T", ElementType::uint64},
        {"ncclFloat32", ElementType::float32}, {"ncclDouble", ElementType::float64},
        {"ncclInt", ElementType::int32},
    };
    for (const auto& [text, type] : types) {
        CAPTURE(text);
        CHECK(parse_element_type(text) == type);
    }
    CHECK(parse_operation("MPI_PROD") == Operation::prod);
    CHECK(parse_operation("MPI_LAND") == Operation::logical_and);
    CHECK(parse_operation("MPI_BOR") == Operation::bit_or);
    CHECK(parse_operation("ncclAvg") == Operation::avg);
    CHECK_THROWS_WITH(
        parse_operation("MPI_REPLACE"),
        "'MPI_REPLACE' is not an operation: expected one of sum, min, max, bit-xor, prod, bit-and, bit-or, "
        "logical-and, logical-or, logical-xor, avg, minloc, maxloc");
    CHECK(name(parse_element_type("ncclFloat32")) == "float");
}

TEST_CASE("collective: no two have a name in common", "[judge]")
{
    std::map<std::string, Collective> known;
    for (const Collective collective : all_collectives) {
        std::vector<std::string> names = other_names(collective);
        names.emplace_back(name(collective));
        for (const std::string& one : names) {
            CAPTURE(one);
            CHECK(known.emplace(one, collective).second);
            CHECK(parse_collective(one) == collective);
        }
    }
    CHECK(library_calls(Collective::matrix_transpose).empty());
    CHECK(short_name_of("MPI_Reduce_scatter") == "reduce_scatter");
    CHECK(short_name_of("ncclAllReduce") == "allreduce");
}

TEST_CASE("collective: unknown names are refused, with those there are, on one line", "[judge][negative]")
{
    CHECK(
        error_of([] { parse_collective("gossip"); }) ==
        "'gossip' is not a collective: expected one of broadcast, reduce, scatter, gather, all-gather, reduce-scatter, "
        "all-reduce, scan, exscan, all-to-all, send, exchange, permute, barrier, matrix-transpose, "
        "matrix-quarter-turn, matrix-half-turn, "
        "matrix-relayout");
    CHECK(error_of([] { parse_ports("two"); }) == "'two' is not a port model: expected one of all, one");
    CHECK(error_of([] { parse_operation("mean"); }) ==
          "'mean' is not an operation: expected one of sum, min, max, bit-xor, prod, bit-and, bit-or, logical-and, "
          "logical-or, logical-xor, avg, minloc, maxloc");
    CHECK(error_of([] { parse_element_type("int"); }) ==
          "'int' is not an element type: did you mean int8? Expected one of int8, int16, int32, int64, uint8, uint16, "
          "uint32, uint64, float, double, float16, bfloat16, int64-int64, "
          "double-int64");
    for (const std::string text : {"", " ", "all\nto\nall", "broadcas", "broadcasts"}) {
        CHECK_THROWS_AS(parse_collective(text), InvalidArgument);
        CHECK_FALSE(contains(error_of([&] { parse_collective(text); }), "\n"));
    }
    CHECK(error_of([] { parse_collective(std::string(10000, 'x')); }).size() < 300);
}

TEST_CASE("collective: a wrong problem is refused with what is allowed", "[judge][negative]")
{
    const auto refusal = [](const Problem& problem, unsigned d) {
        return error_of([&] { validate(problem, Topology::hypercube(d)); });
    };
    CHECK(refusal({.bytes = 0}, 1).empty());
    CHECK(refusal({.packets = 0}, 1).empty());
    CHECK(refusal({.collective = Collective::barrier, .bytes = 7, .packets = 0}, 3).empty());  // they say nothing there
    CHECK(refusal({.collective = Collective::barrier, .in_place = true}, 3) ==
          "in_place is not possible for barrier: it moves no data");
    CHECK(refusal({.collective = Collective::gather, .root = 8}, 3) ==
          "root 8 is not a node of hypercube:3: nodes are 0 to 7");
    CHECK(refusal({.collective = Collective::all_gather, .root = 8}, 3).empty());
    CHECK(refusal({.collective = Collective::reduce, .bytes = 6, .type = ElementType::int32}, 1) ==
          "bytes: packets of 6 bytes do not hold whole int32 elements: a multiple of 4 bytes is allowed");
    CHECK(contains(
        refusal({.collective = Collective::all_reduce, .operation = Operation::bit_xor, .type = ElementType::float64},
                1),
        "bit-xor of double elements"));
    CHECK(refusal({.bytes = 6, .operation = Operation::bit_xor, .type = ElementType::float64}, 1).empty());
    CHECK(refusal({.collective = Collective::reduce, .operation = Operation::avg, .type = ElementType::int32}, 1) ==
          "operation: avg of int32 elements is not possible: types of floats are allowed");
    CHECK(refusal({.collective = Collective::scan, .operation = Operation::avg, .type = ElementType::float32}, 1) ==
          "operation avg is not possible for scan: every node has another number of terms");
}

TEST_CASE("collective: sizes that overflow are refused", "[judge][negative]")
{
    const std::size_t huge = ~std::size_t{0};
    for (const Collective collective : all_collectives) {
        if (is_matrix(collective) || is_barrier(collective))  // their sizes are different
            continue;
        for (const auto& [bytes, packets] : {std::pair{huge, std::size_t{1}},
                                             {std::size_t{1}, huge},
                                             {huge, huge},
                                             {std::size_t{1} << 32, std::size_t{1} << 32},
                                             {std::size_t{1} << 56, std::size_t{2}}}) {
            Problem problem = test_support::example(collective, 3, bytes);
            problem.packets = packets;
            const std::string error = error_of([&] { validate(problem, Topology::hypercube(3)); });
            CAPTURE(name(collective), bytes, packets, error);
            CHECK(contains(error, "is too large"));
        }
    }
    CHECK_NOTHROW(validate({.bytes = 1}, Topology::hypercube(24)));
    CHECK_THROWS_AS(validate({.bytes = std::size_t{1} << 9}, Topology::hypercube(24)), InvalidArgument);
}

TEST_CASE("collective: all nodes' parts lie one after the other and fill the whole", "[judge]")
{
    for (const Collective collective : all_collectives) {
        Problem problem = test_support::example(collective, 2, 15);
        if (!is_matrix(collective)) {
            problem.bytes = 3;
            problem.packets = 5;
        }
        const Topology topology = Topology::hypercube(2);
        const Layout layout(problem, topology);
        CAPTURE(name(collective));
        const bool four = collective != Collective::matrix_half_turn && is_matrix(collective);
        CHECK(layout.message == (four ? 60 : is_barrier(collective) ? 0 : 15));
        std::vector<std::byte> input(layout.input_bytes);
        std::vector<std::byte> output(layout.output_bytes);
        std::size_t in = 0;
        std::size_t out = 0;
        for (NodeId node = 0; node < 4; ++node) {
            const NodeData data = node_data(layout, input, output, node);
            CHECK((data.input.empty() || data.input.data() == input.data() + in));
            CHECK((data.output.empty() || data.output.data() == output.data() + out));
            in += data.input.size();
            out += data.output.size();
        }
        CHECK(in == layout.input_bytes);
        CHECK(out == layout.output_bytes);
    }
}

TEST_CASE("collective: every collective has the inputs and outputs of the table", "[judge]")
{
    struct Row {
        Collective collective;
        std::size_t in0, in1, out0, out1;  // messages of nodes 0 and 1; the root is 1
    };
    constexpr Row rows[] = {
        {Collective::broadcast, 0, 1, 1, 1},  {Collective::reduce, 1, 1, 0, 1},
        {Collective::scatter, 0, 8, 1, 1},    {Collective::gather, 1, 1, 0, 8},
        {Collective::all_gather, 1, 1, 8, 8}, {Collective::reduce_scatter, 8, 8, 1, 1},
        {Collective::all_reduce, 1, 1, 1, 1}, {Collective::all_to_all, 8, 8, 8, 8},
        {Collective::scan, 1, 1, 1, 1},       {Collective::exscan, 1, 1, 1, 1},
        {Collective::send, 0, 1, 1, 0},       {Collective::exchange, 1, 1, 1, 1},
        {Collective::permute, 1, 1, 1, 1},    {Collective::matrix_transpose, 1, 1, 1, 1},
        {Collective::barrier, 0, 0, 0, 0},
    };
    for (const Row& row : rows) {
        Problem problem{.collective = row.collective, .bytes = 2, .packets = 3, .root = 1};
        problem.rows = 16;
        problem.columns = 3;
        const Layout layout(problem, Topology::hypercube(3));
        CAPTURE(name(row.collective));
        CHECK(layout.input(0).bytes == row.in0 * 6);
        CHECK(layout.input(1).bytes == row.in1 * 6);
        CHECK(layout.output(0).bytes == row.out0 * 6);
        CHECK(layout.output(1).bytes == row.out1 * 6);
        CHECK(is_reduction(row.collective) ==
              (name(row.collective).substr(0, 6) == "reduce" || row.collective == Collective::all_reduce ||
               row.collective == Collective::scan || row.collective == Collective::exscan));
        CHECK(is_scan(row.collective) == (row.collective == Collective::scan || row.collective == Collective::exscan));
        CHECK(has_root(row.collective) ==
              ((row.in0 != row.in1 || row.out0 != row.out1) && row.collective != Collective::send));
    }
}

TEST_CASE("collective: an exchange has two parts, the smaller id's first", "[judge]")
{
    for (const NodeId root : {NodeId{1}, NodeId{6}}) {
        const Problem problem{.collective = Collective::exchange, .bytes = 5, .root = root, .peer = 7 - root};
        const Layout layout(problem, Topology::hypercube(3));
        CHECK(layout.input_bytes == 10);
        CHECK(layout.output_bytes == 10);
        for (NodeId node = 0; node < 8; ++node) {
            const bool holds = node == 1 || node == 6;
            CHECK(layout.input(node).bytes == (holds ? 5 : 0));
            CHECK(layout.output(node).bytes == (holds ? 5 : 0));
        }
        CHECK(layout.input(1).offset == 0);
        CHECK(layout.output(1).offset == 0);
        CHECK(layout.input(6).offset == 5);
        CHECK(layout.output(6).offset == 5);
    }
}

TEST_CASE("collective: every collective is of one kind", "[judge]")
{
    std::size_t points = 0;
    std::size_t matrices = 0;
    for (const Collective collective : all_collectives) {
        const int kinds = (is_reduction(collective) && !has_root(collective) ? 1 : 0) + (has_root(collective) ? 1 : 0) +
                          (is_point_to_point(collective) ? 1 : 0) + (is_matrix(collective) ? 1 : 0);
        CHECK(kinds <= 1);
        CHECK(is_matrix(collective) == name(collective).starts_with("matrix-"));
        points += is_point_to_point(collective) ? 1 : 0;
        matrices += is_matrix(collective) ? 1 : 0;
    }
    CHECK(points == 3);
    CHECK(matrices == 4);
}

TEST_CASE("collective: wrong ends, permutations and matrices are refused", "[judge][negative]")
{
    const auto refusal = [](const Problem& problem, unsigned d) {
        return error_of([&] { validate(problem, Topology::hypercube(d)); });
    };
    for (const auto collective : {Collective::send, Collective::exchange}) {
        const std::string what(name(collective));
        const auto between = [&](NodeId root, NodeId peer, unsigned d) {
            return refusal({.collective = collective, .root = root, .peer = peer}, d);
        };
        CHECK(between(0, 3, 2).empty());
        CHECK(between(4, 0, 2) == "root 4 is not a node of hypercube:2: nodes are 0 to 3");
        CHECK(between(0, 4, 2) == "peer 4 is not a node of hypercube:2: nodes are 0 to 3");
        CHECK(between(2, 2, 2) == "peer: both ends are node 2: " + what + " needs two different nodes");
        CHECK(between(0, 0, 0) == "topology: hypercube:0 has one node: " + what + " needs two");
    }
    const auto permuted = [&](const std::vector<NodeId>& permutation) {
        Problem problem{.collective = Collective::permute};
        problem.permutation = permutation;
        return refusal(problem, 2);
    };
    CHECK(permuted({2, 0, 1, 3}).empty());
    CHECK(permuted({}) == "permutation: 0 nodes are named: all 4 of hypercube:2 are needed");
    CHECK(permuted({0, 1, 2, 3, 0}) == "permutation: 5 nodes are named: all 4 of hypercube:2 are needed");
    CHECK(permuted({0, 1, 4, 3}) == "permutation: node 2 is sent to 4, which is not a node of hypercube:2: nodes "
                                    "are 0 to 3");
    CHECK(permuted({0, 2, 3, 2}) == "permutation: node 2 is named twice, for nodes 1 and 3: once is allowed");

    Problem matrix{.collective = Collective::matrix_transpose, .bytes = 0, .packets = 0};
    matrix.rows = 8;
    matrix.columns = 4;
    CHECK(refusal(matrix, 2).empty());
    CHECK(refusal(matrix, 3) ==
          "columns: the layout rows-blocked on hypercube:3 needs a multiple of 8 rows; the result has 4 x 8 elements");
    CHECK(refusal({.collective = Collective::matrix_half_turn}, 2) ==
          "rows: the layout rows-blocked on hypercube:2 needs at least 1 row and 1 column; the matrix has 0 x 0 "
          "elements");
}

TEST_CASE("collective: the rows of the table agree with themselves", "[judge]")
{
    for (const Collective collective : all_collectives) {
        const CollectiveTraits& of = traits(collective);
        CAPTURE(of.name);
        CHECK(parse_collective(of.name) == collective);
        for (const std::string_view alias : of.aliases)
            CHECK((alias.empty() || parse_collective(alias) == collective));
        CHECK(!of.sentence.empty());
        CHECK(!of.title.empty());
        CHECK(!of.start.empty());
        // Nodes that send hold data before, and nodes that get data hold them after.
        const bool all_send = of.origin == Who::all || of.origin == Who::nobody;
        const bool all_get = of.target == Who::all || of.target == Who::nobody || of.target == Who::partner;
        CHECK(of.before.nodes == (all_send ? Who::all : of.origin));
        CHECK(of.after.nodes == (!all_get ? of.target : of.origin == Who::ends ? Who::ends : Who::all));
        // Messages for every node are many before; those from every node are many after, unless each has one target.
        if (is_matrix(collective))
            continue;
        CHECK((of.before.share == Share::message_per_node) == (of.target == Who::all));
        CHECK((of.after.share == Share::message_per_node) == (of.origin == Who::all && of.target != Who::partner));
    }
}

TEST_CASE("collective: a collective and its dual have one pattern, and one of the two is reversed", "[judge]")
{
    struct Duals {
        Collective forwards;
        Collective reversed;
        Pattern pattern;
    };
    for (const auto& [forwards, reversed, pattern] :
         {Duals{Collective::broadcast, Collective::reduce, Pattern::one_to_all},
          Duals{Collective::scatter, Collective::gather, Pattern::one_to_each},
          Duals{Collective::all_gather, Collective::reduce_scatter, Pattern::each_to_all}}) {
        CAPTURE(name(forwards));
        CHECK(pattern_of(forwards) == pattern);
        CHECK(pattern_of(reversed) == pattern);
        CHECK(!is_reversed(forwards));
        CHECK(is_reversed(reversed));
    }
    for (const auto& [own_dual, pattern] :
         {std::pair(Collective::all_to_all, Pattern::each_to_each),
          std::pair(Collective::all_reduce, Pattern::sums_to_all), std::pair(Collective::scan, Pattern::prefix_sums),
          std::pair(Collective::exscan, Pattern::prefix_sums), std::pair(Collective::send, Pattern::pairs),
          std::pair(Collective::exchange, Pattern::pairs), std::pair(Collective::permute, Pattern::pairs),
          std::pair(Collective::barrier, Pattern::signals), std::pair(Collective::matrix_relayout, Pattern::elements),
          std::pair(Collective::matrix_half_turn, Pattern::elements)}) {
        CAPTURE(name(own_dual));
        CHECK(pattern_of(own_dual) == pattern);
        CHECK(!is_reversed(own_dual));
    }
}
