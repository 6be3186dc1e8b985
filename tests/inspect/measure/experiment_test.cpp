// Experiments, with a clock and subjects that are made up: nothing here takes the time that it says.

#include "inspect/measure/experiment.hpp"
#include "tests/support/catch.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace dcube::measure;

namespace {

// The events of an experiment, in its own time.
struct Stand {
    double time = 0;
    std::string events;  // a letter for each: Preparation, run (the cell's letter), check, destruction
    std::vector<Stage> stages;

    Surroundings surroundings(dcube::StopToken stop = {})
    {
        return {.now = [this] { return time; },
                .stop = std::move(stop),
                .tell = [this](const Stage& stage) { stages.push_back(stage); }};
    }
};

// Takes as long as it was made to, and as much longer in its first run.
class MadeUp : public Subject {
public:
    MadeUp(Stand& stand, char letter, double seconds) : stand_(stand), letter_(letter), seconds_(seconds)
    {
        stand_.events += 'P';
    }
    ~MadeUp() override { stand_.events += 'D'; }

    double run() override
    {
        stand_.events += letter_;
        stand_.time += seconds_ * (first_ ? 3 : 1);
        first_ = false;
        return seconds_;
    }
    void check() override { stand_.events += '?'; }
    [[nodiscard]] Facts facts() const override { return {.algorithm = std::string(1, letter_)}; }
    [[nodiscard]] dcube::EngineCounts engine_counts() const override
    {
        return {.steps_together = 2, .crossing_packets = 3};
    }

private:
    Stand& stand_;
    char letter_;
    double seconds_;
    bool first_ = true;
};

Candidate candidate(Stand& stand, char letter, double seconds, std::uint64_t memory = 1)
{
    return {memory, [&stand, letter, seconds] { return std::make_unique<MadeUp>(stand, letter, seconds); }};
}

constexpr std::uint64_t plenty = 1000;

std::size_t samples_in(const Outcome& outcome)
{
    std::size_t samples = 0;
    for (const Round& round : outcome.rounds)
        samples += round.samples_seconds.size();
    return samples;
}

}  // namespace

TEST_CASE("experiment: each cell has all rounds, at least its time and its samples, and one check before", "[measure]")
{
    Stand stand;
    const std::vector<Candidate> cells{candidate(stand, 'a', 0.001), candidate(stand, 'b', 0.03)};
    const std::vector<Outcome> outcomes = experiment(cells, {.rounds = 8, .keep_bytes = plenty}, stand.surroundings());
    REQUIRE(outcomes.size() == 2);
    for (const Outcome& outcome : outcomes) {
        CHECK(!outcome.obstacle);
        CHECK(outcome.interleaved);
        CHECK(outcome.rounds.size() == 8);
    }
    CHECK(outcomes[0].facts.algorithm == "a");
    CHECK(samples_in(outcomes[0]) >= 400);  // 0.4 s of 1 ms
    CHECK(samples_in(outcomes[0]) <= 410);
    CHECK(samples_in(outcomes[1]) == 16);  // slices of 50 ms
    CHECK(std::ranges::count(stand.events, '?') == 2);
    CHECK(stand.events.starts_with("Pa?Pb?"));
    CHECK(stand.events.ends_with("DD"));
}

TEST_CASE("experiment: cells are interleaved, in an order that the seed decides", "[measure]")
{
    const auto order = [](std::uint64_t seed) {
        Stand stand;
        const std::vector<Candidate> cells{candidate(stand, 'a', 0.1), candidate(stand, 'b', 0.1),
                                           candidate(stand, 'c', 0.1)};
        std::map<std::size_t, char> by_order;
        const BenchEffort effort{
            .min_seconds = 0.1, .min_samples = 1, .rounds = 8, .order_seed = seed, .keep_bytes = plenty};
        for (const Outcome& outcome : experiment(cells, effort, stand.surroundings()))
            for (const Round& round : outcome.rounds)
                by_order[round.order] = outcome.facts.algorithm.front();
        std::string letters;
        for (const auto& [when, letter] : by_order)
            letters += letter;
        return letters;
    };
    const std::string letters = order(1);
    REQUIRE(letters.size() == 24);
    std::set<std::string> rounds;
    for (std::size_t round = 0; round < 8; ++round) {
        std::string of_round = letters.substr(3 * round, 3);
        rounds.insert(of_round);
        std::ranges::sort(of_round);
        CHECK(of_round == "abc");
    }
    CHECK(rounds.size() > 1);
    CHECK(order(1) == letters);
    CHECK(order(2) != letters);
}

