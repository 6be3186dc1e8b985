// Collectives of machines over several ranks: each rank gives and gets what its own nodes have.

#include "tests/support/catch.hpp"
#include "tests/support/data.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/local_world.hpp"

#include <dcube/dcube.hpp>

#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

using SharedWorld = std::shared_ptr<World>;

Machine machine_of(const Topology& topology, const SharedWorld& world)
{
    MachineOptions options;
    options.world = world;
    options.threads = 1;
    return Machine(topology, options);
}

Problem problem_of(Collective collective)
{
    Problem problem{.collective = collective, .bytes = 8, .packets = 2, .root = 5, .type = ElementType::uint32};
    problem.peer = 2;
    problem.permutation = {3, 0, 1, 2, 7, 6, 5, 4};
    problem.rows = 16;
    problem.columns = 16;
    if (!has_permutation(collective))
        problem.permutation.clear();
    if (!has_root(collective) && !has_peer(collective))
        problem.root = 0;
    if (!has_peer(collective))
        problem.peer = 0;
    if (is_matrix(collective))
        problem.to_layout = MatrixLayout::rows_striped;
    return problem;
}

// The data of all nodes after a verified run, and its report.
struct Result {
    Bytes output;
    Report report;
};

// All ranks' outputs, one after the other, and the report of rank 0.
Result verified(unsigned ranks, const Problem& problem, std::span<const std::byte> input,
                const Topology& topology = Topology::hypercube(3))
{
    std::vector<Bytes> parts(ranks);
    std::vector<Report> reports(ranks);
    run_ranks(ranks, [&](const SharedWorld& world) {
        Machine machine = machine_of(topology, world);
        VerifiedRunOptions how;
        how.seed = 7;
        how.input = input;
        how.output = [&](std::span<const std::byte> part) { parts[world->rank()].assign(part.begin(), part.end()); };
        reports[world->rank()] = run_verified(machine, problem, how);
    });
    Result all;
    for (const Bytes& part : parts)
        all.output.insert(all.output.end(), part.begin(), part.end());
    all.report = reports.front();
    for (const Report& report : reports) {
        CHECK(report.result_digest == all.report.result_digest);
        CHECK(report.blocks_verified == all.report.blocks_verified);
        CHECK(report.peak_memory_bytes == all.report.peak_memory_bytes);
    }
    return all;
}

// The error on each rank.
std::vector<std::string> errors_of(unsigned ranks, const std::function<void(const SharedWorld&)>& program)
{
    std::vector<std::string> errors(ranks);
    run_ranks(ranks, [&](const SharedWorld& world) { errors[world->rank()] = error_of([&] { program(world); }); });
    return errors;
}

// The error, if all ranks have the same; otherwise empty.
std::string error_of_all(unsigned ranks, const std::function<void(const SharedWorld&)>& program)
{
    const std::vector<std::string> errors = errors_of(ranks, program);
    const std::set<std::string> different(errors.begin(), errors.end());
    CAPTURE(errors);
    CHECK(different.size() == 1);
    return different.size() == 1 ? errors.front() : "";
}

}  // namespace

TEST_CASE("ranks: every rank has the data of its own nodes, in each collective", "[run][ranks][slow]")
{
    for (const Collective collective : all_collectives) {
        const Problem problem = problem_of(collective);
        const Result expected = verified(1, problem, {});
        CHECK(expected.output.size() == Layout(problem, Topology::hypercube(3)).output_bytes);
        for (const unsigned ranks : {2U, 3U, 5U, 8U}) {
            CAPTURE(name(collective), ranks);
            const Result found = verified(ranks, problem, {});
            CHECK(found.output == expected.output);
            CHECK(found.report.result_digest == expected.report.result_digest);
            CHECK(found.report.blocks_verified == expected.report.blocks_verified);
            CHECK(found.report.counts.steps == expected.report.counts.steps);
            CHECK(found.report.counts.transmissions == expected.report.counts.transmissions);
        }
    }
}

