// A machine's run: from its programs' start to its counts. steps.cpp has the steps between.

#include "emu/added_counts.hpp"
#include "emu/byte_stream.hpp"
#include "emu/engine.hpp"
#include "emu/idle_traffic.hpp"
#include "emu/remote_error.hpp"
#include "emu/step_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <utility>

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

}  // namespace

Counts Engine::run(const Machine::Program& program, const RunOptions& options)
{
    const Occupied occupied(busy_, "another run");
    const Pinned pinned(clock_.pins(), 0);
    if (border_)
        agree_on(options);
    const auto began = std::chrono::steady_clock::now();
    if (border_)
        border_->begin_traffic();
    Counts counts;
    Failure failure;
    try {
        start(program);
        agree_on_failure(failure_of([&] { prepare(options); }));
        const Clock::Work work{[this](std::size_t chunk) { return run_part(chunk); },
                               [this, &options](const Summary& sum) { return close(sum, options); },
                               border_ != nullptr};
        step_ = 1;
        clock_.run(work, how_to_visit_all());
        if (lost_)
            std::rethrow_exception(std::exchange(lost_, {}));
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
        counts = count(wall.count());
        failure = named_by_loss(failure_, counts.first_lost);
    } catch (...) {
        failure_.error = std::current_exception();  // so that nothing is taken to have ended well
        reset();
        throw;
    }
    reset();
    if (failure.error)
        std::rethrow_exception(failure.error);
    return counts;
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
    const bool instrumented = link_times_.bound() || observed() || failing_;
    plain_ = !instrumented && !one_port() && options_.channel == ChannelKind::slots && options_.channel_capacity == 1;
    traffic_of_run_ = make_traffic(*this, failing_             ? Policy::losing
                                          : instrumented       ? Policy::instrumented
                                          : options_.unchecked ? Policy::unchecked
                                                               : Policy::checked);
    traffic_ = traffic_of_run_.get();
}

void Engine::start(const Machine::Program& program)
{
    on_all_chunks([&](Chunk& chunk) { chunk.start(program); }, how_to_visit_all());
    agree_on_failure(add_up().failure);
}

// Makes the machine as new after a run: no task, no packet, all counters zero. Memory that was lent is kept for the
// next run.
void Engine::reset()
{
    traffic_ = &idle_traffic(IdleTraffic::quiet);  // destructors may send
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
    traffic_ = &idle_traffic(IdleTraffic::complaining);
    traffic_of_run_.reset();
    second_receive_.store(false, std::memory_order_relaxed);
    rung_.store(false, std::memory_order_relaxed);
    checked_scripts_.clear();
    link_times_.reset();
    storage_.reset();
    tracer_.reset();
    failing_.reset();
    failure_ = {};
    stage_ = Stage::running;
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
