// The collectives as calls on the caller's own data.

#include "collectives/example.hpp"
#include "judge/result_check.hpp"
#include "run/ranks.hpp"

#include "tests/support/catch.hpp"

#include <dcube/dcube.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace dcube;

namespace {

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values)
{
    return std::as_bytes(std::span(values));
}
template <class T>
std::span<std::byte> writable(std::vector<T>& values)
{
    return std::as_writable_bytes(std::span(values));
}

constexpr NodeId nodes = 8;

std::vector<std::int32_t> numbers(std::size_t count)
{
    std::vector<std::int32_t> values(count);
    std::iota(values.begin(), values.end(), 100);
    return values;
}

}  // namespace

TEST_CASE("all-to-all transposes the matrix of blocks", "[run]")
{
    Machine machine(Topology::hypercube(3));
    const std::vector<std::int32_t> send = numbers(nodes * nodes);
    std::vector<std::int32_t> received(nodes * nodes);
    const Report report = all_to_all(machine, bytes_of(send), writable(received), sizeof(std::int32_t));
    for (NodeId i = 0; i < nodes; ++i)
        for (NodeId j = 0; j < nodes; ++j)
            CHECK(received[j * nodes + i] == send[i * nodes + j]);
    CHECK(report.counts.steps == 4);
    CHECK(report.algorithm == "staircase");
}

TEST_CASE("broadcast, scatter, gather and all-gather move messages of several packets", "[run]")
{
    Machine machine(Topology::hypercube(3));
    constexpr std::size_t words = 6;  // three packets of two
    constexpr std::size_t packet = 2 * sizeof(std::int32_t);
    constexpr NodeId root = 5;

    const std::vector<std::int32_t> message = numbers(words);
    std::vector<std::int32_t> copies(words * nodes);
    CHECK(broadcast(machine, bytes_of(message), writable(copies), root, packet).problem.packets == 3);
    for (std::size_t i = 0; i < copies.size(); ++i)
        CHECK(copies[i] == message[i % words]);

    const std::vector<std::int32_t> messages = numbers(words * nodes);
    std::vector<std::int32_t> parts(words * nodes);
    scatter(machine, bytes_of(messages), writable(parts), root, packet);
    CHECK(parts == messages);
    std::vector<std::int32_t> gathered(words * nodes);
    gather(machine, bytes_of(parts), writable(gathered), root, packet);
    CHECK(gathered == messages);

    std::vector<std::int32_t> everywhere(words * nodes * nodes);
    all_gather(machine, bytes_of(parts), writable(everywhere), packet);
    for (std::size_t i = 0; i < everywhere.size(); ++i)
        CHECK(everywhere[i] == parts[i % parts.size()]);
}

TEST_CASE("reductions add up, and sums wrap around", "[run]")
{
    Machine machine(Topology::hypercube(3));
    const std::vector<std::int8_t> large(nodes, 100);
    std::vector<std::int8_t> sum(1);
    reduce(machine, bytes_of(large), writable(sum), 0, 1, Operation::sum, ElementType::int8);
    CHECK(int{sum[0]} == 800 - 3 * 256);  // modulo 256, as a signed byte

    const std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8};
    std::vector<double> everywhere(nodes);
    all_reduce(machine, bytes_of(values), writable(everywhere), sizeof(double), Operation::max, ElementType::float64);
    CHECK(everywhere == std::vector<double>(nodes, 8.0));

    const std::vector<std::uint16_t> matrix = [] {
        std::vector<std::uint16_t> all(nodes * nodes);
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = static_cast<std::uint16_t>(i % nodes);
        return all;
    }();
    std::vector<std::uint16_t> sums(nodes);
    reduce_scatter(machine, bytes_of(matrix), writable(sums), sizeof(std::uint16_t), Operation::sum,
                   ElementType::uint16);
    for (NodeId i = 0; i < nodes; ++i)
        CHECK(sums[i] == i * nodes);
}