TEST_CASE("experiment: long runs have fewer rounds, evenly spread, six at least, and very long ones one", "[measure]")
{
    Stand stand;
    const std::vector<Candidate> cells{candidate(stand, 'a', 0.5), candidate(stand, 'b', 1.0),
                                       candidate(stand, 'c', 4.0), candidate(stand, 'd', 0.3)};
    const std::vector<Outcome> outcomes = experiment(cells, {.rounds = 8, .keep_bytes = plenty}, stand.surroundings());
    CHECK(outcomes[0].rounds.size() == 6);  // 3 s of 0.5 s
    CHECK(samples_in(outcomes[0]) == 6);
    CHECK(outcomes[1].rounds.size() == 6);
    CHECK(samples_in(outcomes[1]) == 6);
    CHECK(outcomes[2].rounds.size() == 1);
    CHECK(outcomes[3].rounds.size() == 8);
    CHECK(outcomes[1].rounds.back().order > 16);  // to the end of the experiment
}

TEST_CASE("experiment: a round has at most so many samples, and a cell at most so much time", "[measure]")
{
    Stand stand;
    const std::vector<Candidate> cells{candidate(stand, 'a', 1e-6), candidate(stand, 'b', 0.2)};
    const BenchEffort effort{.min_seconds = 1,
                             .max_seconds = 2,
                             .min_samples = 50,
                             .max_samples_a_round = 20,
                             .rounds = 4,
                             .keep_bytes = plenty};
    const std::vector<Outcome> outcomes = experiment(cells, effort, stand.surroundings());
    CHECK(samples_in(outcomes[0]) == 4 * 20);
    CHECK(samples_in(outcomes[1]) <= 10);
    CHECK(samples_in(outcomes[1]) >= 8);
}

TEST_CASE("experiment: short runs last their time, and samples are spread over it", "[measure]")
{
    Stand stand;
    const std::vector<Candidate> cells{candidate(stand, 'a', 1e-4)};
    const BenchEffort effort{.min_seconds = 2, .max_samples_a_round = 10, .rounds = 4, .keep_bytes = plenty};
    const std::vector<Outcome> outcomes = experiment(cells, effort, stand.surroundings());
    CHECK(stand.time == Approx(2).epsilon(0.01));
    CHECK(samples_in(outcomes[0]) == 4 * 10);
}

TEST_CASE("experiment: how threads shared the samples is added up, and warm-up runs are none", "[measure]")
{
    Stand stand;
    const std::vector<Candidate> cells{candidate(stand, 'a', 0.1)};
    const CellCounts counts = experiment(cells, {.rounds = 8, .keep_bytes = plenty}, stand.surroundings())[0].counts;
    CHECK(counts.samples >= 8);
    CHECK(counts.samples < static_cast<std::uint64_t>(std::ranges::count(stand.events, 'a')));
    CHECK(counts.engine.steps_together == 2 * counts.samples);
    CHECK(counts.engine.crossing_packets == 3 * counts.samples);
    CHECK(counts.hardware_samples == 0);
}

TEST_CASE("experiment: counters are read around slices, and count as if every run were a sample", "[measure]")
{
    constexpr PerfCounters::Events of_kernel{{{1, 1}, {1, 1}, {1, 2}}};  // task clock twice, page faults
    PerfCounters counters(of_kernel);
    if (!counters.obstacle().empty()) {
        WARN("not tried: " + counters.obstacle());
        return;
    }
    Stand stand;
    const std::vector<Candidate> cells{candidate(stand, 'a', 1e-4)};
    const BenchEffort effort{.min_seconds = 2, .max_samples_a_round = 10, .rounds = 4, .keep_bytes = plenty};
    Surroundings around = stand.surroundings();
    around.counters = &counters;
    const CellCounts counts = experiment(cells, effort, around)[0].counts;
    CHECK(counts.samples == 4 * 10);
    CHECK(counts.hardware_samples == counts.samples);
    CHECK(counts.hardware.cycles > 0);
    const double all = counters.sums()->cycles;
    const auto runs = static_cast<double>(std::ranges::count(stand.events, 'a'));
    CHECK(counts.hardware.cycles < all * 2 * static_cast<double>(counts.samples) / runs);
}

