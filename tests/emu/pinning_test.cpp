// Pinning: in which order processors are taken, and that threads are given back as they came.

#include "emu/pinning.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/local_world.hpp"
#include "tests/support/own_threads.hpp"

#include <dcube/error.hpp>
#include <dcube/machine.hpp>

#include <sched.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

using namespace dcube;
using namespace dcube::detail;
using test_support::OwnThreads;

namespace {

using Numbers = std::vector<unsigned>;

Numbers order(const std::string& machine, const Pinning& pinning, const Numbers& allowed = {})
{
    return Processors::described(machine, allowed).order(pinning);
}

// The processors on which the calling thread may run. Nodes ask as well, so nothing is asserted here.
Numbers allowed_here()
{
    cpu_set_t mask;
    CPU_ZERO(&mask);
    Numbers all;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0)
        return all;
    for (unsigned processor = 0; processor < CPU_SETSIZE; ++processor)
        if (CPU_ISSET(processor, &mask))
            all.push_back(processor);
    return all;
}

}  // namespace

TEST_CASE("pinning: compact fills cores that lie side by side, each with one thread before any has two",
          "[emu][pinning][tbb]")
{
    const Numbers expected{0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15};
    CHECK(order("pack:2 [numa] core:4 pu:2", Pinning::compact) == expected);
    CHECK(order("pack:2 [numa] l3:2 core:2 pu:2", Pinning::compact) == expected);
    CHECK(order("core:4 pu:1", Pinning::compact) == Numbers{0, 1, 2, 3});
}

TEST_CASE("pinning: scatter takes packages, memories and caches in turn", "[emu][pinning][tbb]")
{
    CHECK(order("pack:2 [numa] core:4 pu:2", Pinning::scatter) ==
          Numbers{0, 8, 2, 10, 4, 12, 6, 14, 1, 9, 3, 11, 5, 13, 7, 15});
    CHECK(order("pack:2 [numa] l3:2 core:2 pu:1", Pinning::scatter) == Numbers{0, 4, 2, 6, 1, 5, 3, 7});
    CHECK(order("pack:1 numa:3 core:2 pu:1", Pinning::scatter) == Numbers{0, 2, 4, 1, 3, 5});
    CHECK(order("core:4 pu:1", Pinning::scatter) == Numbers{0, 1, 2, 3});
}

TEST_CASE("pinning: the order has every processor that may be used once, and no other", "[emu][pinning][tbb]")
{
    for (const char* const machine : {"pack:2 numa:1 core:4 pu:2", "pack:2 numa:2 l3:2 core:3 pu:2", "pu:7"})
        for (const Pinning pinning : {Pinning::compact, Pinning::scatter}) {
            CAPTURE(machine, name(pinning));
            Numbers all = order(machine, pinning);
            std::ranges::sort(all);
            CHECK(std::ranges::adjacent_find(all) == all.end());
            CHECK(all.front() == 0);
            CHECK(all.back() == all.size() - 1);
        }
    CHECK(order("pack:2 numa:1 core:4 pu:2", Pinning::none).empty());
    CHECK(order("pack:2 numa:1 core:4 pu:2", Pinning::compact, {1, 3, 4, 5, 12}) == Numbers{1, 3, 4, 12, 5});
    CHECK(order("pack:2 numa:1 core:4 pu:2", Pinning::scatter, {1, 3, 4, 5, 12}) == Numbers{1, 12, 3, 4, 5});
    CHECK(order("pack:2 numa:1 core:4 pu:2", Pinning::scatter, {9}) == Numbers{9});
}