TEST_CASE("all nodes get the same bits of a floating-point sum", "[run]")
{
    for (const char* const algorithm : {"exchange", "reduce-scatter-all-gather", "two-centre", "halving-doubling",
                                        "fold", "fold-one", "cores", "cores-one"}) {
        Machine machine(Topology::hypercube(3));
        std::vector<float> values(nodes * nodes);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = 1.0F / static_cast<float>(i + 1);
        std::vector<float> sums(nodes * nodes);
        CallOptions options;
        options.algorithm = algorithm;
        all_reduce(machine, bytes_of(values), writable(sums), sizeof(float), Operation::sum, ElementType::float32,
                   options);
        for (std::size_t i = 0; i < sums.size(); ++i)
            CHECK(sums[i] == sums[i % nodes]);
    }
}

TEST_CASE("an input and an output overlap only if they share a byte", "[run]")
{
    std::vector<std::byte> memory(8);
    const std::span<std::byte> all = memory;
    CHECK(overlap({all.first(5), all.last(4)}));
    CHECK_FALSE(overlap({all.first(4), all.last(4)}));
    CHECK_FALSE(overlap({all.subspan(4, 0), all}));
    CHECK_FALSE(overlap({all, all.subspan(4, 0)}));
}

TEST_CASE("a call whose data do not fit says what is wrong", "[run][negative]")
{
    Machine machine(Topology::hypercube(2));
    std::vector<std::int32_t> sixteen(16);
    std::vector<std::int32_t> fifteen(15);
    std::vector<std::int32_t> also_sixteen(16);
    CHECK_THROWS_WITH(all_to_all(machine, bytes_of(sixteen), writable(fifteen), 4),
                      Catch::Contains("60 bytes are given"));
    CHECK_THROWS_WITH(all_to_all(machine, bytes_of(fifteen), writable(sixteen), 4),
                      "60 bytes are not 16 messages of whole packets of 4 bytes");
    std::vector<std::int32_t> twenty(20);
    CHECK_THROWS_WITH(all_to_all(machine, bytes_of(twenty).first(64), writable(twenty).last(64), 4),
                      "input and output overlap: they must be apart, or the same array for a run in place");
    Problem in_place{Collective::all_to_all, 4};
    in_place.in_place = true;
    CHECK_THROWS_WITH(run(machine, in_place, bytes_of(sixteen), writable(also_sixteen)),
                      "input and output are two arrays: in place they must be one");
    CHECK_THROWS_AS(all_to_all(machine, bytes_of(sixteen), writable(also_sixteen), 0), InvalidArgument);
    CHECK_THROWS_AS(broadcast(machine, bytes_of(fifteen), writable(sixteen), 4, 60), InvalidArgument);
    CHECK_THROWS_AS(reduce(machine, bytes_of(sixteen), writable(fifteen), 0, 3, Operation::sum, ElementType::int32),
                    InvalidArgument);
}

TEST_CASE("a run that does not fit in memory is refused with the bytes it would need", "[run][negative]")
{
    Machine machine(Topology::hypercube(6), {.memory_limit = std::size_t{16} << 20});
    CHECK_NOTHROW(run_verified(machine, {Collective::all_to_all, 64}));
    CHECK_THROWS_WITH(run_verified(machine, {Collective::all_to_all, 4096}),
                      Catch::Contains("would need") && Catch::Contains("; available: 16777216 bytes (16 MiB)"));
    CHECK_NOTHROW(run_verified(machine, {Collective::all_to_all, 64}));
}

TEST_CASE("a run on given data is verified against them", "[run]")
{
    Machine machine(Topology::hypercube(3));
    const std::vector<std::int32_t> values = numbers(nodes * nodes);
    std::vector<std::byte> kept;
    VerifiedRunOptions trial;
    trial.input = bytes_of(values);
    trial.output = [&kept](std::span<const std::byte> output) { kept.assign(output.begin(), output.end()); };
    const Report report = run_verified(machine, {Collective::all_to_all, 4}, trial);
    CHECK(report.verified);
    CHECK_FALSE(report.seed.has_value());
    CHECK(kept.size() == values.size() * sizeof(std::int32_t));
}