namespace {

// Of collectives with counts, scans and barriers, and of groups where the network has factors.
std::vector<Problem> of_parts_and_counts(const Topology& topology)
{
    std::vector<Problem> all;
    for (const Collective collective : {Collective::scatter, Collective::gather, Collective::all_gather,
                                        Collective::reduce_scatter, Collective::all_to_all}) {
        Problem problem{.collective = collective, .bytes = 4, .root = topology.member(1)};
        if (!has_root(collective))
            problem.root = 0;
        problem.counts = counts_by_law("poisson:2", collective, topology, 3);
        all.push_back(problem);
        if (topology.dimension() < 2 || topology.lacks_nodes())
            continue;
        problem.within = {0};
        problem.root = 0;
        problem.counts = counts_by_law("zipf:1:2", collective, groups_of(problem, topology)->network(), 3);
        all.push_back(problem);
    }
    for (const Collective collective : {Collective::scan, Collective::exscan})
        for (const std::size_t packets : {std::size_t{1}, std::size_t{topology.members()}})
            all.push_back({.collective = collective, .bytes = 4, .packets = packets});
    all.push_back({.collective = Collective::barrier, .bytes = 0});
    for (Problem& problem : all)
        if (is_reduction(problem.collective))
            problem.type = ElementType::float32;  // whose sums depend on their order
    return all;
}

}  // namespace

TEST_CASE("ranks: uneven messages, scans, barriers and groups have the same bits and steps on any number of them",
          "[run][ranks][uneven][scan]")
{
    for (const char* const network : {"hypercube:3", "torus:3x4", "petersen", "hypercube:3 without 5"}) {
        const Topology topology = Topology::parse(network);
        for (const Problem& problem : of_parts_and_counts(topology)) {
            const Result expected = verified(1, problem, {}, topology);
            for (const unsigned ranks : {2U, 3U}) {
                CAPTURE(network, name(problem.collective), problem.packets, problem.within, ranks);
                const Result found = verified(ranks, problem, {}, topology);
                CHECK(found.output == expected.output);
                CHECK(found.report.result_digest == expected.report.result_digest);
                CHECK(found.report.counts.steps == expected.report.counts.steps);
                CHECK(found.report.counts.transmissions == expected.report.counts.transmissions);
            }
        }
    }
}

TEST_CASE("ranks: given data are all nodes', and every rank takes its own part", "[run][ranks]")
{
    for (const Collective collective : all_collectives) {
        const Problem problem = problem_of(collective);
        const Bytes input = filled(problem, Topology::hypercube(3), 9);
        const Result expected = verified(1, problem, input);
        for (const unsigned ranks : {2U, 3U, 8U}) {
            CAPTURE(name(collective), ranks);
            const Result found = verified(ranks, problem, input);
            CHECK(found.output == expected.output);
            CHECK(found.report.result_digest == expected.report.result_digest);
        }
    }
}

TEST_CASE("ranks: calls work on networks that lack nodes, also all nodes of a rank", "[run][ranks]")
{
    Topology network = Topology::hypercube(3);
    Faults faults;
    faults.nodes = {0, 1};
    network = network.without(faults);
    const Problem problem{Collective::all_gather, 4};
    const auto digest_of = [&](unsigned ranks) {
        std::string digest;
        run_ranks(ranks, [&](const SharedWorld& world) {
            Machine machine = machine_of(network, world);
            const Report report = run_verified(machine, problem);
            if (world->rank() == 0)
                digest = report.result_digest;
        });
        return digest;
    };
    const std::string expected = digest_of(1);
    for (const unsigned ranks : {2U, 4U, 8U})
        CHECK(digest_of(ranks) == expected);
}

