#include "emu/chunk.hpp"

#include "emu/engine.hpp"

#include <fmt/format.h>

#include <bit>

namespace dcube::detail {

void Chunk::set(Engine& engine, NodeId first, NodeId last)
{
    engine_ = &engine;
    first_ = first;
    last_ = last;
}

namespace {

// The program's task. An exception thrown before there is a task is the program's as well; its first step is step 1.
Task made_by(const Machine::Program& program, NodeState& node)
{
    if (!program)
        throw InvalidArgument("an empty function is not a program");
    try {
        return program(node);
    } catch (...) {
        std::rethrow_exception(Failure::of_program(std::current_exception(), 1, node.id()).error);
    }
}

TaskHandle begin(const NodeState& node, const Task& program)
{
    if (const char* const why = refusal(program.link(), node))
        throw InvalidArgument(fmt::format("the program of node {} cannot run: {}", node.id(), why));
    program.link().handle.promise().begun = true;
    return program.link().handle;
}

}  // namespace

void Chunk::start(const Machine::Program& program)
{
    for (NodeId id = first_; id < last_; ++id) {
        if (engine_->topology().is_missing(id))
            continue;
        NodeState& node = engine_->node(id);
        try {
            node.program = begin(node, made_by(program, node));
        } catch (...) {
            fail({0, id, std::current_exception()});
            return;
        }
        node.innermost = node.program;
        next_.push_back(id);
    }
    unfinished_ = static_cast<NodeId>(next_.size());
}

void Chunk::reset()
{
    frames_.destroy_live_frames();
    for (NodeId id = first_; id < last_; ++id)
        engine_->node(id).reset();
    due_.clear();
    next_.clear();
    sleepers_.clear();
    tiles_.clear();
    unfinished_ = waiting_ = 0;
    tally_ = {};
    sent_ = taken_ = bytes_ = sent_before_ = taken_before_ = lost_ = latest_ = longest_ = 0;
    first_lost_.reset();
    ending_loans_.clear();
    notes_.clear();
    storage_.reset();
    rung_.store(nobody, std::memory_order_relaxed);
    step_ = 0;
    plain_traffic_ = {};
}

void Chunk::Tally::add(const Tally& other)
{
    starts.add(other.starts);
    failure.keep_first(other.failure);
}

// Nodes run in any order within a step.
void Chunk::note_lost(const LostPacket& packet)
{
    ++lost_;
    if (!first_lost_ || comes_before(packet, *first_lost_))
        first_lost_ = packet;
}

void Chunk::count(Counts& counts, std::span<const std::uint32_t> packets) const
{
    counts.transmissions = sent_;
    counts.bytes = bytes_;
    counts.virtual_time = latest_;
    counts.lost = lost_;
    counts.first_lost = first_lost_;
    for (NodeId id = first_; id < last_; ++id) {
        const NodeState& node = engine_->node(id);
        counts.storage_bytes += node.storage;
        counts.largest_storage_bytes = std::max(counts.largest_storage_bytes, node.storage);
        for (Port port = 0; port < node.ports(); ++port) {
            const LinkUse use{id, port, packets[engine_->links().numbers().out(id, port)]};
            if (!counts.busiest || use.packets > counts.busiest->packets)
                counts.busiest = use;
            if (!counts.idlest || use.packets < counts.idlest->packets)
                counts.idlest = use;
        }
    }
}

std::uint64_t Chunk::sent_beyond(NodeRange share, NodeRange nodes, std::span<const std::uint32_t> packets) const
{
    if (sent_ == 0)
        return 0;
    const Topology& topology = engine_->topology();
    const LinkNumbers& numbers = engine_->links().numbers();
    // A subcube's own ports do not leave it.
    const bool is_subcube =
        topology.is_hypercube() && std::has_single_bit(share.size()) && share.first % share.size() == 0;
    const Port first_port = is_subcube ? static_cast<Port>(std::countr_zero(share.size())) : 0;
    std::uint64_t beyond = 0;
    for (NodeId id = first_; id < last_; ++id)
        for (Port port = first_port; port < topology.ports(id); ++port) {
            const NodeId to = topology.neighbour(id, port);
            if (!share.contains(to) && nodes.contains(to))
                beyond += packets[numbers.out(id, port)];
        }
    return beyond;
}

Summary Chunk::run_step(Step step)
{
    if (step_ == 0)
        plain_traffic_ = engine_->plain_traffic();
    step_ = step;
    plain_traffic_.set_step(step);
    sent_before_ = sent_;
    taken_before_ = taken_;
    longest_ = 0;
    const std::uint64_t bytes_before = bytes_;
    due_.swap(next_);
    if (!sleepers_.empty())
        wake(step);
    if (rung())
        answer_bells();
    do {
        tiles_.run(*engine_, *this, step, due_);
        if (due_.empty())
            break;
        run_programs(step);
    } while (tiles_.form(*engine_, *this, step));
    return sum_up(step, bytes_ - bytes_before);
}

// Sleepers cost nothing in the next step.
Summary Chunk::sum_up(Step step, std::uint64_t bytes) const
{
    const std::uint64_t packets = sent_ - sent_before_;
    const std::uint64_t ns = next_.size() * ns_per_program + tiles_.followers() * ns_per_follower +
                             packets * ns_per_packet + bytes / bytes_per_ns;
    return {.longest = longest_,
            .next = next_step(step),
            .work_ns = Summary::limited(ns),
            .sent = packets != 0,
            .left = unfinished_ != 0,
            .able = waiting_ != unfinished_,
            .has_events = !tally_.empty()};
}

// The first step after `step` in which there is something to do; never if a bell must ring first. The chunk cannot know
// which bells ring in this step: other nodes are still running.
Step Chunk::next_step(Step step) const
{
    if (!next_.empty())
        return step + 1;
    const Step waking = sleepers_.empty() ? Summary::never : sleepers_.front().until;
    return std::min(waking, tiles_.next_step(Summary::never));
}

void Chunk::wake(Step step)
{
    while (!sleepers_.empty() && sleepers_.front().until <= step) {
        due_.push_back(sleepers_.front().node);
        std::ranges::pop_heap(sleepers_, std::greater{});
        sleepers_.pop_back();
    }
}

void Chunk::ring(NodeState& node)
{
    if (!node.dormant.exchange(false, std::memory_order_acq_rel))
        return;  // another thread has
    engine_->note_bell();
    node.next_rung = rung_.load(std::memory_order_relaxed);
    while (
        !rung_.compare_exchange_weak(node.next_rung, node.id(), std::memory_order_release, std::memory_order_relaxed)) {
    }
}

// Nodes that were looked at by themselves in the meantime are no longer forgotten.
void Chunk::answer_bells()
{
    for (NodeId id = rung_.exchange(nobody, std::memory_order_acquire); id != nobody;) {
        NodeState& node = engine_->node(id);
        id = node.next_rung;
        if (std::exchange(node.forgotten, false)) {
            node.looks = 0;
            due_.push_back(node.id());
        }
    }
}

// Nodes that go on in the next step move up in the list, in which they then stand already.
void Chunk::run_programs(Step step)
{
    NodeState* const nodes = &engine_->node(0);
    NodeId* const due = due_.data();
    const std::size_t count = due_.size();
    std::size_t going_on = 0;
    for (std::size_t i = 0; i < count; ++i) {
        NodeState& node = nodes[due[i]];
        try {
            if (node.is_ready() || stop_waiting(node)) {
                node.resume();
                if (node.pause == NodeState::Pause::for_a_step || settle(node, step))
                    due[going_on++] = node.id();
            } else if (look_again(node)) {
                due[going_on++] = node.id();
            }
        } catch (...) {  // an exception of the program's is its task's
            fail(Failure::of_machine(std::current_exception(), step, node.id()));
        }
    }
    due_.resize(going_on);
    if (next_.empty())
        next_.swap(due_);
    else
        next_.insert(next_.end(), due_.begin(), due_.end());
    due_.clear();
}

// Whether what the node waits for is there.
bool Chunk::is_there(const NodeState& node) const
{
    if (node.awaited_any)
        return node.awaited_any->found() != AnyArrival::none;
    const Traffic& traffic = engine_->traffic();
    return node.awaits_room ? traffic.has_room(node, node.awaited_port) : traffic.arrived(node, node.awaited_port);
}

// Ends the wait if what the node waits for is there.
bool Chunk::stop_waiting(NodeState& node)
{
    node.following = nullptr;
    if (!node.waits())
        return true;
    if (!is_there(node))
        return false;
    node.dormant.store(false, std::memory_order_relaxed);
    node.awaited_port = NodeState::no_port;
    node.awaited_any = nullptr;
    node.looks = 0;
    --waiting_;
    return true;
}

// The node has to wait on: it is looked at again in the next step, or forgotten.
bool Chunk::look_again(NodeState& node)
{
    engine_->links().put_bells_out(node, engine_->step());
    if (node.looks == 0) {
        ++node.looks;
        node.dormant.store(true, std::memory_order_release);  // next_rung has been read
        return true;
    }
    if (node.dormant.load(std::memory_order_relaxed)) {
        node.forgotten = true;
        return false;
    }
    node.looks = 0;  // a bell was rung in this step
    return true;
}

void Chunk::end(NodeState& node, Step step)
{
    --unfinished_;
    notes_.leave(node.stay, step);
    if (const std::exception_ptr error = node.program.promise().error)
        fail(Failure::of_program(error, step, node.id()));
    node.program.destroy();
    node.program = {};
}

// It has ended, or paused for more than a step.
bool Chunk::settle(NodeState& node, Step step)
{
    if (!node.innermost) {
        end(node, step);
        return false;
    }
    if (node.following) {
        tiles_.join(node);
        return false;
    }
    if (node.waits()) {
        ++waiting_;
        return true;
    }
    if (node.asleep_until <= step + 1)
        return true;
    sleepers_.push_back({node.asleep_until, node.id()});
    std::ranges::push_heap(sleepers_, std::greater{});
    return false;
}

}  // namespace dcube::detail