TEST_CASE("experiment: a cell that does not fit beside the others is measured alone and first, and freed before them",
          "[measure]")
{
    Stand stand;
    const std::vector<Candidate> cells{candidate(stand, 'a', 0.1, 300), candidate(stand, 'b', 0.1, 900),
                                       candidate(stand, 'c', 0.1, 600)};
    const BenchEffort effort{.min_seconds = 0.1, .min_samples = 1, .rounds = 2, .keep_bytes = plenty};
    const std::vector<Outcome> outcomes = experiment(cells, effort, stand.surroundings());
    CHECK(stand.events.starts_with("Pb?bbDP"));
    CHECK_FALSE(outcomes[1].interleaved);
    CHECK(outcomes[0].interleaved);
    CHECK(outcomes[2].interleaved);
    CHECK(outcomes[1].rounds.size() == 2);
    const std::vector<Candidate> one{candidate(stand, 'a', 0.1, 2000)};
    CHECK(experiment(one, effort, stand.surroundings())[0].interleaved);
}

TEST_CASE("experiment: warm-up runs are no samples, and the check can be left out", "[measure]")
{
    Stand stand;
    const std::vector<Candidate> cells{candidate(stand, 'a', 1)};
    const BenchEffort effort{.min_seconds = 1,
                             .max_seconds = 100,
                             .min_samples = 1,
                             .rounds = 1,
                             .warm_up_runs = 4,
                             .check = false,
                             .keep_bytes = plenty};
    const std::vector<Outcome> outcomes = experiment(cells, effort, stand.surroundings());
    CHECK(stand.events == "PaaaaaD");
    CHECK(samples_in(outcomes[0]) == 1);
}

TEST_CASE("experiment: cells that cannot be prepared are reported, and the others measured", "[measure]")
{
    Stand stand;
    const std::vector<Candidate> cells{
        {1, []() -> std::unique_ptr<Subject> { throw dcube::InvalidArgument("no room for it"); }},
        candidate(stand, 'a', 0.1),
        {1, []() -> std::unique_ptr<Subject> { throw std::bad_alloc(); }}};
    const std::vector<Outcome> outcomes = experiment(cells, {.rounds = 8, .keep_bytes = plenty}, stand.surroundings());
    CHECK_THAT(outcomes[0].obstacle->what(), Catch::Equals("no room for it"));
    CHECK(outcomes[0].rounds.empty());
    CHECK(outcomes[1].rounds.size() == 8);
    CHECK_THAT(outcomes[2].obstacle->what(), Catch::Equals("out of memory"));
}

TEST_CASE("experiment: a stop ends it, and an exception of a subject is passed on", "[measure][negative]")
{
    Stand stand;
    dcube::StopSource source;
    const std::vector<Candidate> cells{candidate(stand, 'a', 0.1)};
    Surroundings around = stand.surroundings(source.get_token());
    around.tell = [&](const Stage& stage) {
        if (stage.seconds_left)
            source.request_stop();
    };
    CHECK_THROWS_AS(experiment(cells, {.rounds = 8, .keep_bytes = plenty}, around), dcube::Interrupted);
    const std::vector<Candidate> broken{{1, []() -> std::unique_ptr<Subject> { throw std::runtime_error("wrong"); }}};
    CHECK_THROWS_AS(experiment(broken, {.rounds = 8, .keep_bytes = plenty}, stand.surroundings()), std::runtime_error);
}

TEST_CASE("experiment: a stop keeps the rounds that were finished", "[measure]")
{
    Stand stand;
    dcube::StopSource source;
    const std::vector<Candidate> cells{candidate(stand, 'a', 0.1), candidate(stand, 'b', 0.1)};
    Surroundings around = stand.surroundings(source.get_token());
    int slices = 0;
    around.tell = [&](const Stage& stage) {
        if (stage.seconds_left && ++slices == 6)  // two rounds of both, and one of either
            source.request_stop();
    };
    const std::vector<Outcome> outcomes = experiment(cells, {.rounds = 8, .keep_bytes = plenty}, around);
    CHECK(outcomes[0].rounds.size() + outcomes[1].rounds.size() == 5);
    CHECK((outcomes[0].interrupted && outcomes[1].interrupted));
    CHECK((!outcomes[0].obstacle && !outcomes[1].obstacle));
    CHECK(outcomes[0].facts.algorithm == "a");
}

