#include "tests/support/program_run.hpp"

#include "emu/script.hpp"
#include "tests/support/local_world.hpp"
#include "tests/support/own_threads.hpp"

#include "emu/arrival_times.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

namespace test_support {

using namespace dcube;

namespace {

using Kind = Call::Kind;

// One node's program and what it works with.
struct Actor {
    const RandomProgram* program;
    NodeId id;
    const Calls* calls;
    std::vector<std::byte> memory;
    std::vector<std::vector<std::span<const std::byte>>> joined;  // by call
    std::vector<std::uint64_t> answers;
    Usable received = detail::usable_at(0);
    Step script_begins = 0;
    std::optional<detail::ArrivalTimes> since{};  // scripts: when what lies there came

    Actor(const RandomProgram& made, NodeId node)
        : program(&made), id(node), calls(&made.nodes[node]), memory(made.memory)
    {
        for (std::size_t at = 0; at < memory.size(); ++at)
            memory[at] = first_byte(id, at);
        for (const Call& call : *calls)
            joined.push_back({at(call.from), at(call.other)});
    }

    // The regions for a script.
    Regions regions()
    {
        const Areas& areas = program->areas[id];
        Regions made{.bytes = areas.bytes, .origin = areas.origin, .combine = mix, .since = &*since};
        for (std::size_t place = 0; place < areas.places.size(); ++place) {
            const Area& area = areas.places[place];
            made.regions[place] = {memory.data() + area.at, area.size, area.block_stride, area.index_stride};
        }
        return made;
    }