TEST_CASE("ranks: calls take and give own parts, and find the number of packets in them", "[run][ranks]")
{
    constexpr NodeId nodes = 8;
    for (const unsigned ranks : {1U, 3U, 4U}) {
        std::vector<std::uint32_t> sums(ranks);
        std::vector<Bytes> copies(ranks);
        std::vector<Bytes> exchanged(ranks);
        run_ranks(ranks, [&](const SharedWorld& world) {
            Machine machine = machine_of(Topology::hypercube(3), world);
            const NodeRange own = machine.own_nodes();
            const Bytes message(own.contains(6) ? 24 : 0, std::byte{42});
            copies[world->rank()].resize(own.size() * 24);
            broadcast(machine, message, copies[world->rank()], 6, 8);
            const std::vector<std::uint32_t> ones(own.size(), 1);
            std::vector<std::uint32_t> sum(own.contains(2) ? 1 : 0);
            reduce(machine, std::as_bytes(std::span(ones)), std::as_writable_bytes(std::span(sum)), 2,
                   sizeof(std::uint32_t), Operation::sum, ElementType::uint32);
            sums[world->rank()] = sum.empty() ? 0 : sum.front();
            Bytes blocks;
            for (NodeId from = own.first; from < own.last; ++from)
                for (NodeId to = 0; to < nodes; ++to)
                    blocks.push_back(std::byte(from * nodes + to));
            exchanged[world->rank()].resize(blocks.size());
            all_to_all(machine, blocks, exchanged[world->rank()], 1);
        });
        CAPTURE(ranks);
        std::uint32_t sum = 0;
        Bytes transposed;
        for (unsigned rank = 0; rank < ranks; ++rank) {
            CHECK(copies[rank] == Bytes(copies[rank].size(), std::byte{42}));
            sum += sums[rank];
            transposed.insert(transposed.end(), exchanged[rank].begin(), exchanged[rank].end());
        }
        CHECK(sum == nodes);
        REQUIRE(transposed.size() == nodes * nodes);
        for (NodeId from = 0; from < nodes; ++from)
            for (NodeId to = 0; to < nodes; ++to)
                CHECK(transposed[to * nodes + from] == std::byte(from * nodes + to));
    }
}

TEST_CASE("ranks: arguments that differ between ranks are refused by all of them", "[run][ranks][negative]")
{
    const auto with = [](const std::function<void(unsigned, Problem&, VerifiedRunOptions&, CallOptions&)>& change) {
        return error_of_all(3, [&](const SharedWorld& world) {
            Machine machine = machine_of(Topology::hypercube(3), world);
            Problem problem{Collective::all_to_all, 8};
            VerifiedRunOptions how;
            CallOptions call;
            change(world->rank(), problem, how, call);
            run_verified(machine, problem, how, call);
        });
    };
    CHECK(with([](unsigned rank, Problem& problem, auto&, auto&) { problem.bytes = rank == 2 ? 16 : 8; }) ==
          "ranks 0 and 2 disagree about the problem");
    CHECK(with([](unsigned rank, auto&, auto&, CallOptions& call) {
              call.algorithm = rank == 1 ? "dimension-exchange" : "optimal";
          }) == "ranks 0 and 1 disagree about the algorithm");
    CHECK(with([](unsigned rank, auto&, VerifiedRunOptions& how, auto&) { how.repeat = rank + 1; }) ==
          "ranks 0 and 1 disagree about the data");
    CHECK(with([](unsigned rank, auto&, auto&, CallOptions& call) {
              if (rank == 2)
                  call.run.trace = [](const Transmission&) {};
          }) == "ranks 0 and 2 disagree about the run's trace, seed or failing links");
    CHECK(with([](auto...) {}) == "");
}

