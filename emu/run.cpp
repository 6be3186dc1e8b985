#include "emu/run.hpp"

#include "emu/diagnosis.hpp"
#include "emu/remote_error.hpp"
#include "emu/summary.hpp"

#include <dcube/error.hpp>

#include <cassert>
#include <chrono>
#include <numeric>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

template <class Work>
Failure failure_of(const Work& work)
{
    try {
        work();
    } catch (...) {
        return {0, 0, std::current_exception()};
    }
    return {};
}

// The word passed to a chunk's worker in each step: the step's number, and the stage.
constexpr unsigned bits_of_step = 32;

}  // namespace

Counts Run::of(const Machine::Program& program)
{
    Border* const border = ranks_.border();
    ranks_.agree_on(options_, engine_.observers().watch_loans() || engine_.one_port());
    engine_.set_engine_counts({});
    const auto began = std::chrono::steady_clock::now();
    if (border)
        border->begin_traffic();
    Counts counts;
    Failure failure;
    try {
        start(program);
        steps();
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
        counts = count(wall.count());
        if (!failure_.error)
            engine_.set_engine_counts(count_engine());
        failure = Diagnosis(engine_).named_by_loss(failure_, counts.first_lost);
    } catch (...) {
        engine_.reset(false);
        throw;
    }
    engine_.reset(!failure_.error);
    if (failure.error)
        std::rethrow_exception(failure.error);
    return counts;
}

void Run::start(const Machine::Program& program)
{
    engine_.on_all_chunks([&](Chunk& chunk) { chunk.start(program); });
    ranks_.agree_on_failure(engine_.take_tally().failure);
    ranks_.agree_on_failure(failure_of([&] { engine_.prepare(options_); }));
}

void Run::steps()
{
    const Clock::Work work{[this](std::size_t chunk, std::uint64_t what) { return run_part(chunk, what); },
                           [this](const Summary& sum) { return close(sum); }, ranks_.border() != nullptr};
    engine_.set_step(1);
    const Clock::Efforts before = engine_.clock().efforts();
    engine_.clock().run(work, share(Stage::running, Clock::Next::How::by_guess, engine_.work_of_visit()));
    const Clock::Efforts after = engine_.clock().efforts();
    efforts_ = {after.helped - before.helped, after.sleeps - before.sleeps};
    if (lost_)
        std::rethrow_exception(std::exchange(lost_, {}));
}

// An error here is kept for the worker that closes the stage: the clock does not handle exceptions.
Summary Run::run_part(std::size_t chunk, std::uint64_t what)
{
    try {
        switch (static_cast<Stage>(what >> bits_of_step)) {
        case Stage::running: return engine_.chunks()[chunk].run_step(static_cast<Step>(what));
        case Stage::checking: engine_.observers().check_loans(engine_.chunks()[chunk]); break;
        case Stage::packing: ranks_.border()->pack_part(chunk); break;
        case Stage::entering: ranks_.border()->enter_part(chunk); break;
        }
        return {};
    } catch (...) {
        Chunk& failed = engine_.chunks()[chunk];
        failed.fail(Failure::of_machine(std::current_exception(), engine_.step(), failed.first()));
        return {.left = true, .able = true, .has_events = true};
    }
}

// An error between ranks ends the run on this rank alone: the workers wait for the next step, and the other ranks for
// this one.
Clock::Next Run::close(const Summary& own)
{
    try {
        return close_stage(own);
    } catch (...) {
        lost_ = Failure::of_machine(std::current_exception(), engine_.step(), ranks_.own().first).error;
    }
    if (ranks_.border())
        ranks_.world().abandon(what_of(lost_));
    return Clock::Next::stop;
}

Clock::Next Run::close_stage(const Summary& own)
{
    if (stage_ != Stage::running && own.has_events)
        std::rethrow_exception(engine_.take_tally().failure.error);
    switch (std::exchange(stage_, Stage::running)) {
    case Stage::running:
        sum_ = own;
        ++(engine_.clock().together() ? together_ : alone_);
        if (!engine_.observers().watch_loans())
            return close_step();
        return share(Stage::checking, Clock::Next::How::by_guess, own.work_ns);
    case Stage::checking: return close_step();
    case Stage::packing: return cross();
    case Stage::entering: break;
    }
    ranks_.border()->enter();
    return decide();
}

// Usually the sum is enough; only rare events are looked up in the chunks, one after the other.
Clock::Next Run::close_step()
{
    const Chunk::Tally total =
        sum_.has_events || engine_.observers().watch_loans() ? engine_.take_tally() : Chunk::Tally();
    failure_ = total.failure;
    starts_ = total.starts;
    all_ = note(total);
    if (!ranks_.border())
        return decide();
    return engine_.clock().threads() > 1 && ranks_.border()->begin_packing()
               ? share(Stage::packing, Clock::Next::How::together)
               : cross();
}

// The step goes on in this stage, in all chunks.
Clock::Next Run::share(Stage stage, Clock::Next::How how, std::uint64_t work_ns)
{
    stage_ = stage;
    return {how, work_ns, std::uint64_t{static_cast<std::uint8_t>(stage)} << bits_of_step | engine_.step()};
}