TEST_CASE("verified runs: a flipped byte of the result is detected", "[run][negative]")
{
    const Topology cube = Topology::hypercube(3);
    const Problem problem{Collective::all_gather, 5};
    Machine machine(cube);
    VerifiedRunOptions trial;
    std::vector<std::byte> output;
    trial.output = [&output](std::span<const std::byte> all) { output.assign(all.begin(), all.end()); };
    run_verified(machine, problem, trial);
    const Layout layout(problem, cube);
    const Checker checker(problem, cube, trial.seed);
    for (std::size_t at = 0; at < output.size(); ++at) {
        output[at] ^= std::byte{1};
        const auto node = static_cast<NodeId>(at / layout.output(0).bytes);
        const auto [offset, bytes] = layout.output(node);
        CHECK_THROWS_AS(checker.check(node, std::span(output).subspan(offset, bytes)), VerificationError);
        output[at] ^= std::byte{1};
    }
}

TEST_CASE("a forecast counts what a run then counts", "[run]")
{
    const Topology cube = Topology::hypercube(4);
    const Problem problem{Collective::all_to_all, 16};
    const Forecast expected = forecast(cube, {}, problem);
    Machine machine(cube);
    const Report report = run_verified(machine, problem);
    CHECK(expected.cost == Cost{report.counts.steps, report.counts.transmissions});
    CHECK(expected.link_bytes == report.counts.bytes);
    CHECK(expected.seconds.value_or(0) > 0);
    CHECK(expected.memory_bytes > 2 * 16 * 16 * 16);
}

TEST_CASE("the bytes of messages that are cut are known before the run, on whichever network", "[run]")
{
    std::size_t cut = 0;
    for (const char* const network : {"hypercube:3", "ring:7", "mesh:2x3", "petersen"})
        for (const Entry& algorithm : catalogue()) {
            const Topology topology = Topology::parse(network);
            if (algorithm.link == LinkKind::link_bound || !contains(algorithm.networks, topology))
                continue;
            Problem problem = example_problem(algorithm.collective, topology);
            if (!is_matrix(problem.collective))
                problem.bytes = 100;
            MachineOptions options;
            options.link = problem.link = {LinkKind::link_bound, {1, 1}, {7, 1}, LinkClock::data_driven};
            if (!obstacle_of(algorithm, topology, PortModel::all, problem).empty())
                continue;
            CAPTURE(network, name(problem.collective), algorithm.name);
            const std::string name = "unit:" + std::string(algorithm.name);
            const auto link_bytes = predicted_link_bytes(algorithm, topology, problem);
            Machine machine(topology, options);
            const Report report = run_verified(machine, problem, {}, {.algorithm = name});
            CHECK(algorithm.cost(topology, problem) == Cost{report.counts.steps, report.counts.transmissions});
            const bool is_composed =  // of an all-gather or total exchanges, which may be ones for such links
                algorithm.name.starts_with("gather-and-combine") || algorithm.name.starts_with("segments");
            if (!is_composed)
                CHECK(link_bytes.has_value() != is_matrix(problem.collective));
            CHECK(link_bytes.value_or(report.counts.bytes) == report.counts.bytes);
            CHECK(report.cut_packets.has_value() == chosen_cut(algorithm, topology, problem).has_value());
            if (!report.cut_packets)
                continue;
            ++cut;
            CHECK(*report.cut_packets > 1);
            CHECK((*report.cut_packets - 1) * *report.cut_packet_bytes < 100);
            CHECK(*report.cut_packets * *report.cut_packet_bytes >= 100);
            problem.packets = 3;  // the caller's number stays
            CHECK_FALSE(chosen_cut(algorithm, topology, problem));
        }
    CHECK(cut > 40);
}

TEST_CASE("planning is long if it takes half a second and a hundred runs", "[run]")
{
    Report report;
    report.counts.wall_seconds = 0.001;
    report.planning_seconds = 0.4;
    CHECK_FALSE(report.planned_long());
    report.planning_seconds = 0.6;
    CHECK(report.planned_long());
    report.counts.wall_seconds = 0.007;
    CHECK_FALSE(report.planned_long());
}