TEST_CASE("ranks: an error on one rank is reported by all, and the next run is right", "[run][ranks][negative]")
{
    CHECK(error_of_all(3, [](const SharedWorld& world) {
              Machine machine = machine_of(Topology::hypercube(3), world);
              const std::size_t own = machine.own_nodes().size();
              const Bytes parts(own);
              Bytes gathered(own * 8 + (world->rank() == 1 ? 1 : 0));
              const std::string error = error_of([&] { all_gather(machine, parts, gathered, 1); });
              gathered.resize(own * 8);
              all_gather(machine, parts, gathered, 1);
              throw Error(error);
          }) == "an input of 3 and an output of 25 bytes are given, where 3 and 24 are needed");
    CHECK(error_of_all(4, [](const SharedWorld& world) {
              Machine machine = machine_of(Topology::hypercube(3), world);
              VerifiedRunOptions how;
              how.output = [&](std::span<const std::byte>) {
                  if (world->rank() >= 2)
                      throw InvalidArgument("rank " + std::to_string(world->rank()) + " cannot write");
              };
              run_verified(machine, {Collective::all_gather, 8}, how);
          }) == "rank 2 cannot write");
    const Bytes short_input(17);
    CHECK(error_of_all(2, [&](const SharedWorld& world) {
              Machine machine = machine_of(Topology::hypercube(3), world);
              VerifiedRunOptions how;
              how.input = short_input;
              run_verified(machine, {Collective::all_gather, 8}, how);
          }) == "the input of all nodes has 17 bytes: 64 are allowed");
}

TEST_CASE("ranks: memory is each rank's own, and the first that lacks it is named", "[run][ranks][negative]")
{
    const Problem problem{Collective::all_to_all, 4096};
    const auto on = [&](unsigned ranks, std::size_t limit) {
        return error_of_all(ranks, [&](const SharedWorld& world) {
            MachineOptions options;
            options.world = world;
            options.memory_limit = limit;
            Machine machine(Topology::hypercube(6), options);
            run_verified(machine, problem);
        });
    };
    constexpr std::size_t mib = std::size_t{1} << 20;
    CHECK(contains(on(1, 25 * mib), "would need"));
    CHECK(contains(on(2, 15 * mib), "of memory on rank 0 (of 2; about"));
    CHECK(on(4, 25 * mib) == "");
}

TEST_CASE("ranks: a wrong result on one rank fails verification on all", "[run][ranks][negative]")
{
    const Algorithm wrong{.collective = Collective::all_gather,
                          .name = "does-nothing",
                          .prepare = [](const Topology&, const Problem&) -> CollectiveProgram {
                              return [](Node& me, NodeData data) -> Task {
                                  if (me.id() >= 3)
                                      co_return;
                                  for (std::size_t i = 0; i < data.output.size() / data.input.size(); ++i)
                                      std::memcpy(data.output.data() + i * data.input.size(), data.input.data(), 0);
                                  co_await me.until(2);
                              };
                          }};
    const std::string one = error_of([&] {
        Machine machine(Topology::hypercube(3));
        run_verified(machine, wrong, {Collective::all_gather, 8});
    });
    CHECK(contains(one, "node 0: byte 0"));
    for (const unsigned ranks : {2U, 5U})
        CHECK(error_of_all(ranks, [&](const SharedWorld& world) {
                  Machine machine = machine_of(Topology::hypercube(3), world);
                  run_verified(machine, wrong, {Collective::all_gather, 8});
              }) == one);
}

TEST_CASE("ranks: a report says what crossed between them, and with one rank nothing of it", "[run][ranks]")
{
    const Problem problem{Collective::all_to_all, 16};
    std::string json;
    Report spread;
    run_ranks(
        4,
        [&](const SharedWorld& world) {
            Machine machine = machine_of(Topology::hypercube(4), world);
            const Report report = run_verified(machine, problem);
            if (world->rank() == 0)
                spread = report;
        },
        2);
    CHECK(spread.ranks == 4);
    CHECK(spread.hosts == 2);
    CHECK(spread.counts.cross_rank_packets == spread.counts.transmissions / 2);
    CHECK(spread.counts.cross_rank_bytes == 16 * spread.counts.cross_rank_packets);
    CHECK(spread.counts.cross_rank_messages > 0);
    json = to_json(spread);
    CHECK(contains(json, "\"ranks\": 4,\n  \"hosts\": 2,\n  \"cross_rank_packets\": 256,"));
    Machine machine(Topology::hypercube(4));
    json = to_json(run_verified(machine, problem));
    for (const char* const key : {"ranks", "hosts", "cross_rank_packets", "cross_rank_bytes", "cross_rank_messages",
                                  "communication_seconds", "slowest_rank"})
        CHECK(contains(json, "\"" + std::string(key) + "\": null"));
}

