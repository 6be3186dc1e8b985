// A machine's run: from its programs' start, step by step, to its counts.

#include "emu/added_counts.hpp"
#include "emu/byte_stream.hpp"
#include "emu/engine.hpp"
#include "emu/idle_traffic.hpp"
#include "emu/step_costs.hpp"
#include "emu/told_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace dcube::detail {

namespace {

// A machine does one thing at a time.
class Occupied {
public:
    Occupied(std::atomic<bool>& busy, std::string_view what) : busy_(busy)
    {
        if (busy_.exchange(true))
            throw InvalidArgument(fmt::format("{} is not possible while the machine is running", what));
    }
    Occupied(const Occupied&) = delete;
    Occupied& operator=(const Occupied&) = delete;
    ~Occupied() { busy_ = false; }

private:
    std::atomic<bool>& busy_;
};

}  // namespace

Counts Engine::run(const Machine::Program& program, const RunOptions& options)
{
    const Occupied occupied(busy_, "another run");
    const Pinned pinned(clock_.pins(), 0);
    const auto began = std::chrono::steady_clock::now();
    try {
        if (border_)
            agree_on(options);
        start(program);
        together(*world_, [&] { prepare(options); });
        const Clock::Work work{[this](std::size_t chunk) { return chunks_[chunk].run_step(step_); },
                               [this, &options](const Summary& sum) { return close_step(sum, options); },
                               border_ != nullptr};
        step_ = 1;
        clock_.run(work, how_to_visit_all());
    } catch (...) {
        reset();
        throw;
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
    const Counts counts = count(wall.count());
    const Failure failure = named_by_loss(failure_, counts.first_lost);
    reset();
    if (failure.error)
        std::rethrow_exception(failure.error);
    return counts;
}

// All ranks are asked for the same run; any of them may want to be told of it.
void Engine::agree_on(const RunOptions& options)
{
    ValueWriter told;
    told.put(static_cast<bool>(options.trace));
    told.put(static_cast<bool>(options.on_step));
    told.put(options.seed);
    for (const Failing& one : options.failing)
        told.put(one);
    traced_ = told_ = false;
    const std::vector<std::vector<std::byte>> all = world_->gather_everywhere(told.bytes());
    for (unsigned rank = 0; rank < all.size(); ++rank) {
        ValueReader reader(all[rank]);
        traced_ = reader.get<bool>() || traced_;
        told_ = reader.get<bool>() || told_;
        if (!std::ranges::equal(std::span(all[rank]).subspan(2), std::span(all[0]).subspan(2)))
            throw InvalidArgument(
                fmt::format("ranks 0 and {} disagree about the seed, or what fails in the run", rank));
    }
    settles_ = lent_ || one_port() || traced_ || told_;
}

void Engine::prepare(const RunOptions& options)
{
    seed_ = options.seed;
    if (!border_)
        traced_ = static_cast<bool>(options.trace);
    if (traced_) {
        require_memory(Tracer::bytes(topology_, numbers_.count(), options_.channel_capacity + 1), "a trace");
        tracer_ = std::make_unique<Tracer>(topology_, own_, numbers_.count(), options_.channel_capacity + 1, options);
    }
    if (!options.failing.empty()) {
        require_memory(FailingLinks::bytes(numbers_), "the list of links that fail");
        failing_ = std::make_unique<FailingLinks>(topology_, numbers_, options.failing);
    }
    const bool attentive = link_times_.bound() || observed() || failing_;
    plain_ = !attentive && !one_port() && options_.channel == ChannelKind::slots && options_.channel_capacity == 1;
    traffic_ = make_traffic(*this, failing_             ? Policy::losing
                                   : attentive          ? Policy::attentive
                                   : options_.unchecked ? Policy::unchecked
                                                        : Policy::checked);
}

void Engine::start(const Machine::Program& program)
{
    on_all_chunks([&](Chunk& chunk) { chunk.start(program); }, how_to_visit_all());
    agree_on_failure(add_up().failure);
}

void Engine::agree_on_failure(const Failure& own)
{
    const Failure failure = first_of_all(own);
    if (failure.error)
        std::rethrow_exception(failure.error);
}

// Makes the machine as new after a run: no task, no packet, all counters zero. Memory that was lent is kept for the
// next run.
void Engine::reset()
{
    traffic_ = std::make_unique<IdleTraffic>(IdleTraffic::quiet);  // destructors may send
    // A run that ended well has emptied its wires; what else their marks say only link-bound machines ask, and borders.
    const bool wires_are_empty = step_ != 0 && !failure_.error && checked() && !link_times_.bound() && !border_;
    const auto reset_chunk = [this, wires_are_empty](Chunk& chunk) {
        chunk.reset();
        for_each_link(chunk, [&](std::uint32_t link) { reset_link(link, wires_are_empty); });
    };
    on_all_chunks(reset_chunk, how_to_visit_all());
    for_each_link_out([&](std::uint32_t link) { reset_link(link, wires_are_empty); });
    if (border_)
        border_->reset();
    traffic_ = std::make_unique<IdleTraffic>();
    second_receive_.store(false, std::memory_order_relaxed);
    dormant_.store(0, std::memory_order_relaxed);
    rung_.store(false, std::memory_order_relaxed);
    link_times_.reset();
    storage_.reset();
    tracer_.reset();
    failing_.reset();
    failure_ = {};
    step_ = 0;
}

void Engine::reset_link(std::uint32_t link, bool wire_is_empty)
{
    packets_[link] = 0;
    link_times_.reset(link);
    if (options_.channel == ChannelKind::spsc)
        queues_.reset(link);
    else if (!wire_is_empty)
        wires_.reset(link);
}

// Usually the sum says all; only what is rare is looked for in the chunks, one after the other. Where there are several
// ranks each decides here, in the same step, what all of them decide.
Clock::Next Engine::close_step(const Summary& own, const RunOptions& options)
{
    const Chunk::Tally total = own.told ? add_up() : Chunk::Tally();
    failure_ = total.failure;
    check_loans();
    StepNote all = note(own, total, options);
    if (border_)
        all = border_->cross(all);
    failure_.keep_first(find_not_together(total.begun, all.begun));
    failure_.keep_first(find_second_receive());
    const bool ended = !all.sum.left;
    call([this] {
        if (tracer_)
            tracer_->flush(*world_);
    });
    if (!ended)  // what is received after the last step is part of none
        call([&] { tell(options); });
    settle(all, options);
    if (!failure_.error)
        failure_ = ended ? end_of_run() : find_deadlock(all.sum);
    if (failure_.error || ended)
        return Clock::Next::stop;
    link_times_.advance(all.longest);  // a packet's end, which was found to fit
    return go_on(own, all, options);
}

StepNote Engine::note(const Summary& own, const Chunk::Tally& total, const RunOptions& options)
{
    return {.sum = own,
            .failed = failure_.error != nullptr,
            .stop = border_ && options.stop.stop_requested(),
            .rung = any_rung(),
            .begun = total.begun.count(),
            .longest = total.longest};
}

// What ends the run is the same on all ranks from here on.
void Engine::settle(StepNote& all, const RunOptions& options)
{
    if (!border_)
        return;
    if (settles_) {
        const StepNote late =
            border_->tell({.failed = failure_.error != nullptr, .stop = options.stop.stop_requested()});
        all.failed = late.failed;
        all.stop = late.stop;
    }
    if (all.failed)
        failure_ = first_of_all(failure_);
}

Failure Engine::end_of_run()
{
    if (any_under_way())
        return of_lowest_rank(find_never_received());
    return of_lowest_rank(find_never_awaited());
}

namespace {

struct FailureKey {
    Step step;
    NodeId node;
    Port port;
};

}  // namespace

// Of all ranks' failures the first; of like ones the lowest rank's.
Failure Engine::first_of_all(const Failure& own)
{
    if (!border_)
        return own;
    ValueWriter told;
    told.put(FailureKey{own.step, own.node, own.port});
    const std::vector<std::byte> error = detail::told(own.error);
    told.bytes().insert(told.bytes().end(), error.begin(), error.end());
    const std::vector<std::vector<std::byte>> all = world_->gather_everywhere(told.bytes());
    Failure first;
    for (unsigned rank = 0; rank < all.size(); ++rank) {
        ValueReader reader(all[rank]);
        const auto key = reader.get<FailureKey>();
        const auto theirs = std::span(all[rank]).subspan(sizeof key);
        first.keep_first({key.step, key.node, rank == world_->rank() ? own.error : error_in(theirs), key.port});
    }
    return first;
}

Failure Engine::of_lowest_rank(const Failure& own)
{
    if (!border_)
        return own;
    Failure mine = own;
    mine.step = mine.node = mine.port = 0;
    return first_of_all(mine);
}

// The caller's own functions may throw.
template <class Function>
void Engine::call(const Function& function)
{
    try {
        function();
    } catch (...) {
        failure_.keep_first({step_, 0, std::current_exception()});
    }
}

void Engine::tell(const RunOptions& options) const
{
    if (options.on_step)
        options.on_step(step_);
}

// On to the next step, past those in which all nodes sleep. What crosses between ranks may be what a node there sleeps
// for.
Clock::Next Engine::go_on(const Summary& own, StepNote& all, const RunOptions& options)
{
    const bool at_once = all.rung || all.crossed || all.sum.next == Summary::never;
    const Step next = std::min(at_once ? step_ + 1 : all.sum.next, Wires::last_step);
    if (step_ == Wires::last_step)
        failure_ = violation(Rule::too_many_steps, 0, RuleViolation::no_port, step_, "a run has at most 2^31-1 steps");
    ++step_;
    const auto stopped = [&] { return border_ ? all.stop : options.stop.stop_requested(); };
    if (border_ ? told_ : static_cast<bool>(options.on_step))
        for (; step_ < next && !failure_.error && !stopped(); ++step_) {
            call([&] { tell(options); });
            settle(all, options);
        }
    else
        step_ = next;
    if (!failure_.error && stopped())
        failure_ = {step_, 0, std::make_exception_ptr(Interrupted())};
    if (failure_.error)
        return Clock::Next::stop;
    return own.work_ns >= worth_sharing_ns ? Clock::Next::together : Clock::Next::alone;
}

// Whether a bell of this step is still to be answered. A chunk that ran after it was rung has answered it already.
bool Engine::any_rung()
{
    if (!rung_.load(std::memory_order_relaxed))
        return false;
    rung_.store(false, std::memory_order_relaxed);
    const std::span<const Chunk> chunks(chunks_.get(), clock_.chunks());
    return std::ranges::any_of(chunks, &Chunk::rung);
}

Chunk::Tally Engine::add_up()
{
    Chunk::Tally total;
    for (std::size_t chunk = 0; chunk < clock_.chunks(); ++chunk)
        total.add(chunks_[chunk].take_tally());
    return total;
}

Counts Engine::count(double wall_seconds)
{
    Counts counts = count_own();
    counts.steps = step_ - 1;
    counts.wall_seconds = wall_seconds;
    return border_ ? added_up(*world_, counts, border_->traffic()) : counts;
}

Counts Engine::count_own()
{
    std::vector<Counts> parts(clock_.chunks());
    on_all_chunks([&](Chunk& chunk) { chunk.count(parts[static_cast<std::size_t>(&chunk - chunks_.get())], packets_); },
                  how_to_visit_all());
    Counts counts;
    Notes notes;
    for (std::size_t chunk = 0; chunk < clock_.chunks(); ++chunk)
        notes.add(chunks_[chunk].notes());
    notes.write(counts);
    for (const Counts& part : parts)
        add(counts, part);
    return counts;
}

// Of several exceptions the smallest node's counts: all nodes get their turn.
void Engine::for_each_node(const std::function<void(NodeId)>& work)
{
    const Occupied occupied(busy_, "for_each_node");
    const Pinned pinned(clock_.pins(), 0);
    const auto visit = [&](Chunk& chunk) {
        for (NodeId id = chunk.first(); id < chunk.last(); ++id)
            try {
                if (topology_.is_member(id))
                    work(id);
            } catch (...) {
                chunk.fail({0, id, std::current_exception()});
            }
    };
    on_all_chunks(visit, Clock::Next::together);
    agree_on_failure(add_up().failure);
}

}  // namespace dcube::detail