// Written down once: every compiler, build type, sanitizer, channel and number of threads must come to the same result.
TEST_CASE("result digests are the same everywhere", "[run]")
{
    const std::pair<Collective, const char*> expected[] = {
        {Collective::broadcast, "37153c3759879b49"},  {Collective::reduce, "8ac10f8cd80e70cd"},
        {Collective::scatter, "77787eb0629646b3"},    {Collective::gather, "2cec74f4351a9c1b"},
        {Collective::all_gather, "7abe0c441e021705"}, {Collective::reduce_scatter, "0083a049ec587cd7"},
        {Collective::all_reduce, "c4c9aad29f3f80da"}, {Collective::all_to_all, "9ff03f67c01e3c51"},
    };
    for (const auto& [collective, digest] : expected) {
        for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc}) {
            for (const unsigned threads : {1U, 2U, 4U}) {
                Machine machine(Topology::hypercube(4), {.threads = threads, .channel = channel});
                Problem problem{collective, 12, 3};
                if (is_reduction(collective))
                    problem.type = ElementType::float32;
                CAPTURE(name(collective), threads);
                CHECK(run_verified(machine, problem).result_digest == digest);
            }
        }
    }
}

TEST_CASE("a forecast counts what nodes note of many small packets, and a run is refused by the same figure",
          "[run][long]")
{
    const Topology cube = Topology::hypercube(8);
    const Problem problem{Collective::broadcast, 1, 1'000'000};
    const std::size_t needed = forecast(cube, {}, problem).memory_bytes;
    CHECK(needed > std::size_t{270} << 20);
    CHECK(needed < std::size_t{400} << 20);
    Machine machine(cube, {.memory_limit = std::size_t{200} << 20});
    CHECK_THROWS_WITH(run_verified(machine, problem), Catch::Contains("would need"));
}

TEST_CASE("a forecast's time counts the nodes that have nothing to do in a step", "[run][long]")
{
    const Forecast scatter = forecast(Topology::hypercube(20), {}, {Collective::scatter, 64});
    CHECK(scatter.seconds.value_or(0) > 10);  // 52 429 steps of a million nodes
}

TEST_CASE("a report of several runs is one table of CSV, and its keys are those of the list", "[run]")
{
    Machine machine(Topology::hypercube(3));
    std::vector<Report> reports;
    for (const Collective collective : {Collective::scatter, Collective::all_to_all})
        reports.push_back(run_verified(machine, {collective, 8}));
    const std::string csv = to_csv(to_json(std::span<const Report>(reports)));
    CHECK(std::ranges::count(csv, '\n') == 3);
    std::string keys;
    for (const ReportField& field : report_fields())
        if (field.stands_in(RecordKind::report))
            keys.append(keys.empty() ? "" : ",").append(field.key);
    CHECK(csv.starts_with(keys + "\n"));
    CHECK_THAT(csv, Catch::Contains("\n1,scatter,") && Catch::Contains("\n1,all-to-all,"));
}

TEST_CASE("each key of a report stands once in the list, with words for it", "[run]")
{
    std::set<std::string_view> keys;
    for (const ReportField& field : report_fields()) {
        CAPTURE(field.key);
        CHECK(keys.insert(field.key).second);
        CHECK_FALSE(field.about.empty());
        CHECK(field.records != 0);
    }
}

TEST_CASE("verified runs: a short one is repeated warm, and one that is longer than that is called cold", "[run]")
{
    Machine machine(Topology::hypercube(2), {.threads = 1});
    const Problem problem{Collective::all_to_all, 1, 1};
    std::size_t traced = 0;
    std::size_t steps = 0;
    CallOptions call;
    call.run.trace = [&](const Transmission&) { ++traced; };
    call.run.on_step = [&](Step) { ++steps; };
    const Report warm = run_verified(machine, problem, {.warm_seconds = 3600}, call);
    CHECK(warm.warm_runs == 1000);
    CHECK(warm.repeat == 1);
    CHECK_FALSE(warm.is_cold());
    CHECK(traced == warm.counts.transmissions);  // of one run
    CHECK(steps == warm.counts.steps);
    const Report cold = run_verified(machine, problem, {.warm_seconds = 3600, .longest_cold_seconds = 1e-9});
    CHECK(cold.warm_runs == 0);
    CHECK(cold.is_cold());
    CHECK(cold.counts.wall_seconds > 0);
    CHECK_FALSE(run_verified(machine, problem, {.repeat = 3, .warm_seconds = 3600}).is_cold());
}
