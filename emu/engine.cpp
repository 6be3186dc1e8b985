#include "emu/engine.hpp"

#include "base/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string_view>

namespace dcube {

namespace detail {

namespace {

// Rough costs of a step's parts in ns, to tell whether it is worth the others' while. What is sent in one step is
// copied in the next, so a step's work is known when it begins.
constexpr std::uint64_t ns_per_node = 15;
constexpr std::uint64_t ns_per_packet = 10;
constexpr std::uint64_t bytes_per_ns = 10;
constexpr std::uint64_t worth_sharing_ns = 4000;

std::size_t bytes_per_link(const MachineOptions& options)
{
    const std::size_t places = options.channel_capacity + 1;
    const std::size_t channel = options.channel == ChannelKind::slots
                                    ? places * sizeof(Slot)
                                    : sizeof(SpscChannel) + (places + 1) * sizeof(Parcel);
    const std::size_t times = options.link.bound() ? (places + 1) * sizeof(Time) : 0;
    return channel + sizeof(LinkOut) + sizeof(LinkIn) + times;
}

constexpr std::size_t typical_frame_bytes = 512;

std::size_t hash_of(std::span<const std::span<const std::byte>> parts)
{
    constexpr std::size_t odd = 0x9e3779b97f4a7c15U;
    std::size_t hash = 0;
    for (const std::span<const std::byte> part : parts)
        hash = hash * odd + std::hash<std::string_view>{}({reinterpret_cast<const char*>(part.data()), part.size()});
    return hash;
}

}  // namespace

}  // namespace detail

std::size_t machine_memory(const Topology& topology, const MachineOptions& options)
{
    return topology.directed_links() * detail::bytes_per_link(options) +
           topology.nodes() * (sizeof(detail::NodeState) + detail::typical_frame_bytes +
                               (options.link.bound() ? 2 * sizeof(Time) : 0));
}

namespace detail {

Engine::Engine(const Topology& topology, const MachineOptions& options)
    : topology_(topology), options_(options), places_(options.channel_capacity + 1),
      clock_(options.threads, topology.nodes())
{
    set_link_model();
    require_memory(machine_memory(topology_, options_), "the nodes and channels of " + topology_.name());
    make_links();
    tallies_.resize(clock_.chunks() + 1);
    if (bound_) {
        sending_.resize(topology_.nodes());
        free_from_.resize(first_link_.back());
        arrival_time_.resize(first_link_.back() * places_);
    }
    if (options_.watch_lent_bytes)
        lent_ = std::make_unique<Lent[]>(first_link_.back());
}

Engine::~Engine() = default;

void Engine::set_link_model()
{
    const LinkModel& link = options_.link;
    if (!link.bound())
        return;
    const auto ticks = [scale = static_cast<std::int64_t>(link.ticks_per_ns())](const Rational& ns) {
        std::int64_t count = 0;
        if (ns.numerator < 0 || __builtin_mul_overflow(ns.numerator, scale / ns.denominator, &count))
            throw InvalidArgument(fmt::format(
                "tau and beta of {} ns are not possible: 0 ns or more is, up to 2^63 ticks", to_string(ns)));
        return static_cast<Time>(count);
    };
    bound_ = true;
    lockstep_ = link.clock == LinkClock::lockstep;
    tau_ = ticks(link.tau);
    beta_ = ticks(link.beta);
}

void Engine::require_memory(std::size_t bytes, std::string_view what) const
{
    const std::size_t limit = options_.memory_limit ? options_.memory_limit : available_memory();
    if (bytes > limit)
        throw InvalidArgument(fmt::format("{} would need {} of memory, and {} are available", what, memory_text(bytes),
                                          memory_text(limit)));
}

// Lays the channels out by receiver, so that a node finds what arrives for it in neighbouring cache lines.
void Engine::make_links()
{
    const NodeId nodes = topology_.nodes();
    nodes_ = std::make_unique<NodeState[]>(nodes);
    first_link_.resize(nodes + std::size_t{1});
    for (NodeId node = 0; node < nodes; ++node)
        first_link_[node + 1] = first_link_[node] + topology_.ports(node);
    const std::uint64_t links = first_link_.back();
    links_out_ = Memory(links * sizeof(LinkOut));
    links_in_ = Memory(links * sizeof(LinkIn));
    slots_ = Memory(slots() ? links * places_ * sizeof(Slot) : 0);

    auto* const out = reinterpret_cast<LinkOut*>(links_out_.bytes().data());
    auto* const in = reinterpret_cast<LinkIn*>(links_in_.bytes().data());
    auto* const rings = reinterpret_cast<Slot*>(slots_.bytes().data());
    for (NodeId node = 0; node < nodes; ++node) {
        nodes_[node].place(*this, topology_, node, out + first_link_[node], in + first_link_[node]);
        for (Port port = 0; port < topology_.ports(node); ++port) {
            const std::uint64_t link = first_link_[node] + port;
            LinkOut& sender_end =
                out[first_link_[topology_.neighbour(node, port)] + topology_.arrival_port(node, port)];
            if (slots())
                in[link].ring = sender_end.ring = rings + link * places_;
            else
                in[link].queue = sender_end.queue = queues_.emplace_back(std::make_unique<SpscChannel>(places_)).get();
        }
    }
}

std::uint64_t Engine::link_index(const NodeState& node, Port port) const
{
    return first_link_[node.id()] + port;
}

std::uint64_t Engine::incoming_index(const NodeState& node, Port port) const
{
    return first_link_[topology_.neighbour(node.id(), port)] + topology_.arrival_port(node.id(), port);
}

Counts Engine::run(const Machine::Program& program, const RunOptions& options)
{
    const auto began = std::chrono::steady_clock::now();
    if (options.trace)
        tracer_ = std::make_unique<Tracer>(topology_, first_link_.back(), places_, options);
    observed_ = tracer_ || lent_;
    attentive_ = bound_ || observed_;
    try {
        start(program);
    } catch (...) {
        reset();
        throw;
    }
    const std::uint64_t first_packets = first_link_.back();  // at most
    const Clock::Work work{[this](std::size_t chunk) {
                               const std::size_t nodes = topology_.nodes();
                               const std::size_t chunks = clock_.chunks();
                               if (chunk == Clock::whole)
                                   run_nodes(0, nodes, tallies_.back());
                               else
                                   run_nodes(chunk * nodes / chunks, (chunk + 1) * nodes / chunks, tallies_[chunk]);
                           },
                           [this, &options] { return close_step(options); }};
    step_ = 1;
    clock_.run(work, first_packets * ns_per_packet >= worth_sharing_ns ? Clock::Next::together : Clock::Next::alone);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
    const Counts counts = count(wall.count());
    const Failure failure = std::exchange(failure_, {});
    reset();
    if (failure.error)
        std::rethrow_exception(failure.error);
    return counts;
}

void Engine::start(const Machine::Program& program)
{
    for (NodeId id = 0; id < topology_.nodes(); ++id) {
        NodeState& node = nodes_[id];
        node.program = program(node).handle();
        node.innermost = node.program;
    }
}

// Makes the machine as new after a run: no task, no packet, all counters zero. Memory that was lent is kept for the
// next run.
void Engine::reset()
{
    for (NodeId id = 0; id < topology_.nodes(); ++id) {
        NodeState& node = nodes_[id];
        node.frames.destroy_live_frames();
        node.innermost = node.program = {};
        node.awaited_port = NodeState::no_port;
        node.asleep_until = 0;
        node.last_send = 0;
        node.transmissions = node.bytes = 0;
        node.storage = 0;
        node.last_arrival.store(0, std::memory_order_relaxed);
        for (Port port = 0; port < node.ports(); ++port) {
            LinkIn& in = node.in[port];
            LinkOut& out = node.out[port];
            in.place = out.place = in.taken = 0;
            out.last_sent = out.packets = 0;
            for (std::size_t place = 0; slots() && place < places_; ++place)
                in.ring[place].mark.store(0, std::memory_order_relaxed);
            if (!slots())
                in.queue->reset();
        }
    }
    std::fill(tallies_.begin(), tallies_.end(), Tally{});
    if (lent_)
        std::fill_n(lent_.get(), first_link_.back(), Lent{});
    second_receive_.store(false, std::memory_order_relaxed);
    std::fill(sending_.begin(), sending_.end(), Sending{});
    std::fill(free_from_.begin(), free_from_.end(), 0);
    now_ = 0;
    tracer_.reset();
    storage_chunk_ = storage_used_ = 0;
}

void Engine::run_nodes(std::size_t first, std::size_t last, Tally& tally)
{
    for (std::size_t id = first; id < last; ++id) {
        NodeState& node = nodes_[id];
        if (id + 1 < last)
            fetch(nodes_[id + 1]);
        if (!node.innermost)
            continue;
        const std::uint64_t sent_before = node.transmissions;
        const std::uint64_t bytes_before = node.bytes;
        if (run_node(node, tally)) {
            ++tally.unfinished;
            tally.waiting += node.awaited_port != NodeState::no_port;
        }
        tally.sent += node.transmissions - sent_before;
        tally.bytes += node.bytes - bytes_before;
        if (lockstep_)
            tally.longest = std::max(tally.longest, std::exchange(sending_[id].longest, 0));
    }
}

// Asks the cache for what the node will touch, while the node before it runs: the bytes that arrived, and its channels.
void Engine::fetch(const NodeState& node) const
{
    if (!slots() || node.asleep_until > step_)
        return;
    for (Port port = 0; port < node.ports(); ++port) {
        const LinkIn& in = node.in[port];
        if (slots::waiting(in.ring, in.place, step_))
            __builtin_prefetch(in.ring[in.place].data);
        __builtin_prefetch(node.out[port].ring, 1);
    }
}

// One node's step; true if its program goes on after it.
bool Engine::run_node(NodeState& node, Tally& tally)
{
    if (node.asleep_until > step_)
        return true;
    if (!node.may_resume())
        return true;
    node.awaited_port = NodeState::no_port;
    node.resume();
    std::exception_ptr error;
    if (lent_) {
        try {
            check_lent_bytes(node);
        } catch (...) {
            error = std::current_exception();
        }
    }
    if (!node.innermost) {
        if (!error)
            error = node.program.promise().error;
        node.program.destroy();
    }
    if (error)
        tally.failure.keep_first(attribute(error, step_, node.id()));
    return static_cast<bool>(node.innermost);
}

// What a node sent in the step before is read by its neighbours in this one.
void Engine::check_lent_bytes(NodeState& node)
{
    for (Port port = 0; port < node.ports(); ++port) {
        const Lent& lent = lent_[link_index(node, port)];
        if (lent.step != 0 && lent.step + 1 == step_ && hash_of(lent.parts) != lent.hash)
            node.throw_violation(Rule::lent_bytes_changed, port,
                                 "bytes sent in the step before were changed before they could be received");
    }
}

Clock::Next Engine::close_step(const RunOptions& options)
{
    const Tally total = add_up();
    failure_ = total.failure;
    try {
        if (tracer_)
            tracer_->flush();
        if (options.on_step)
            options.on_step(step_);
    } catch (...) {  // of the caller's own functions
        failure_.keep_first({step_, 0, std::current_exception()});
    }
    failure_.keep_first(find_second_receive());
    if (!failure_.error && total.unfinished == 0)
        failure_ = find_never_received();
    if (!failure_.error)
        failure_ = find_deadlock(total);
    if (!failure_.error && options.stop.stop_requested())
        failure_ = {step_, 0, std::make_exception_ptr(Interrupted())};
    if (failure_.error || total.unfinished == 0)
        return Clock::Next::stop;
    ++step_;
    now_ += total.longest;  // a packet's end, which was found to fit
    return next_step(total);
}

Engine::Tally Engine::add_up()
{
    Tally total;
    for (Tally& tally : tallies_) {
        total.unfinished += tally.unfinished;
        total.waiting += tally.waiting;
        total.sent += tally.sent;
        total.bytes += tally.bytes;
        total.longest = std::max(total.longest, tally.longest);
        total.failure.keep_first(tally.failure);
        tally = {};  // the next step may be run by other chunks
    }
    return total;
}

Clock::Next Engine::next_step(const Tally& total) const
{
    const std::uint64_t ns = total.unfinished * ns_per_node + total.sent * ns_per_packet + total.bytes / bytes_per_ns;
    return ns >= worth_sharing_ns ? Clock::Next::together : Clock::Next::alone;
}

Counts Engine::count(double wall_seconds) const
{
    Counts counts;
    counts.steps = step_ - 1;
    counts.wall_seconds = wall_seconds;
    for (NodeId id = 0; id < topology_.nodes(); ++id) {
        const NodeState& node = nodes_[id];
        counts.transmissions += node.transmissions;
        counts.bytes += node.bytes;
        counts.storage_bytes += node.storage;
        if (bound_)
            counts.virtual_time = std::max(counts.virtual_time, sending_[id].latest);
        counts.largest_storage_bytes = std::max(counts.largest_storage_bytes, node.storage);
        for (Port port = 0; port < node.ports(); ++port) {
            const LinkUse use{id, port, node.out[port].packets};
            if (!counts.busiest || use.packets > counts.busiest->packets)
                counts.busiest = use;
            if (!counts.idlest || use.packets < counts.idlest->packets)
                counts.idlest = use;
        }
    }
    return counts;
}

void Engine::for_each_node(const std::function<void(NodeId)>& work)
{
    std::atomic<bool> failed{false};
    std::exception_ptr error;
    const Clock::Work once{[&](std::size_t chunk) {
                               const std::size_t nodes = topology_.nodes();
                               const std::size_t chunks = clock_.chunks();
                               const std::size_t first = chunk == Clock::whole ? 0 : chunk * nodes / chunks;
                               const std::size_t last = chunk == Clock::whole ? nodes : (chunk + 1) * nodes / chunks;
                               try {
                                   for (std::size_t id = first; id < last && !failed.load(std::memory_order_relaxed);
                                        ++id)
                                       work(static_cast<NodeId>(id));
                               } catch (...) {
                                   if (!failed.exchange(true))
                                       error = std::current_exception();
                               }
                           },
                           [] { return Clock::Next::stop; }};
    clock_.run(once, Clock::Next::together);
    if (error)
        std::rethrow_exception(error);
}

void Engine::attend_send(NodeState& node, Port port, const Parcel& parcel, Time usable)
{
    const Transit transit = bound_ ? depart(node, port, parcel.size(), usable) : Transit{};
    if (!observed_)
        return;
    const std::span<const std::byte> whole(parcel.data, parcel.size());
    observe_send(node, port, parcel.is_joined() ? parcel.parts() : std::span(&whole, 1), transit);
}

Transit Engine::depart(NodeState& node, Port port, std::size_t bytes, Time usable)
{
    if (bytes == 0)
        node.throw_violation(Rule::empty_packet, port, "a link-bound machine sends no packets of 0 bytes");
    Time& free_from = free_from_[link_index(node, port)];
    const Time start = lockstep_ ? now_ : std::max(usable, free_from);
    Time duration = 0;
    Time end = 0;
    if (__builtin_mul_overflow(tau_, bytes, &duration) || __builtin_add_overflow(duration, beta_, &duration) ||
        __builtin_add_overflow(start, duration, &end))
        node.throw_violation(Rule::time_overflow, port, "the packet's virtual time does not fit in 64 bits");
    free_from = end;
    arrival_time_[sending_place(node, port)] = end;
    Sending& sending = sending_[node.id()];
    sending.latest = std::max(sending.latest, end);
    sending.longest = std::max(sending.longest, duration);
    return {start, end};
}

Time Engine::arrival_time(const NodeState& node, Port port) const
{
    return arrival_time_[receiving_place(node, port)];
}

void Engine::note_arrival(NodeId receiver)
{
    if (nodes_[receiver].last_arrival.exchange(step_, std::memory_order_relaxed) == step_)
        second_receive_.store(true, std::memory_order_relaxed);
}

void Engine::observe_send(NodeState& node, Port port, std::span<const std::span<const std::byte>> parts,
                          Transit transit)
{
    if (tracer_)
        tracer_->sent(link_index(node, port),
                      {.step = step_,
                       .from = node.id(),
                       .to = topology_.neighbour(node.id(), port),
                       .port = port,
                       .bytes = 0,
                       .start = transit.start,
                       .end = transit.end,
                       .pieces = {}},
                      parts);
    if (lent_)
        lent_[link_index(node, port)] = {{parts.begin(), parts.end()}, hash_of(parts), step_};
}

Time Engine::attend_receive(NodeState& node, Port port, std::span<const std::span<const std::byte>> parts)
{
    if (tracer_)
        tracer_->received(node.id(), incoming_index(node, port), parts);
    if (!bound_)
        return 0;
    const Time usable = arrival_time(node, port);
    ++node.in[port].taken;
    return usable;
}

void Engine::observe_copy(const NodeState& node, std::span<const std::byte> into, std::span<const std::byte> from)
{
    if (tracer_)
        tracer_->copied(node.id(), into, from);
}

std::span<std::byte> Engine::allocate(NodeState& node, std::size_t bytes)
{
    constexpr std::size_t least_chunk = std::size_t{64} << 20;
    constexpr std::size_t alignment = 64;
    const std::size_t padded = (bytes + alignment - 1) / alignment * alignment;
    const std::scoped_lock lock(storage_mutex_);
    while (storage_chunk_ < storage_.size() && storage_[storage_chunk_].bytes().size() - storage_used_ < padded) {
        ++storage_chunk_;
        storage_used_ = 0;
    }
    if (storage_chunk_ == storage_.size())
        storage_.emplace_back(std::max(least_chunk, padded));
    const std::span<std::byte> stretch = storage_[storage_chunk_].bytes().subspan(storage_used_, bytes);
    storage_used_ += padded;
    node.storage += bytes;
    return stretch;
}

}  // namespace detail

}  // namespace dcube
