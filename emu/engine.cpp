#include "emu/engine.hpp"

#include "base/sizes.hpp"
#include "emu/idle_traffic.hpp"
#include "emu/step_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <new>

namespace dcube {

namespace detail {

namespace {

constexpr std::size_t typical_frame_bytes = 512;

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

// Those that enter this rank's nodes, and on this side those that leave it.
std::uint64_t links_of_rank(const Topology& topology, NodeRange own)
{
    if (own.size() == topology.nodes())
        return topology.directed_links();
    std::uint64_t links = 0;
    for (NodeId node = own.first; node < own.last; ++node)
        for (Port port = 0; port < topology.ports(node); ++port)
            links += own.contains(topology.neighbour(node, port)) ? 1 : 2;
    return links;
}

NodeRange own_nodes(const Topology& topology, const MachineOptions& options)
{
    const World* const world = options.world.get();
    return world ? nodes_of_rank(world->rank(), world->ranks(), topology.nodes()) : NodeRange{0, topology.nodes()};
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
    const NodeRange own = detail::own_nodes(topology, options);
    return detail::links_of_rank(topology, own) * detail::bytes_per_link(topology, options) +
           own.size() * (sizeof(detail::NodeState) + detail::typical_frame_bytes) + detail::Images::bytes(topology);
}

namespace detail {

Engine::Engine(const Topology& topology, const MachineOptions& options)
    : topology_(topology), options_(options), world_(options.world ? options.world : world_alone()),
      own_(own_nodes(topology, options)), own_memory_(machine_memory(topology, options)), numbers_(topology, own_),
      link_times_(options.link), clock_(options.threads, chunk_count(own_.size(), options.threads), options.workers,
                                        Pins(pinned_processors(options.pinning))),
      storage_(limit_of_storage(options, own_memory_)), traffic_(&idle_traffic(IdleTraffic::complaining))
{
    if (world_->ranks() > 1)
        require_same_machine();
    together(*world_, [this] { make(); });
}

void Engine::make()
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
    traffic_ = &idle_traffic(IdleTraffic::quiet);
    for (std::size_t chunk = 0; chunk < clock_.chunks(); ++chunk)
        chunks_[chunk].frames().destroy_live_frames();
}

void Engine::require_memory(std::size_t bytes, std::string_view what) const
{
    const bool counts_own = options_.memory_limit != 0 || !nodes_;  // later the system has counted it
    const std::size_t limit =
        options_.memory_limit ? options_.memory_limit : available_memory() / world_->ranks_on_host();
    std::size_t needed = 0;
    if (__builtin_add_overflow(bytes, counts_own ? own_memory_ : 0, &needed))
        needed = SIZE_MAX;
    if (needed > limit)
        throw InvalidArgument(fmt::format("{} would need {} of memory{}, and {} are available", what,
                                          memory_text(needed), on_rank(needed, limit), memory_text(limit)));
}

// " on rank 1 (of 2; about 5 would do)".
std::string Engine::on_rank(std::size_t needed, std::size_t limit) const
{
    const std::size_t ranks = world_->ranks();
    if (ranks == 1)
        return "";
    const std::size_t enough = needed / std::max<std::size_t>(limit, 1) * ranks + ranks;
    return fmt::format(" on rank {} (of {}; about {} would do)", world_->rank(), ranks, enough);
}

void Engine::make_nodes()
{
    const std::size_t nodes = own_.size();
    const std::size_t chunks = clock_.chunks();
    node_memory_ = Memory(topology_.nodes() * sizeof(NodeState));  // of which others' are never touched
    nodes_ = reinterpret_cast<NodeState*>(node_memory_.bytes().data());
    chunks_ = std::make_unique<Chunk[]>(chunks);
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        chunks_[chunk].set(*this, own_.first + static_cast<NodeId>(chunk * nodes / chunks),
                           own_.first + static_cast<NodeId>((chunk + 1) * nodes / chunks));
        if (lent_)
            chunks_[chunk].frames().scribble_on_freed();
    }
    const Pinned pinned(clock_.pins(), 0);
    const auto make = [this](Chunk& chunk) {
        for (NodeId id = chunk.first(); id < chunk.last(); ++id)
            new (nodes_ + id) NodeState(*this, chunk, topology_, id, numbers_.first(id));
        numbers_.note_outs(topology_, chunk.first(), chunk.last());
        make_links(chunk);
    };
    on_all_chunks(make, how_to_visit_all());
    const Failure failure = add_up().failure;
    if (failure.error)
        std::rethrow_exception(failure.error);
    if (world_->ranks() > 1)
        border_ = std::make_unique<Border>(*this);
    for_each_link_out([this](std::uint32_t link) {
        link_times_.make(link, options_.channel_capacity + 1);
        if (options_.channel == ChannelKind::spsc)
            queues_.make(link);
    });
}

// Links are their receivers'. Pages, which may be of 2 MiB, are where they are first touched: here counters and times
// are; wires too if workers keep to their processors, else when they are first used, because most runs do not use all
// of them.
void Engine::make_links(const Chunk& chunk)
{
    for_each_link(chunk, [this](std::uint32_t link) {
        packets_[link] = 0;
        link_times_.make(link, options_.channel_capacity + 1);
        if (options_.channel == ChannelKind::spsc)
            queues_.make(link);
        else if (clock_.pins().any())
            wires_.reset(link);
    });
}

Clock::Next Engine::how_to_visit_all() const
{
    return own_.size() * ns_per_node >= worth_sharing_ns ? Clock::Next::together : Clock::Next::alone;
}

void Engine::on_all_chunks(const EachChunk& work, Clock::Next how)
{
    clock_.run({[&](std::size_t chunk) {
                    try {
                        work(chunks_[chunk]);
                    } catch (...) {
                        chunks_[chunk].fail({step_, chunks_[chunk].first(), std::current_exception()});
                    }
                    return Summary();
                },
                [](const Summary&) { return Clock::Next::stop; }},
               how);
}

void Engine::put_bells_out(const NodeState& node)
{
    if (node.awaits_room)
        return link_times_.put_bell(numbers_.out(node.id(), node.awaited_port));
    const auto put_bell = [&](Port port) {
        const std::uint32_t link = numbers_.in(node.id(), port);
        options_.channel == ChannelKind::slots ? wires_.put_bell(link, step_) : queues_.put_bell(link, step_);
    };
    if (!node.awaited_any)
        return put_bell(node.awaited_port);
    for (std::size_t i = 0; i < node.awaited_any->count; ++i)
        put_bell(node.awaited_any->port(i));
}

void Engine::ring(NodeId id)
{
    NodeState& node = nodes_[id];
    if (node.dormant.load(std::memory_order_relaxed))
        node.chunk->ring(node);
}

// Of another rank's node that rank notes it.
void Engine::note_arrival(NodeId receiver)
{
    if (!owns(receiver))
        return;
    if (nodes_[receiver].last_arrival.exchange(step_, std::memory_order_relaxed) == step_)
        second_receive_.store(true, std::memory_order_relaxed);
}

// The sender cannot know, and so all is as with any packet but for its arrival.
void Engine::lose(NodeState& node, Port port, std::uint32_t link, std::size_t bytes)
{
    failing_->lose(link, step_);
    count_sent(node, link, bytes);
    node.chunk->note_lost({step_, node.id(), port, topology_.neighbour(node.id(), port), bytes, failing_->cause(link)});
}

std::span<std::byte> Engine::allocate(NodeState& node, std::size_t bytes)
{
    const std::size_t nodes = node.chunk->last() - node.chunk->first();
    const auto storage = node.chunk->storage().allocate(storage_, bytes, nodes);
    if (!storage) [[unlikely]]
        throw_no_memory(node);
    node.storage += bytes;
    return *storage;
}

Stripes Engine::allocate_stripes(NodeState& node, std::size_t pieces, std::size_t bytes)
{
    const auto all = node.chunk->storage().interleaved(storage_, own_.size(), pieces, bytes);
    if (!all) [[unlikely]]
        throw_no_memory(node);
    node.storage += pieces * bytes;
    std::byte* const first = all->data();  // none where nothing has bytes
    return {first ? first + (node.id() - own_.first) * bytes : nullptr, own_.size() * bytes};
}

}  // namespace detail

}  // namespace dcube
