#include "emu/engine.hpp"

#include "base/numbers.hpp"
#include "base/sizes.hpp"
#include "emu/run.hpp"
#include "emu/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

namespace dcube {

namespace detail {

namespace {

constexpr std::size_t typical_frame_bytes = 512;

std::size_t bytes_per_link(const Topology& topology, const MachineOptions& options)
{
    const std::size_t places = options.channel_capacity + 1;
    return Links::bytes_per_link(topology, options) +
           (LentBytes::watched(options) ? places * LentBytes::bytes_per_place() : 0);
}

// The links that enter this rank's nodes, and on this side the links that leave them.
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

std::optional<std::size_t> limit_of_storage(const MachineOptions& options, std::uint64_t own)
{
    if (options.memory_limit == 0)
        return std::nullopt;
    return options.memory_limit - static_cast<std::size_t>(std::min<std::uint64_t>(options.memory_limit, own));
}

MachineOptions on_network(MachineOptions options, const Topology& topology)
{
    options.link = topology.links(options.link, options.ports);
    return options;
}

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

}  // namespace detail

std::uint64_t machine_memory(const Topology& topology, const MachineOptions& options)
{
    const NodeRange own = detail::Ranks::own_nodes(topology, options);
    return detail::links_of_rank(topology, own) * detail::bytes_per_link(topology, options) +
           std::uint64_t{own.size()} * (sizeof(detail::NodeState) + detail::typical_frame_bytes) +
           topology.nodes() * std::uint64_t{detail::LinkTimes::bytes_per_node(options.link)} +
           detail::TranslationTable::bytes(topology);
}

namespace detail {

Engine::Engine(const Topology& topology, const MachineOptions& options)
    : topology_(topology), options_(on_network(options, topology)), ranks_(topology_, options_),
      own_memory_(machine_memory(topology_, options_)), links_(topology_, options_, ranks_.own()),
      clock_(options.threads, chunk_count(ranks_.own().size(), options.threads), options.workers,
             Pins(pinned_processors(options.pinning))),
      storage_(limit_of_storage(options, own_memory_)), traffic_(&idle_traffic(Idle::complaining))
{
    if (ranks_.several())
        ranks_.require_same_machine(options_);
    together(ranks_.world(), [this] { make(); });
}

void Engine::make()
{
    require_memory(0, "the nodes and channels of " + topology_.name());
    links_.make_tables();
    if (LentBytes::watched(options_))
        observers_.watch_lent_bytes(links_.places());
    make_nodes();
    links_.note_own_times(ranks_.own());
}

Engine::~Engine()
{
    traffic_ = &idle_traffic(Idle::quiet);
    for (Chunk& chunk : chunks())
        chunk.frames().destroy_live_frames();
}

void Engine::require_memory(std::uint64_t bytes, std::string_view what) const
{
    const bool counts_own = options_.memory_limit != 0 || !nodes_;  // later the system has counted it
    const std::uint64_t needed = sum_or_most(bytes, counts_own ? own_memory_ : 0);
    if (options_.memory_limit == 0 && assumed_available(needed))
        return;
    const std::uint64_t limit =
        options_.memory_limit ? options_.memory_limit : available_memory() / ranks_.world().ranks_on_host();
    if (needed > limit)
        throw InvalidArgument(fmt::format("{} would need {} of memory{}; available: {}", what, memory_text(needed),
                                          on_rank(needed, limit), memory_text(limit)));
}

// " on rank 1 (of 2; about 5 would do)".
std::string Engine::on_rank(std::uint64_t needed, std::uint64_t limit) const
{
    const std::size_t ranks = ranks_.world().ranks();
    if (ranks == 1)
        return "";
    const std::uint64_t enough = needed / std::max<std::uint64_t>(limit, 1) * ranks + ranks;
    return fmt::format(" on rank {} (of {}; about {} would do)", ranks_.world().rank(), ranks, enough);
}

// Into chunks of equal size.
void Engine::cut()
{
    const NodeRange own = ranks_.own();
    const std::size_t nodes = own.size();
    const std::size_t chunks = clock_.chunks();
    for (std::size_t chunk = 0; chunk < chunks; ++chunk)
        chunks_[chunk].set(*this, own.first + static_cast<NodeId>(chunk * nodes / chunks),
                           own.first + static_cast<NodeId>((chunk + 1) * nodes / chunks));
}

// Small machines are cut anew before a run, as suits what the last one did.
void Engine::cut_anew()
{
    if (ranks_.several() || topology_.nodes() >= clock_.most_chunks() * Tile::most)
        return;
    const std::size_t chunks = clock_.chunks();
    clock_.choose_cut();
    if (clock_.chunks() == chunks)
        return;
    cut();
    for (Chunk& chunk : this->chunks())
        for (NodeId id = chunk.first(); id < chunk.last(); ++id)
            nodes_[id].chunk = &chunk;
}

void Engine::make_nodes()
{
    node_memory_ = Memory(topology_.nodes() * sizeof(NodeState));  // the other ranks' nodes are never touched
    nodes_ = reinterpret_cast<NodeState*>(node_memory_.bytes().data());
    chunks_ = std::make_unique<Chunk[]>(clock_.most_chunks());
    cut();
    if (observers_.watch_loans())
        for (Chunk& chunk : this->chunks())
            chunk.frames().scribble_on_freed();
    const Pinned pinned(clock_.pins(), 0);
    const auto touch = clock_.pins().any() ? Links::Touch::wires_too : Links::Touch::counters;
    const auto make = [this, touch](Chunk& chunk) {
        for (NodeId id = chunk.first(); id < chunk.last(); ++id)
            new (nodes_ + id) NodeState(*this, chunk, topology_, id, links_.numbers().first(id));
        links_.numbers().note_outs(topology_, chunk.first(), chunk.last());
        links_.for_each_into(chunk.first(), chunk.last(), [&](std::uint32_t link) { links_.make(link, touch); });
    };
    on_all_chunks(make);
    const Failure failure = take_tally().failure;
    if (failure.error)
        std::rethrow_exception(failure.error);
    if (ranks_.several())
        ranks_.make_border(*this);
    for_each_link_out([this](std::uint32_t link) { links_.make(link, Links::Touch::counters); });
}

std::uint64_t Engine::work_of_visit() const
{
    return std::uint64_t{ranks_.own().size()} * ns_per_visit;
}

void Engine::on_all_chunks(const EachChunk& work, Clock::Next how)
{
    clock_.run({[&](std::size_t chunk, std::uint64_t) {
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

void Engine::ring(NodeId id)
{
    NodeState& node = nodes_[id];
    if (node.dormant.load(std::memory_order_relaxed))
        node.chunk->ring(node);
}

void Engine::note_arrival(NodeId receiver)
{
    if (!ranks_.owns(receiver))
        return;
    if (nodes_[receiver].last_arrival.exchange(step_, std::memory_order_relaxed) == step_)
        second_receive_.store(true, std::memory_order_relaxed);
}

bool Engine::take_bells()
{
    if (!rung_.load(std::memory_order_relaxed))
        return false;
    rung_.store(false, std::memory_order_relaxed);
    return std::ranges::any_of(chunks(), &Chunk::rung);
}

Chunk::Tally Engine::take_tally()
{
    Chunk::Tally total;
    for (Chunk& chunk : chunks())
        total.add(chunk.take_tally());
    return total;
}

Counts Engine::run(const Machine::Program& program, const RunOptions& options)
{
    const Occupied occupied(busy_, "another run");
    const Pinned pinned(clock_.pins(), 0);
    const Clock::Loan loan(clock_);
    cut_anew();
    return Run(*this, options).of(program);
}

void Engine::prepare(const RunOptions& options)
{
    seed_ = options.seed;
    if (ranks_.traced())
        observers_.begin_trace(options);
    if (!options.failing.empty()) {
        require_memory(LossyLinks::bytes(links_.numbers()), "the list of links that fail");
        lossy_links_ = std::make_unique<LossyLinks>(topology_, links_.numbers(), options.failing);
    }
    const bool instrumented = links_.times().bound() || observers_.any() || lossy_links_;
    const bool plain_channels =
        !instrumented && options_.channel == ChannelKind::slots && options_.channel_capacity == 1;
    plain_ = plain_channels && !one_port();
    if (plain_channels)
        plain_traffic_ = PlainTraffic(links_, checked(), one_port());
    traffic_of_run_ = make_traffic(*this, lossy_links_         ? Policy::losing
                                          : instrumented       ? Policy::instrumented
                                          : options_.unchecked ? Policy::unchecked
                                                               : Policy::checked);
    traffic_ = traffic_of_run_.get();
}

void Engine::reset(bool ended_well)
{
    plain_traffic_ = {};
    traffic_ = &idle_traffic(Idle::quiet);  // destructors may send
    // A run that ended well has emptied its wires; only link-bound machines and borders read the rest of their marks.
    const bool wires_are_empty = ended_well && checked() && !links_.times().bound() && !ranks_.border();
    const auto reset_link = [this, wires_are_empty](std::uint32_t link) { links_.reset(link, wires_are_empty); };
    const auto reset_chunk = [&](Chunk& chunk) {
        chunk.reset();
        links_.for_each_into(chunk.first(), chunk.last(), reset_link);
    };
    on_all_chunks(reset_chunk);
    for_each_link_out(reset_link);
    if (ranks_.border())
        ranks_.border()->reset();
    traffic_ = &idle_traffic(Idle::complaining);
    traffic_of_run_.reset();
    second_receive_.store(false, std::memory_order_relaxed);
    rung_.store(false, std::memory_order_relaxed);
    checked_scripts_.clear();
    links_.times().reset();
    storage_.reset();
    observers_.end_run();
    lossy_links_.reset();
    step_ = 0;
}

// If several throw, the exception of the smallest node counts: all nodes get their turn.
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
    ranks_.agree_on_failure(take_tally().failure);
}

}  // namespace detail

}  // namespace dcube
