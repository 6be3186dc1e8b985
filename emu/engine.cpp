#include "emu/engine.hpp"

#include "base/sizes.hpp"
#include "emu/idle_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <new>

namespace dcube {

namespace detail {

namespace {

// Rough costs of a step's parts in ns, to tell whether it is worth the others' while. What is sent in one step is
// copied in the next, so a step's work is known when it begins.
constexpr std::uint64_t ns_per_node = 15;
constexpr std::uint64_t ns_per_packet = 4;
constexpr std::uint64_t bytes_per_ns = 10;
constexpr std::uint64_t worth_sharing_ns = 4000;

// Chunks are to be large enough for tiles, and a few more than workers, so that a slow worker can be helped.
constexpr std::size_t least_chunk = 16;
constexpr std::size_t chunks_per_worker = 4;

constexpr std::size_t typical_frame_bytes = 512;

std::size_t chunks_for(const Topology& topology, unsigned threads)
{
    return std::clamp<std::size_t>(topology.nodes() / least_chunk, 1, threads * chunks_per_worker);
}

std::size_t bytes_per_link(const Topology& topology, const MachineOptions& options)
{
    const std::size_t capacity = options.channel_capacity;
    const std::size_t places = capacity + 1;
    return (options.channel == ChannelKind::slots ? Wires::bytes_per_link(capacity)
                                                  : Queues::bytes_per_link(capacity)) +
           sizeof(std::uint32_t) + LinkNumbers::bytes_per_link(topology) +
           (options.link.bound() ? LinkTimes::bytes_per_link(places) : 0) +
           (LentBytes::watched(options) ? places * LentBytes::bytes_per_place() : 0);
}

std::optional<std::size_t> limit_of_storage(const MachineOptions& options, std::size_t own)
{
    if (options.memory_limit == 0)
        return std::nullopt;
    return options.memory_limit - std::min(options.memory_limit, own);
}

}  // namespace

}  // namespace detail

std::size_t machine_memory(const Topology& topology, const MachineOptions& options)
{
    return topology.directed_links() * detail::bytes_per_link(topology, options) +
           topology.nodes() * (sizeof(detail::NodeState) + detail::typical_frame_bytes);
}

namespace detail {

Engine::Engine(const Topology& topology, const MachineOptions& options)
    : topology_(topology), options_(options), own_memory_(machine_memory(topology, options)), numbers_(topology),
      link_times_(options.link), clock_(options.threads, chunks_for(topology, options.threads), options.workers),
      storage_(limit_of_storage(options, own_memory_)), traffic_(std::make_unique<IdleTraffic>())
{
    require_memory(0, "the nodes and channels of " + topology_.name());
    const std::uint64_t links = numbers_.count();
    if (options_.channel == ChannelKind::slots)
        wires_ = Wires(links, options_.channel_capacity);
    else
        queues_ = Queues(links, options_.channel_capacity);
    packet_memory_ = Memory(links * sizeof(std::uint32_t));
    packets_ = {reinterpret_cast<std::uint32_t*>(packet_memory_.bytes().data()), links};
    const std::uint64_t places = links * (options_.channel_capacity + 1);
    link_times_.make_tables(links, places);
    if (LentBytes::watched(options_))
        lent_ = std::make_unique<LentBytes>(places);
    make_nodes();
}

Engine::~Engine()
{
    traffic_ = std::make_unique<IdleTraffic>(IdleTraffic::quiet);
    for (std::size_t chunk = 0; chunk < clock_.chunks(); ++chunk)
        chunks_[chunk].frames().destroy_live_frames();
}

void Engine::require_memory(std::size_t bytes, std::string_view what) const
{
    const bool counts_own = options_.memory_limit != 0 || !nodes_;  // later the system has counted it
    const std::size_t limit = options_.memory_limit ? options_.memory_limit : available_memory();
    std::size_t needed = 0;
    if (__builtin_add_overflow(bytes, counts_own ? own_memory_ : 0, &needed))
        needed = SIZE_MAX;
    if (needed > limit)
        throw InvalidArgument(fmt::format("{} would need {} of memory, and {} are available", what, memory_text(needed),
                                          memory_text(limit)));
}

void Engine::make_nodes()
{
    const std::size_t nodes = topology_.nodes();
    const std::size_t chunks = clock_.chunks();
    node_memory_ = Memory(nodes * sizeof(NodeState));
    nodes_ = reinterpret_cast<NodeState*>(node_memory_.bytes().data());
    chunks_ = std::make_unique<Chunk[]>(chunks);
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        chunks_[chunk].set(*this, static_cast<NodeId>(chunk * nodes / chunks),
                           static_cast<NodeId>((chunk + 1) * nodes / chunks));
        if (lent_)
            chunks_[chunk].frames().scribble_on_freed();
    }
    on_all_chunks(
        [this](Chunk& chunk) {
            for (NodeId id = chunk.first(); id < chunk.last(); ++id)
                new (nodes_ + id) NodeState(*this, chunk, topology_, id, numbers_.first(id));
            numbers_.note_outs(topology_, chunk.first(), chunk.last());
        },
        how_to_visit_all());
}

Clock::Next Engine::how_to_visit_all() const
{
    return topology_.nodes() * ns_per_node >= worth_sharing_ns ? Clock::Next::together : Clock::Next::alone;
}

void Engine::on_all_chunks(const EachChunk& work, Clock::Next how)
{
    clock_.run({[&](std::size_t chunk) { work(chunks_[chunk]); }, [] { return Clock::Next::stop; }}, how);
}

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
    const auto began = std::chrono::steady_clock::now();
    try {
        start(program);
        prepare(options);
        const Clock::Work work{[this](std::size_t chunk) { chunks_[chunk].run_step(step_); },
                               [this, &options] { return close_step(options); }};
        step_ = 1;
        clock_.run(work, how_to_visit_all());
    } catch (...) {
        reset();
        throw;
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
    const Counts counts = count(wall.count());
    const Failure failure = failure_;
    reset();
    if (failure.error)
        std::rethrow_exception(failure.error);
    return counts;
}

void Engine::prepare(const RunOptions& options)
{
    seed_ = options.seed;
    if (options.trace) {
        require_memory(Tracer::bytes(topology_, numbers_.count(), options_.channel_capacity + 1), "a trace");
        tracer_ = std::make_unique<Tracer>(topology_, numbers_.count(), options_.channel_capacity + 1, options);
    }
    const bool attentive = link_times_.bound() || observed();
    plain_ = !attentive && !one_port() && options_.channel == ChannelKind::slots && options_.channel_capacity == 1;
    traffic_ = make_traffic(*this, attentive            ? Policy::attentive
                                   : options_.unchecked ? Policy::unchecked
                                                        : Policy::checked);
}

void Engine::start(const Machine::Program& program)
{
    on_all_chunks([&](Chunk& chunk) { chunk.start(program); }, how_to_visit_all());
    const Failure failure = add_up().failure;
    if (failure.error)
        std::rethrow_exception(failure.error);
}

// Makes the machine as new after a run: no task, no packet, all counters zero. Memory that was lent is kept for the
// next run.
void Engine::reset()
{
    traffic_ = std::make_unique<IdleTraffic>(IdleTraffic::quiet);  // destructors may send
    // A run that ended well has emptied its wires; what else their marks say only link-bound machines ask.
    const bool wires_are_empty = step_ != 0 && !failure_.error && !link_times_.bound();
    const auto reset_chunk = [this, wires_are_empty](Chunk& chunk) {
        chunk.reset();
        for (NodeId id = chunk.first(); id < chunk.last(); ++id)
            for (Port port = 0; port < topology_.ports(id); ++port) {
                const std::uint32_t link = numbers_.in(id, port);
                packets_[link] = 0;
                if (options_.channel == ChannelKind::spsc)
                    queues_.reset(link);
                else if (!wires_are_empty)
                    wires_.reset(link);
            }
    };
    on_all_chunks(reset_chunk, how_to_visit_all());
    traffic_ = std::make_unique<IdleTraffic>();
    second_receive_.store(false, std::memory_order_relaxed);
    dormant_.store(0, std::memory_order_relaxed);
    link_times_.reset();
    storage_.reset();
    tracer_.reset();
    failure_ = {};
    step_ = 0;
}

Clock::Next Engine::close_step(const RunOptions& options)
{
    const Chunk::Tally total = add_up();
    failure_ = total.failure;
    check_loans();
    failure_.keep_first(find_not_together(total.begun));
    failure_.keep_first(find_second_receive());
    const bool ended = unfinished() == 0;
    call([this] {
        if (tracer_)
            tracer_->flush();
    });
    if (!ended)  // what is received after the last step is part of none
        call([&] { tell(options); });
    if (!failure_.error)
        failure_ = ended ? end_of_run() : find_deadlock(total);
    if (failure_.error || ended)
        return Clock::Next::stop;
    link_times_.advance(total.longest);  // a packet's end, which was found to fit
    return go_on(total, options);
}

Failure Engine::end_of_run() const
{
    Failure failure = find_never_received();
    return failure.error ? failure : find_never_awaited();
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

// On to the next step, past those in which all nodes sleep.
Clock::Next Engine::go_on(const Chunk::Tally& total, const RunOptions& options)
{
    const Step next = std::min(next_step(), Wires::last_step);
    if (step_ == Wires::last_step)
        failure_ = violation(Rule::too_many_steps, 0, RuleViolation::no_port, step_, "a run has at most 2^31-1 steps");
    ++step_;
    if (!options.on_step)
        step_ = next;
    for (; step_ < next && !failure_.error && !options.stop.stop_requested(); ++step_)
        call([&] { tell(options); });
    if (!failure_.error && options.stop.stop_requested())
        failure_ = {step_, 0, std::make_exception_ptr(Interrupted())};
    if (failure_.error)
        return Clock::Next::stop;
    std::size_t awake = 0;
    for (std::size_t chunk = 0; chunk < clock_.chunks(); ++chunk)
        awake += chunks_[chunk].awake(step_);
    const std::uint64_t ns = awake * ns_per_node + total.sent * ns_per_packet + total.bytes / bytes_per_ns;
    return ns >= worth_sharing_ns ? Clock::Next::together : Clock::Next::alone;
}

Step Engine::next_step() const
{
    Step next = Chunk::never;
    for (std::size_t chunk = 0; chunk < clock_.chunks(); ++chunk)
        next = std::min(next, chunks_[chunk].next_step(step_));
    return next == Chunk::never ? step_ + 1 : next;
}

std::size_t Engine::unfinished() const
{
    std::size_t count = 0;
    for (std::size_t chunk = 0; chunk < clock_.chunks(); ++chunk)
        count += chunks_[chunk].unfinished();
    return count;
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
    std::vector<Counts> parts(clock_.chunks());
    on_all_chunks([&](Chunk& chunk) { chunk.count(parts[static_cast<std::size_t>(&chunk - chunks_.get())], packets_); },
                  how_to_visit_all());
    Counts counts;
    counts.steps = step_ - 1;
    counts.wall_seconds = wall_seconds;
    Notes notes;
    for (std::size_t chunk = 0; chunk < clock_.chunks(); ++chunk)
        notes.add(chunks_[chunk].notes());
    notes.write(counts);
    for (const Counts& part : parts) {
        counts.transmissions += part.transmissions;
        counts.bytes += part.bytes;
        counts.virtual_time = std::max(counts.virtual_time, part.virtual_time);
        counts.storage_bytes += part.storage_bytes;
        counts.largest_storage_bytes = std::max(counts.largest_storage_bytes, part.largest_storage_bytes);
        if (part.busiest && (!counts.busiest || part.busiest->packets > counts.busiest->packets))
            counts.busiest = part.busiest;
        if (part.idlest && (!counts.idlest || part.idlest->packets < counts.idlest->packets))
            counts.idlest = part.idlest;
    }
    return counts;
}

// Of several exceptions the smallest node's counts: all nodes get their turn.
void Engine::for_each_node(const std::function<void(NodeId)>& work)
{
    const Occupied occupied(busy_, "for_each_node");
    const auto visit = [&](Chunk& chunk) {
        for (NodeId id = chunk.first(); id < chunk.last(); ++id)
            try {
                work(id);
            } catch (...) {
                chunk.fail({0, id, std::current_exception()});
            }
    };
    on_all_chunks(visit, Clock::Next::together);
    const Failure failure = add_up().failure;
    if (failure.error)
        std::rethrow_exception(failure.error);
}

void Engine::ring(NodeId id)
{
    NodeState& node = nodes_[id];
    if (node.dormant.load(std::memory_order_relaxed))
        node.chunk->ring(node);
}

void Engine::note_arrival(NodeId receiver)
{
    if (nodes_[receiver].last_arrival.exchange(step_, std::memory_order_relaxed) == step_)
        second_receive_.store(true, std::memory_order_relaxed);
}

void Engine::attend_send(NodeState& node, Port port, std::uint32_t link, std::uint64_t place, const Parcel& parcel,
                         Usable usable)
{
    Transit transit;
    if (link_times_.bound()) {
        if (parcel.size() == 0)
            node.throw_violation(Rule::empty_packet, port, "a link-bound machine sends no packets of 0 bytes");
        const auto departed =
            link_times_.depart(link, place, parcel.size(), usable.known() ? usable.ticks() : node.latest_arrival);
        if (!departed)
            node.throw_violation(Rule::time_overflow, port, "the packet's virtual time does not fit in 64 bits");
        transit = *departed;
        node.chunk->note_transit(transit);
    }
    const std::span<const std::byte> whole(parcel.data, parcel.size());
    const auto parts = parcel.is_joined() ? parcel.parts() : std::span(&whole, 1);
    if (tracer_)
        tracer_->sent(link,
                      {.step = step_,
                       .from = node.id(),
                       .to = topology_.neighbour(node.id(), port),
                       .port = port,
                       .bytes = 0,
                       .start = transit.start,
                       .end = transit.end,
                       .pieces = {},
                       .phase = node.chunk->notes().name_of(node.phase)},
                      parts);
    if (lent_)
        lent_->lend(place, node.id(), port, parcel, step_);
}

Time Engine::attend_take(NodeState& node, std::uint64_t place)
{
    if (lent_) {
        const LentBytes::Loan& loan = lent_->take(place);
        node.chunk->note_loan(loan);
        if (!loan.there()) [[unlikely]]  // before the receiver reads what is gone
            end_run(node, lent_bytes_changed(loan));
    }
    const Time usable = link_times_.arrival(place);
    node.latest_arrival = std::max(node.latest_arrival, usable);
    return usable;
}

void Engine::observe_receive(const NodeState& node, std::uint32_t link,
                             std::span<const std::span<const std::byte>> parts)
{
    if (tracer_)
        tracer_->received(node.id(), link, parts);
}

void Engine::observe_copy(const NodeState& node, std::span<const std::byte> into, std::span<const std::byte> from)
{
    if (tracer_)
        tracer_->copied(node.id(), into, from);
}

std::span<std::byte> Engine::allocate(NodeState& node, std::size_t bytes)
{
    const auto storage = storage_.allocate(bytes);
    if (!storage) [[unlikely]]
        throw_no_memory(node);
    node.storage += bytes;
    return *storage;
}

Stripes Engine::allocate_stripes(NodeState& node, std::size_t pieces, std::size_t bytes)
{
    const auto all = storage_.interleaved(topology_.nodes(), pieces, bytes);
    if (!all) [[unlikely]]
        throw_no_memory(node);
    node.storage += pieces * bytes;
    return {all->data() + node.id() * bytes, topology_.nodes() * bytes};
}

}  // namespace detail

}  // namespace dcube
