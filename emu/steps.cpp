// The end of a step: what it leaves, whether the run ends with it, and how the next one is run.

#include "emu/engine.hpp"
#include "emu/remote_error.hpp"
#include "emu/step_costs.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <cassert>
#include <exception>
#include <utility>

namespace dcube::detail {

// Whatever goes wrong here is for whoever closes the stage: the clock knows no exceptions.
Summary Engine::run_part(std::size_t chunk)
{
    try {
        switch (stage_) {
        case Stage::running: return chunks_[chunk].run_step(step_);
        case Stage::checking: check_loans(chunks_[chunk]); break;
        case Stage::packing: border_->pack_part(chunk); break;
        case Stage::entering: border_->enter_part(chunk); break;
        }
        return {};
    } catch (...) {
        chunks_[chunk].fail(Failure::of_machine(std::current_exception(), step_, chunks_[chunk].first()));
        return {.left = true, .able = true, .has_events = true};
    }
}

// What goes wrong between ranks ends the run here alone: the workers wait for the next step, and the other ranks for
// this one.
Clock::Next Engine::close(const Summary& own, const RunOptions& options)
{
    try {
        return close_stage(own, options);
    } catch (...) {
        lost_ = Failure::of_machine(std::current_exception(), step_, own_.first).error;
    }
    if (border_)
        world_->abandon(what_of(lost_));
    return Clock::Next::stop;
}

Clock::Next Engine::close_stage(const Summary& own, const RunOptions& options)
{
    if (stage_ != Stage::running && own.has_events)
        std::rethrow_exception(add_up().failure.error);
    switch (std::exchange(stage_, Stage::running)) {
    case Stage::running:
        sum_ = own;
        if (!lent_)
            return close_step(options);
        if (threads() > 1 && own.work_ns >= worth_sharing_ns)
            return share(Stage::checking);
        for (std::size_t chunk = 0; chunk < clock_.chunks(); ++chunk)
            check_loans(chunks_[chunk]);
        return close_step(options);
    case Stage::checking: return close_step(options);
    case Stage::packing: return cross(options);
    case Stage::entering: break;
    }
    border_->enter();
    return decide(options);
}

// Usually the sum says all; only what is rare is looked for in the chunks, one after the other.
Clock::Next Engine::close_step(const RunOptions& options)
{
    const Chunk::Tally total = sum_.has_events || lent_ ? add_up() : Chunk::Tally();
    failure_ = total.failure;
    begun_ = total.begun;
    all_ = note(total, options);
    if (!border_)
        return decide(options);
    return threads() > 1 && border_->begin_packing() ? share(Stage::packing) : cross(options);
}

Clock::Next Engine::share(Stage stage)
{
    stage_ = stage;
    return Clock::Next::together;
}

Clock::Next Engine::cross(const RunOptions& options)
{
    all_ = border_->cross(all_);
    if (threads() > 1 && border_->begin_entering())
        return share(Stage::entering);
    border_->enter();
    return decide(options);
}

// Where there are several ranks each decides here, in the same step, what all of them decide.
Clock::Next Engine::decide(const RunOptions& options)
{
    if (!all_.failed)  // a node that has failed begins nothing, and the others are not to blame for that
        failure_.keep_first(find_not_together(begun_, all_.begun));
    failure_.keep_first(find_second_receive());
    const bool ended = !all_.sum.left;
    call([this] {
        if (tracer_)
            tracer_->flush(*world_);
    });
    if (!ended)  // what is received after the last step is part of none
        call([&] { tell(options); });
    settle(options);
    if (!failure_.error)
        failure_ = ended ? end_of_run() : find_deadlock(all_.sum);
    if (failure_.error || ended)
        return Clock::Next::stop;
    link_times_.advance(all_.sum.longest);  // a packet's end, which was found to fit
    return go_on(options);
}

StepNote Engine::note(const Chunk::Tally& total, const RunOptions& options)
{
    return {.sum = sum_,
            .failed = failure_.error != nullptr,
            .stop = border_ && options.stop.stop_requested(),
            .rung = any_rung(),
            .begun = total.begun.count()};
}

Failure Engine::end_of_run()
{
    if (any_under_way())
        return of_lowest_rank(find_never_received());
    return of_lowest_rank(find_never_awaited());
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
Clock::Next Engine::go_on(const RunOptions& options)
{
    const bool at_once = all_.rung || all_.crossed || all_.sum.next == Summary::never;
    const Step next = std::min(at_once ? step_ + 1 : all_.sum.next, Wires::last_step);
    if (step_ == Wires::last_step)
        failure_ = violation(Rule::too_many_steps, 0, RuleViolation::no_port, step_, "a run has at most 2^31-1 steps");
    assert(step_ == Wires::last_step || next > step_);
    ++step_;
    const auto stopped = [&] { return border_ ? all_.stop : options.stop.stop_requested(); };
    if (!(border_ ? told_ : static_cast<bool>(options.on_step)))
        step_ = next;
    for (; step_ < next && !failure_.error && !stopped(); ++step_) {
        call([&] { tell(options); });
        settle(options);
    }
    if (!failure_.error && stopped())
        failure_ = {step_, 0, std::make_exception_ptr(Interrupted())};
    if (failure_.error)
        return Clock::Next::stop;
    return sum_.work_ns >= worth_sharing_ns ? Clock::Next::together : Clock::Next::alone;
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

}  // namespace dcube::detail