    std::span<std::byte> at(Stretch stretch) { return std::span(memory).subspan(stretch.at, stretch.bytes); }
    void answer(std::uint64_t word) { answers.push_back(word); }
    void note(Usable usable, std::uint64_t header)
    {
        received = usable;
        answer(usable.ticks());
        answer(header);
    }
};

std::uint64_t word_of_borrowed(const BorrowedBytes& bytes)
{
    return word_of(std::span(bytes.data(), bytes.size()));
}

// Looks at a packet where its sender has it, and copies it if there is room.
void receive_view(Node& me, Actor& actor, const Call& call)
{
    const BorrowedPacket packet = me.receive(call.port);
    actor.note(packet.usable, packet.header);
    actor.answer(word_of_borrowed(packet));
    if (call.into.at + packet.size() <= actor.memory.size())
        me.copy(actor.at({call.into.at, packet.size()}), packet);
}

void receive_joined(Node& me, Actor& actor, const Call& call)
{
    const BorrowedParts packet = me.receive_joined(call.port);
    actor.note(packet.usable, 0);
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < packet.size(); ++i)
        bytes.insert(bytes.end(), packet[i].data(), packet[i].data() + packet[i].size());
    actor.answer(word_of(bytes));
    if (call.into.at + bytes.size() > actor.memory.size())
        return;
    std::size_t at = call.into.at;
    for (std::size_t i = 0; i < packet.size(); ++i) {
        me.copy(actor.at({at, packet[i].size()}), packet[i]);
        at += packet[i].size();
    }
}

void send(Node& me, Actor& actor, const Call& call, std::size_t index)
{
    const Usable usable = call.as_received ? actor.received
                          : call.of_script ? actor.since->of(actor.at(call.from))
                                           : Usable();
    if (call.kind == Kind::send_joined)
        me.send(call.port, JoinedPacket{actor.joined[index], usable});
    else
        me.send(call.port, actor.at(call.from), call.word, usable);
}

// Calls that end no step.
void perform(Node& me, Actor& actor, std::size_t index)
{
    const Call& call = (*actor.calls)[index];
    switch (call.kind) {
    case Kind::send:
    case Kind::send_joined: return send(me, actor, call, index);
    case Kind::receive_into: {
        const Packet packet = me.receive(call.port, actor.at(call.into));
        return call.of_script ? actor.since->set(packet) : actor.note(packet.usable, packet.header);
    }
    case Kind::receive_sum: {
        const Packet packet = me.receive(call.port, actor.at(call.into), actor.at(call.other), mix);
        return call.of_script ? actor.since->set_sum(packet, actor.at(call.other))
                              : actor.note(packet.usable, packet.header);
    }
    case Kind::receive_view: return receive_view(me, actor, call);
    case Kind::receive_joined: return receive_joined(me, actor, call);
    case Kind::peek: {
        const BorrowedPacket packet = me.peek(call.port);
        actor.answer(packet.usable.ticks());
        actor.answer(packet.header);
        return actor.answer(word_of_borrowed(packet));
    }
    case Kind::arrived: return actor.answer(me.arrived(call.port));
    case Kind::has_room: return actor.answer(me.has_room(call.port));
    case Kind::write: std::ranges::fill(actor.at(call.into), static_cast<std::byte>(call.word)); return;
    case Kind::copy: return me.copy(actor.at(call.into), actor.at(call.from));
    case Kind::sum: return me.combine(actor.at(call.into), actor.at(call.other), actor.at(call.from), mix);
    case Kind::allocate: std::ranges::fill(me.allocate(call.word), std::byte{1}); return;
    case Kind::fail:
        if (call.word == 0)
            throw 7;
        throw std::runtime_error("an exception of its own");
    case Kind::next_step:
    case Kind::until:
    case Kind::await_arrival:
    case Kind::await_room:
    case Kind::begin_task:
    case Kind::end_task:
    case Kind::forget_task:
    case Kind::follow:
    case Kind::stage: return;  // the coroutine's
    case Kind::begin_script:
        actor.script_begins = call.word == 0 ? me.step() : static_cast<Step>(call.word);
        if (actor.script_begins - 1 + call.from.at < me.step())
            throw std::runtime_error("too late for this script");
        return;
    }
}

std::size_t end_of_task(const Calls& calls, std::size_t begin)
{
    std::size_t at = begin;
    for (int open = 1; open != 0;) {
        ++at;
        open += calls[at].kind == Kind::begin_task;
        open -= calls[at].kind == Kind::end_task;
    }
    return at;
}

Task act(Node& me, Actor& actor, std::size_t first, std::size_t last);

Task act_and_catch(Node& me, Actor& actor, std::size_t first, std::size_t last)
{
    Task sub = act(me, actor, first, last);
    try {
        co_await sub;
    } catch (...) {
        actor.answer(caught);
    }
}

// An object that a program may keep over a step.
struct alignas(64) Kept {
    std::size_t index = 0;
};

bool is_kept(const Kept& kept, std::size_t index)
{
    return kept.index == index && reinterpret_cast<std::uintptr_t>(&kept) % alignof(Kept) == 0;
}

Task act(Node& me, Actor& actor, std::size_t first, std::size_t last)
{
    Kept kept;
    for (std::size_t index = first; index < last; ++index) {
        const Call& call = (*actor.calls)[index];
        kept.index = index;
        if (call.kind == Kind::next_step) {
            co_await me.next_step();
        } else if (call.kind == Kind::until) {
            co_await me.until(static_cast<Step>(call.word));
        } else if (call.kind == Kind::await_arrival) {
            co_await me.arrival(call.port);
        } else if (call.kind == Kind::await_room) {
            co_await me.room(call.port);
        } else if (call.kind == Kind::stage) {
            co_await me.until(actor.script_begins - 1 + static_cast<Step>(call.word));
            continue;
        } else if (call.kind == Kind::follow) {
            const Regions regions = actor.regions();
            const Script script = actor.program->script(call.script, call.stages);
            co_await follow(me, script, regions, static_cast<Step>(call.word));
        } else if (call.kind == Kind::begin_task) {
            const std::size_t end = end_of_task(*actor.calls, index);
            Task sub = call.caught ? act_and_catch(me, actor, index + 1, end) : act(me, actor, index + 1, end);
            co_await sub;
            index = end;
            continue;
        } else if (call.kind == Kind::forget_task) {
            [[maybe_unused]] Task forgotten = act(me, actor, 0, 0);
            continue;
        } else {
            perform(me, actor, index);
            continue;
        }
        actor.answer(is_kept(kept, index) ? me.step() : 0);
    }
}

RunOptions options_for(const RandomProgram& program, std::vector<Actor>& actors, Outcome& outcome, StopSource& stop)
{
    RunOptions options;
    if (program.counted) {
        options.stop = stop.get_token();
        options.on_step = [&](Step step) {
            ++outcome.told;
            if (step != outcome.told)
                throw std::logic_error("on_step was not called for every step in turn");
            if (step == program.stop_after)
                stop.request_stop();
        };
    }
    if (program.traced) {
        options.trace = [&](const Transmission& one) { outcome.trace.push_back(trace_text(one)); };
        options.labels = [&](NodeId id) {
            std::vector<Label> labels;
            for (const auto& [at, piece] : program.labels[id])
                labels.push_back({actors[id].at({at, piece.length}), piece});
            return labels;
        };
    }
    return options;
}

// One rank's part of a run, and its text of a failure.
struct RankOutcome {
    Outcome outcome;
    std::string error;
    NodeRange own;
};

RankOutcome run_on_rank(const RandomProgram& program, Machine& machine, const std::function<void()>& prelude = {})
{
    std::vector<Actor> actors;
    for (NodeId id = 0; id < program.topology.nodes(); ++id)
        actors.emplace_back(program, id);
    RankOutcome all{{}, {}, machine.own_nodes()};
    Outcome& outcome = all.outcome;
    StopSource stop;
    const RunOptions options = options_for(program, actors, outcome, stop);
    if (prelude)
        prelude();
    try {
        outcome.counts = counts_text(machine.run(
            [&](Node& me) {
                Actor& actor = actors[me.id()];
                actor.since.emplace(me);
                return act(me, actor, 0, actor.calls->size());
            },
            options));
    } catch (const RuleViolation& violation) {
        outcome.failure = failure_text(violation.rule, violation.step, violation.node, violation.port);
        all.error = violation.what();
    } catch (const ProgramError& error) {
        outcome.failure = failure_text(error.step, error.node);
        all.error = error.what();
    } catch (const Interrupted& interrupted) {
        outcome.failure = interrupted.what();
    }
    for (Actor& actor : actors) {
        outcome.memory.push_back(std::move(actor.memory));
        outcome.answers.push_back(std::move(actor.answers));
    }
    return all;
}

// Every node's memory and answers from its own rank; of texts that all ranks get, those that differ.
Outcome put_together(std::vector<RankOutcome>& ranks)
{
    Outcome all = std::move(ranks.front().outcome);
    for (RankOutcome& rank : std::span(ranks).subspan(1)) {
        if (rank.outcome.failure != all.failure || rank.error != ranks.front().error)
            all.failure = fmt::format("ranks differ: '{}' and '{}'", ranks.front().error, rank.error);
        if (rank.outcome.counts != all.counts)
            all.counts = fmt::format("ranks differ: {} and {}", all.counts, rank.outcome.counts);
        if (!rank.outcome.trace.empty())
            all.trace.emplace_back("a second sink was called");
        for (NodeId node = rank.own.first; node < rank.own.last; ++node) {
            all.memory[node] = std::move(rank.outcome.memory[node]);
            all.answers[node] = std::move(rank.outcome.answers[node]);
        }
    }
    return all;
}

}  // namespace

Machine machine_for(const RandomProgram& program, ChannelKind channel, unsigned threads, std::shared_ptr<World> world)
{
    MachineOptions options = program.machine;
    options.channel = channel;
    options.threads = threads;
    options.world = std::move(world);
    options.workers = std::make_shared<OwnThreads>(threads, OwnThreads::When::always);
    return Machine(program.topology, options);
}

Outcome run_on_machine(const RandomProgram& program, Machine& machine, const std::function<void()>& prelude)
{
    return run_on_rank(program, machine, prelude).outcome;
}

std::vector<Outcome> run_on_ranks(const RandomProgram& program, ChannelKind channel, unsigned threads, unsigned ranks,
                                  std::size_t times)
{
    std::vector<std::vector<RankOutcome>> by_time(times, std::vector<RankOutcome>(ranks));
    run_ranks(ranks, [&](const std::shared_ptr<World>& world) {
        Machine machine = machine_for(program, channel, threads, world);
        for (std::vector<RankOutcome>& one : by_time)
            one[world->rank()] = run_on_rank(program, machine);
    });
    std::vector<Outcome> outcomes;
    for (std::vector<RankOutcome>& one : by_time)
        outcomes.push_back(put_together(one));
    return outcomes;
}

}  // namespace test_support