TEST_CASE("pinning: no-smt has one processor of each core, one-per-l3 one of each third-level cache, lists their own",
          "[emu][pinning][tbb]")
{
    const std::string machine = "pack:2 [numa] l3:2 core:2 pu:2";
    CHECK(order(machine, Pinning::no_smt) == Numbers{0, 2, 4, 6, 8, 10, 12, 14});
    CHECK(order(machine, Pinning::one_per_l3) == Numbers{0, 4, 8, 12});
    CHECK(order(machine, Pinning::one_per_l3, {1, 3, 9, 15}) == Numbers{1, 9, 15});
    CHECK(order(machine, Pinning({5, 0, 15})) == Numbers{5, 0, 15});
    CHECK(order("core:4 pu:1", Pinning::no_smt) == Numbers{0, 1, 2, 3});
}

TEST_CASE("pinning: what there is of a machine's processors is counted", "[emu][pinning][tbb]")
{
    const ProcessorCounts counts = Processors::described("pack:2 [numa] l3:2 core:3 pu:2").counts();
    CHECK(counts.processors == 24);
    CHECK(counts.cores == 12);
    CHECK(counts.l3_caches == 4);
    CHECK(counts.cores_per_l3 == 3);
    CHECK(counts.numa_nodes == 2);
    CHECK(counts.packages == 2);
    CHECK(counts.cores_per_package == 6);
    CHECK(counts.cores_of_kinds.empty());
    const ProcessorCounts plain = Processors::described("core:4 pu:1").counts();
    CHECK(plain.cores == 4);
    CHECK(plain.l3_caches == 0);
    CHECK(plain.packages == 1);
    CHECK(plain.cores_per_package == 4);
}

