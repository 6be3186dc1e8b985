#include "tests/support/alike_on_ranks.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/local_world.hpp"
#include "tests/support/own_threads.hpp"
#include "tests/support/wrong_programs.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <vector>

namespace test_support {

using namespace dcube;

namespace {

struct Told {
    std::string kind;
    std::string text;
    std::string afterwards;
};

// Exchanges something with all neighbours, a dimension after the other, so that one-port machines can do it too.
Task good(Node& me)
{
    std::array<std::byte, 8> theirs{};
    for (Port port = 0; port < me.ports(); ++port)
        co_await me.exchange(port, dcube::wrong::eight, theirs);
}

// An error's type. A program's exception is itself where it was thrown, and an Error elsewhere.
std::string kind_of(const std::exception& error)
{
    if (dynamic_cast<const RuleViolation*>(&error) != nullptr)
        return "RuleViolation";
    if (dynamic_cast<const ProgramError*>(&error) != nullptr)
        return "ProgramError";
    if (dynamic_cast<const InvalidArgument*>(&error) != nullptr)
        return "InvalidArgument";
    if (dynamic_cast<const Interrupted*>(&error) != nullptr)
        return "Interrupted";
    return "Error";
}

Told told_by(const RankedRun& run, const MachineOptions& options)
{
    Machine machine(Topology::hypercube(run.dimension), options);
    const RunOptions how = run.options(machine.world());
    Told told;
    try {
        machine.run(run.program, how);
    } catch (const std::exception& error) {
        told.kind = kind_of(error);
        told.text = error.what();
    }
    try {
        const Counts counts = machine.run(good);
        told.afterwards =
            fmt::format("{} packets in {} steps, {} ticks", counts.transmissions, counts.steps, counts.virtual_time);
    } catch (const Error& error) {  // where no time fits
        told.afterwards = error.what();
    }
    return told;
}

}  // namespace

std::string told_alike(const RankedRun& run)
{
    MachineOptions options = run.machine;
    options.threads = 1;
    const Told expected = told_by(run, options);
    const bool goes_on = expected.afterwards.find("packets in") != std::string::npos;
    CHECK((goes_on || expected.text.starts_with("time-overflow")));
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc})
        for (const unsigned ranks : {2U, 3U, 5U, 8U}) {
            std::vector<Told> told(ranks);
            run_ranks(ranks, [&](const std::shared_ptr<World>& world) {
                MachineOptions own = run.machine;
                own.world = world;
                own.channel = channel;
                own.threads = 1 + ranks % 2;
                own.workers = std::make_shared<OwnThreads>(own.threads, OwnThreads::When::always);
                told[world->rank()] = told_by(run, own);
            });
            for (unsigned rank = 0; rank < ranks; ++rank) {
                CAPTURE(name(channel), ranks, rank);
                CHECK(told[rank].text == expected.text);
                CHECK(told[rank].kind == expected.kind);
                CHECK(told[rank].afterwards == expected.afterwards);
            }
        }
    return expected.text;
}

Machine::Program on_link(Crossing link, Task (*sender)(Node&), Task (*receiver)(Node&))
{
    return [link, sender, receiver](Node& me) -> Task {
        if (me.id() == link.from) {
            Task sub = sender(me);
            co_await sub;
        }
        if (me.id() == link.to) {
            Task sub = receiver(me);
            co_await sub;
        }
    };
}

}  // namespace test_support