namespace {

// Every node awaits the collective, node 6 perhaps another one, or one step later.
void gather_all(Machine& machine, const Prepared& most, const Prepared& at_6, Step late)
{
    const NodeRange own = machine.own_nodes();
    std::vector<std::uint32_t> gathered(own.size() * 8);
    machine.run([&](Node& me) -> Task {
        const std::uint32_t mine = me.id();
        if (me.id() == 6)
            co_await me.until(1 + late);
        const std::span<std::uint32_t> all = std::span(gathered).subspan((me.id() - own.first) * 8, 8);
        co_await (me.id() == 6 ? at_6 : most)(me, mine, all);
    });
    for (std::size_t i = 0; i < gathered.size(); ++i)
        if (gathered[i] != i % 8)
            throw Error("a wrong number");
}

}  // namespace

TEST_CASE("ranks: collectives prepared differently on different ranks are refused", "[run][ranks]")
{
    const Problem numbers{Collective::all_gather, sizeof(std::uint32_t)};
    const Problem vectors{Collective::all_gather, sizeof(std::uint32_t) / 2, 2};
    for (const unsigned ranks : {2U, 3U, 8U}) {
        CAPTURE(ranks);
        CHECK(error_of_all(ranks, [&](const SharedWorld& world) {
                  Machine machine = machine_of(Topology::hypercube(3), world);
                  const Prepared prepared(machine, numbers);
                  gather_all(machine, prepared, prepared, 0);
              }) == "");
        CHECK(error_of_all(ranks, [&](const SharedWorld& world) {
                  Machine machine = machine_of(Topology::hypercube(3), world);
                  const Prepared prepared(machine, numbers);
                  const Prepared other(machine, vectors);
                  gather_all(machine, prepared, other, 0);
              }) == "not-together in step 1 at node 6, port 0: it started another all-gather than node 0");
        CHECK(error_of_all(ranks,
                           [&](const SharedWorld& world) {
                               Machine machine = machine_of(Topology::hypercube(3), world);
                               const Prepared prepared(machine, numbers);
                               gather_all(machine, prepared, prepared, 1);
                           }) ==
              "not-together in step 1 at node 0, port 0: only 7 of 8 nodes started all-gather in this step, "
              "not node 6");
        CHECK(error_of_all(ranks, [&](const SharedWorld& world) {
                  Machine machine = machine_of(Topology::hypercube(3), world);
                  const Prepared prepared(machine, world->rank() == 1 ? vectors : numbers);
              }) == "ranks 0 and 1 disagree about a prepared collective");
    }
}

TEST_CASE("ranks: waiting for a late rank counts neither as run time nor as communication", "[run][ranks]")
{
    run_ranks(2, [&](const SharedWorld& world) {
        Machine machine = machine_of(Topology::hypercube(3), world);
        for (int time = 0; time < 20; ++time) {
            if (world->rank() == 1)
                if (const std::vector<char> late(std::size_t{1} << 23, 1); late.back() != 1)
                    throw Error("it is there");
            VerifiedRunOptions how;
            how.repeat = 1 + static_cast<std::size_t>(time % 3);
            const Counts counts = run_verified(machine, problem_of(Collective::all_gather), how).counts;
            if (counts.communication_seconds > counts.wall_seconds)
                throw Error("more than all of the time was spent between ranks");
        }
    });
}