TEST_CASE("pinning: lists are read as they are written, shortest form", "[emu][pinning]")
{
    for (const char* const text : {"0", "0,2,4-7", "3-5,0", "7,6,5", "0,1", "10-12,1-3"})
        CHECK(name(parse_pinning(text)) == text);
    CHECK(parse_pinning("0,2,4-7").processors() == Numbers{0, 2, 4, 5, 6, 7});
    CHECK(name(parse_pinning("0,1,2,3")) == "0-3");
    CHECK(parse_pinning("0-3") == Pinning({0, 1, 2, 3}));
    CHECK(Pinning({0, 1}) != Pinning({1, 0}));
    CHECK(parse_pinning("no-smt") == Pinning::no_smt);
    for (const char* const text : {"", ",", "-", "0,", ",0", "0,,1", "3-1", "0-", "-1", "1-2-3", "0,0", "0-3,2",
                                   "65536", "99999999999", "0 ,1"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(parse_pinning(text), InvalidArgument);
    }
    CHECK_THROWS_AS(Pinning(Numbers{}), InvalidArgument);
}

TEST_CASE("pinning: processors that may not be used, and caches that are not listed, are refused",
          "[emu][pinning][tbb][negative]")
{
    CHECK_THROWS_WITH(order("core:4 pu:1", Pinning({0, 4})),
                      "pin: threads cannot be pinned to processor 4: this process may use 0-3");
    CHECK_THROWS_WITH(order("core:4 pu:1", Pinning::one_per_l3),
                      "pin: one-per-l3 is not possible: the system lists no third-level cache");
}

TEST_CASE("pinning: a machine has no more threads than listed processors", "[emu][pinning][tbb]")
{
    const unsigned first = allowed_here().front();
    CHECK(Machine(Topology::hypercube(8), {.threads = 2, .pinning = Pinning({first})}).threads() == 1);
}

TEST_CASE("pinning: a machine that is none, and one without a processor left, are refused",
          "[emu][pinning][tbb][negative]")
{
    CHECK_THROWS_AS(Processors::described("two cores"), InvalidArgument);
    const Numbers elsewhere{99};
    CHECK_THROWS_AS(Processors::described("core:2 pu:1", elsewhere), InvalidArgument);
    CHECK_THROWS_AS(parse_pinning("close"), InvalidArgument);
    CHECK(pinned_processors(Pinning::none).empty());
    for (const Pinning pinning :
         {Pinning::none, Pinning::compact, Pinning::scatter, Pinning::no_smt, Pinning::one_per_l3})
        CHECK(parse_pinning(name(pinning)) == pinning);
}

TEST_CASE("pinning: this process' processors are those that the thread may use", "[emu][pinning][tbb]")
{
    const Numbers here = allowed_here();
    for (const Pinning pinning : {Pinning::compact, Pinning::scatter}) {
        Numbers all = Processors::of_this_process().order(pinning);
        std::ranges::sort(all);
        CHECK(all == here);
        CHECK(pinned_processors(pinning) == Processors::of_this_process().order(pinning));
    }
}

TEST_CASE("pinning: a thread is bound for a while, and then as it was", "[emu][pinning][tbb]")
{
    const Numbers before = allowed_here();
    const Pins pins({before.back(), before.front()});
    for (std::size_t worker = 0; worker < 4; ++worker) {
        {
            const Pinned pinned(pins, worker);
            CHECK(allowed_here() == Numbers{worker % 2 == 0 ? before.back() : before.front()});
            const Pinned again(pins, worker + 1);
            CHECK(allowed_here() == Numbers{worker % 2 == 1 ? before.back() : before.front()});
        }
        CHECK(allowed_here() == before);
    }
    const Pinned nowhere(Pins({CPU_SETSIZE - 1}), 0);  // no such processor: nothing is changed
    const Pinned free(Pins(), 3);
    CHECK(allowed_here() == before);
}

TEST_CASE("pinning: workers of a machine keep to a processor each while it runs, and the caller's thread is given back",
          "[emu][pinning][tbb]")
{
    const Numbers before = allowed_here();
    for (const Pinning pinning : {Pinning::compact, Pinning::scatter}) {
        for (const bool own : {false, true}) {
            MachineOptions options{.threads = 3, .pinning = pinning};
            if (own)
                options.workers = std::make_shared<OwnThreads>(3, OwnThreads::When::always);
            Machine machine(Topology::hypercube(6), options);
            CHECK(machine.pinning() == pinning);
            CHECK(allowed_here() == before);
            std::mutex mutex;
            std::set<Numbers> seen;
            const auto look = [&](NodeId) {
                const Numbers here = allowed_here();
                const std::scoped_lock lock(mutex);
                seen.insert(here);
            };
            machine.for_each_node(look);
            machine.run([&](Node& me) -> Task {
                look(me.id());
                co_await me.next_step();
                look(me.id());
            });
            CHECK(std::ranges::all_of(seen, [](const Numbers& mask) { return mask.size() == 1; }));
            CHECK(seen.size() <= std::min<std::size_t>(3, before.size()));
            CHECK(allowed_here() == before);
        }
    }
}

TEST_CASE("pinning: a run that fails gives the caller's thread back as well", "[emu][pinning][tbb][negative]")
{
    const Numbers before = allowed_here();
    Machine machine(Topology::hypercube(3), {.threads = 2, .pinning = Pinning::scatter});
    CHECK_THROWS(machine.for_each_node([](NodeId id) {
        if (id == 5)
            throw InvalidArgument("node 5 does not want to");
    }));
    CHECK(allowed_here() == before);
    CHECK_THROWS(machine.run([](Node& me) -> Task {
        co_await me.next_step();
        throw InvalidArgument("no");
    }));
    CHECK(allowed_here() == before);
}

TEST_CASE("pinning: ranks of one host that would share processors are refused", "[emu][world][tbb]")
{
    const auto pinned = [](Pinning pinning) {
        test_support::run_ranks(2, [=](const std::shared_ptr<World>& world) {
            MachineOptions options;
            options.pinning = pinning;
            options.world = world;
            const Machine machine(Topology::hypercube(3), options);
        });
    };
    CHECK_NOTHROW(pinned(Pinning::none));
    CHECK_THROWS_WITH(pinned(Pinning::compact),
                      Catch::Matchers::StartsWith("pin: ranks 0 and 1 would both pin threads") &&
                          Catch::Matchers::EndsWith(", or choose none"));
}