Clock::Next Run::cross()
{
    all_ = ranks_.border()->cross(all_);
    if (engine_.clock().threads() > 1 && ranks_.border()->begin_entering())
        return share(Stage::entering, Clock::Next::How::together);
    ranks_.border()->enter();
    return decide();
}

// With several ranks, each makes the same decision here, in the same step.
Clock::Next Run::decide()
{
    const Diagnosis diagnosis(engine_);
    failure_.keep_first(engine_.observers().take_failure_across());
    if (!all_.failed)  // a node that has failed begins nothing, and the others are not to blame for that
        failure_.keep_first(diagnosis.find_not_together(starts_, all_.begun));
    failure_.keep_first(diagnosis.find_second_receive());
    const bool ended = !all_.sum.left;
    call([this] {
        if (Tracer* const tracer = engine_.observers().tracer())
            tracer->flush(ranks_.world());
    });
    if (!ended)  // packets received after the last step belong to none
        call([&] { call_on_step(); });
    ranks_.settle(failure_, all_, options_);
    if (!failure_.error)
        failure_ = ended ? diagnosis.find_left_over() : diagnosis.find_deadlock(all_.sum);
    if (failure_.error || ended)
        return Clock::Next::stop;
    engine_.links().times().advance(all_.sum.longest);  // a packet's end, which was found to fit
    return go_on();
}

StepNote Run::note(const Chunk::Tally& total)
{
    return {.sum = sum_,
            .failed = failure_.error != nullptr,
            .stop = ranks_.border() && options_.stop.stop_requested(),
            .rung = engine_.take_bells(),
            .begun = total.starts.count()};
}

// The caller's own functions may throw.
template <class Function>
void Run::call(const Function& function)
{
    try {
        function();
    } catch (...) {
        failure_.keep_first({engine_.step(), 0, std::current_exception()});
    }
}

void Run::call_on_step() const
{
    if (options_.on_step)
        options_.on_step(engine_.step());
}

// Goes on to the next step, past those in which all nodes sleep. A packet that crosses between ranks may be one that a
// sleeping node waits for.
Clock::Next Run::go_on()
{
    const bool at_once = all_.rung || all_.crossed || all_.sum.next == Summary::never;
    const Step step = engine_.step();
    const Step next = at_once ? step + 1 : all_.sum.next;
    assert(next > step);
    if (next > Wires::last_step) {  // nothing happens in the remaining steps
        engine_.set_step(Wires::last_step);
        failure_ = Diagnosis(engine_).too_many_steps();
        return Clock::Next::stop;
    }
    const auto stopped = [&] { return ranks_.border() ? all_.stop : options_.stop.stop_requested(); };
    engine_.set_step(ranks_.told_of_steps() ? step + 1 : next);
    for (; engine_.step() < next && !failure_.error && !stopped(); engine_.set_step(engine_.step() + 1)) {
        call([&] { call_on_step(); });
        ranks_.settle(failure_, all_, options_);
    }
    if (!failure_.error && stopped())
        failure_ = {engine_.step(), 0, std::make_exception_ptr(Interrupted())};
    if (failure_.error)
        return Clock::Next::stop;
    if (!engine_.checked())  // sends were not counted
        return share(Stage::running, Clock::Next::How::by_guess, engine_.work_of_visit());
    return share(Stage::running, Clock::Next::How::by_work, sum_.work_ns);
}

Counts Run::count(double wall_seconds) const
{
    const std::span<Chunk> chunks = engine_.chunks();
    std::vector<Counts> parts(chunks.size());
    const std::span<const std::uint32_t> packets = std::as_const(engine_).links().packets();
    engine_.on_all_chunks(
        [&](Chunk& chunk) { chunk.count(parts[static_cast<std::size_t>(&chunk - chunks.data())], packets); });
    Counts counts;
    Notes notes;
    for (Chunk& chunk : chunks)
        notes.add(chunk.notes());
    notes.write(counts);
    for (const Counts& part : parts)
        add(counts, part);
    counts.steps = engine_.step() - 1;
    counts.wall_seconds = wall_seconds;
    return ranks_.added_up(counts);
}

// Counted when the run has ended, from what its links have carried, so that a packet costs nothing more.
EngineCounts Run::count_engine() const
{
    EngineCounts counts{.steps_alone = alone_,
                        .steps_together = together_,
                        .helped_chunks = efforts_.helped,
                        .sleeps = efforts_.sleeps};
    const std::span<Chunk> chunks = engine_.chunks();
    if (engine_.clock().threads() == 1 || chunks.size() == 1)
        return counts;
    const std::span<const std::uint32_t> packets = std::as_const(engine_).links().packets();
    std::vector<std::uint64_t> beyond(chunks.size());
    engine_.on_all_chunks([&](Chunk& chunk) {
        const auto number = static_cast<std::size_t>(&chunk - chunks.data());
        const Clock::Chunks share = engine_.clock().share_with(number);
        beyond[number] =
            chunk.sent_beyond({chunks[share.first].first(), chunks[share.last - 1].last()}, ranks_.own(), packets);
    });
    counts.crossing_packets = std::accumulate(beyond.begin(), beyond.end(), std::uint64_t{0});
    return counts;
}

}  // namespace dcube::detail