TEST_CASE("experiment: without a warm-up the first, cold run is a sample, and checked", "[measure]")
{
    Stand stand;
    const std::vector<Outcome> outcomes =
        experiment(std::vector<Candidate>{candidate(stand, 'a', 0.1)},
                   {.rounds = 8, .warm_up_runs = 0, .keep_bytes = plenty}, stand.surroundings());
    CHECK_THAT(stand.events, Catch::StartsWith("Pa?a"));
    CHECK(outcomes[0].rounds.size() == 8);
    CHECK(samples_in(outcomes[0]) == static_cast<std::size_t>(std::ranges::count(stand.events, 'a')));
}

TEST_CASE("experiment: progress gives the cells that are prepared, then the time that is left", "[measure]")
{
    Stand stand;
    const std::vector<Candidate> cells{candidate(stand, 'a', 0.05), candidate(stand, 'b', 0.05)};
    experiment(cells, {.rounds = 8, .keep_bytes = plenty}, stand.surroundings());
    REQUIRE(stand.stages.size() == 2 + 16);
    CHECK(stand.stages[1].prepared == 1);
    CHECK(stand.stages[1].cells == 2);
    CHECK_FALSE(stand.stages[1].seconds_left.has_value());
    for (std::size_t i = 3; i < stand.stages.size(); ++i)
        CHECK(*stand.stages[i].seconds_left < *stand.stages[i - 1].seconds_left);
    CHECK(*stand.stages[2].seconds_left == Approx(0.8));
    CHECK(*stand.stages.back().seconds_left == Approx(0.05));
}

TEST_CASE("experiment: a collective on a machine is run, timed, counted and checked", "[measure]")
{
    Setup setup;
    setup.topology = dcube::Topology::hypercube(3);
    setup.problem.bytes = 8;
    setup.machine.threads = 1;
    CHECK(memory_of(setup) >= 2 * 8 * 8 * 8);
    const std::unique_ptr<Subject> subject = prepared(setup, {});
    CHECK_THROWS_AS(subject->check(), dcube::VerificationError);  // nothing has been run
    CHECK_FALSE(subject->facts().verified);
    CHECK(subject->run() > 0);
    subject->check();
    const Facts facts = subject->facts();
    CHECK(facts.verified);
    CHECK(facts.threads == 1);
    CHECK(subject->engine_counts().steps_alone >= facts.steps);
    CHECK(subject->engine_counts().steps_together == 0);
    CHECK(facts.steps == 4);
    CHECK(facts.transmissions == 8 * 3 * 4);
    CHECK(facts.link_bytes == 8 * 3 * 4 * 8);
    CHECK(facts.data_bytes == 2 * 8 * 8 * 8);
    setup.algorithm = "no-such";
    CHECK_THROWS_AS(prepared(setup, {}), dcube::InvalidArgument);
}

TEST_CASE("experiment: each slice has a turn of its own, and the cells are prepared before the first", "[measure]")
{
    struct Noted : Turns {
        explicit Noted(Stand& its) : stand(its) {}
        void wait() override { stand.events += '('; }
        void pass() override { stand.events += ')'; }
        Stand& stand;
    };
    Stand stand;
    Noted turns(stand);
    Surroundings around = stand.surroundings();
    around.turns = &turns;
    const std::vector<Candidate> cells{candidate(stand, 'a', 0.1), candidate(stand, 'b', 0.1)};
    const BenchEffort effort{.min_seconds = 0.1, .min_samples = 1, .rounds = 2, .keep_bytes = plenty};
    for (const Outcome& outcome : experiment(cells, effort, around))
        CHECK(outcome.rounds.size() == 2);
    CHECK(stand.events.starts_with("Pa?Pb?("));
    CHECK(std::ranges::count(stand.events, '(') == 4);
    CHECK(std::ranges::count(stand.events, ')') == 4);
    CHECK(stand.events.find("()") == std::string::npos);
    CHECK(stand.events.find(")a") == std::string::npos);
    CHECK(stand.events.find(")b") == std::string::npos);
}
