#pragma once
// Engine: what stands behind a Machine: the nodes in their chunks, the links, and a run from its start to its counts.

#include "emu/border.hpp"
#include "emu/chunk.hpp"
#include "emu/clock.hpp"
#include "emu/failing_links.hpp"
#include "emu/images.hpp"
#include "emu/lent_bytes.hpp"
#include "emu/link_numbers.hpp"
#include "emu/link_times.hpp"
#include "emu/queues.hpp"
#include "emu/script_check.hpp"
#include "emu/storage.hpp"
#include "emu/tracer.hpp"
#include "emu/traffic.hpp"
#include "emu/wires.hpp"

#include <dcube/machine.hpp>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace dcube::detail {

// Who waits, since which step, at which port, and for what: for the report of a deadlock.
using Waiting = std::map<std::tuple<Step, Port, std::string>, std::vector<NodeId>>;

// Of a packet that is sent.
enum class Fate : std::uint8_t { arrives, lost };

class Engine {
public:
    Engine(const Topology& topology, const MachineOptions& options);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    Counts run(const Machine::Program& program, const RunOptions& options);
    void for_each_node(const std::function<void(NodeId)>& work);
    void require_memory(std::size_t bytes, std::string_view what) const;

    [[nodiscard]] const Topology& topology() const { return topology_; }
    [[nodiscard]] const MachineOptions& options() const { return options_; }
    [[nodiscard]] unsigned threads() const { return clock_.threads(); }
    [[nodiscard]] World& world() const { return *world_; }
    // This rank's nodes.
    [[nodiscard]] NodeRange own() const { return own_; }
    [[nodiscard]] bool owns(NodeId node) const { return own_.contains(node); }
    [[nodiscard]] Step step() const { return step_; }
    [[nodiscard]] std::uint64_t seed() const { return seed_; }  // of the run's random numbers
    [[nodiscard]] bool observed() const { return tracer_ || lent_; }

    // For the border to other ranks.
    [[nodiscard]] std::span<const Chunk> chunks() const { return {chunks_.get(), clock_.chunks()}; }
    [[nodiscard]] const LinkTimes& link_times() const { return link_times_; }
    [[nodiscard]] Tracer* tracer() const { return tracer_.get(); }
    // Of the packet in that place, for another rank: whether its bytes can still be read.
    [[nodiscard]] bool lent_is_there(std::uint64_t place) const { return !lent_ || lent_->take(place).there(); }
    // It was taken there.
    void observe_take_across(std::uint64_t place);
    // One of another rank's has come to this place.
    void observe_arrival(NodeId receiver, std::uint64_t place, Time arrival);
    // Rings for a sender of this rank whose bell is out at the link: something was taken from it.
    void ring_for_room(NodeId sender, std::uint32_t link)
    {
        if (link_times_.has_bell(link)) [[unlikely]]
            ring(sender);
    }

    // For nodes, chunks and traffic.
    [[nodiscard]] NodeState& node(NodeId id) const { return nodes_[id]; }
    [[nodiscard]] const LinkNumbers& numbers() const { return numbers_; }
    [[nodiscard]] Wires& wires() { return wires_; }
    [[nodiscard]] Queues& queues() { return queues_; }
    [[nodiscard]] Traffic& traffic() const { return *traffic_; }
    [[nodiscard]] bool one_port() const { return options_.ports == PortModel::one; }
    // True if nothing is unusual: what loops over nodes may rely on (tiles.hpp).
    [[nodiscard]] bool plain() const { return plain_; }
    [[nodiscard]] bool checked() const { return !options_.unchecked; }
    [[nodiscard]] const Images& images() const { return images_; }
    void make_images() { images_.make(topology_); }
    [[nodiscard]] CheckedScripts& checked_scripts() { return checked_scripts_; }
    std::span<std::byte> allocate(NodeState& node, std::size_t bytes);
    Stripes allocate_stripes(NodeState& node, std::size_t pieces, std::size_t bytes);

    // How many each link has carried in this run.
    [[nodiscard]] std::uint32_t* packets() { return packets_.data(); }
    void count_sent(NodeState& node, std::uint32_t link, std::size_t bytes)
    {
        ++packets_[link];
        node.chunk->count_sent(1, bytes);
    }
    void note_arrival(NodeId receiver);
    // In runs in which links fail.
    [[nodiscard]] const FailingLinks& failing() const { return *failing_; }
    void lose(NodeState& node, Port port, std::uint32_t link, std::size_t bytes);
    // The same violation whether the sender or the receiver comes across it (wires.hpp).
    [[noreturn, gnu::cold]] void throw_channel_full(const NodeState& finder, Step step, NodeId sender, Port port) const;
    [[noreturn, gnu::cold]] void throw_no_memory(const NodeState& finder) const;
    void require_no_packets(const NodeState& node, std::string_view name) const;

    // For a node that has found nothing of what it waits for.
    void put_bells_out(const NodeState& node);
    // If the node still waits, it is looked at again.
    void ring(NodeId id);
    // Somebody was rung for in this step.
    void note_bell()
    {
        if (!rung_.load(std::memory_order_relaxed))
            rung_.store(true, std::memory_order_relaxed);
    }

    // What more there is to sending and receiving: time, traces, lent bytes. `place`: of the packet in its channel.
    void observe_send(NodeState& node, Port port, std::uint32_t link, std::uint64_t place, const Parcel& parcel,
                      Usable usable, Fate fate);
    Time observe_take(NodeState& node, std::uint64_t place);
    void observe_receive(const NodeState& node, std::uint32_t link, std::span<const std::span<const std::byte>> parts);
    void observe_copy(const NodeState& node, std::span<const std::byte> into, std::span<const std::byte> from);
    // The same of sums, and what they were combined with.
    void observe_receive_sum(const NodeState& node, std::uint32_t link, std::span<const std::byte> into,
                             std::span<const std::byte> base);
    void observe_combine(const NodeState& node, std::span<const std::byte> into, std::span<const std::byte> base,
                         std::span<const std::byte> from);
    // After each of them, where bytes of the node's own were written.
    void observe_written(const NodeState& node, std::span<const std::byte> into);
    [[nodiscard]] Time arrival_time(std::uint64_t place) const { return link_times_.arrival(place); }

private:
    // What all workers do: run nodes, or share what there is to do at a step's end: checking lent bytes, and what
    // crosses to other ranks.
    enum class Stage : std::uint8_t { running, checking, packing, entering };

    using EachChunk = std::function<void(Chunk&)>;
    void on_all_chunks(const EachChunk& work, Clock::Next how);
    [[nodiscard]] Clock::Next how_to_visit_all() const;
    void require_same_machine() const;
    void require_own_processors() const;
    void make();
    [[nodiscard]] std::string on_rank(std::size_t needed, std::size_t limit) const;
    void make_nodes();
    void make_links(const Chunk& chunk);
    // Those that enter one of the chunk's nodes: the worker that receives from them.
    template <class Function>
    void for_each_link(const Chunk& chunk, const Function& function) const
    {
        for (NodeId id = chunk.first(); id < chunk.last(); ++id)
            for (Port port = 0; port < topology_.ports(id); ++port)
                function(numbers_.in(id, port));
    }
    // Those that leave it for another rank.
    template <class Function>
    void for_each_link_out(const Function& function) const
    {
        if (border_)
            border_->for_each_out(function);
    }

    void prepare(const RunOptions& options);
    void start(const Machine::Program& program);
    void agree_on(const RunOptions& options);
    Summary run_part(std::size_t chunk);
    Clock::Next close(const Summary& own, const RunOptions& options);
    Clock::Next close_stage(const Summary& own, const RunOptions& options);
    Clock::Next close_step(const RunOptions& options);
    Clock::Next cross(const RunOptions& options);
    Clock::Next decide(const RunOptions& options);
    Clock::Next share(Stage stage);
    [[nodiscard]] StepNote note(const Chunk::Tally& total, const RunOptions& options);
    void settle(const RunOptions& options);
    [[nodiscard]] Failure first_of_all(const Failure& own);
    [[nodiscard]] Failure of_lowest_rank(const Failure& own);
    void agree_on_failure(const Failure& own);
    template <class Function>
    void call(const Function& function);
    void tell(const RunOptions& options) const;
    Chunk::Tally add_up();
    void check_loans(Chunk& chunk);
    [[nodiscard]] Failure lent_bytes_changed(const LentBytes::Loan& loan) const;
    [[noreturn, gnu::cold]] void end_run(const NodeState& finder, const Failure& failure) const;
    [[nodiscard]] Failure end_of_run();
    Clock::Next go_on(const RunOptions& options);
    [[nodiscard]] bool any_rung();
    Counts count(double wall_seconds);
    [[nodiscard]] Counts count_own();
    void reset();
    void reset_link(std::uint32_t link, bool wire_is_empty);

    [[nodiscard]] Inlet inlet(NodeId node, Port port, Step step) const;
    [[nodiscard]] Failure violation(Rule rule, NodeId node, Port port, Step step, const std::string& detail) const;
    [[nodiscard]] Failure find_second_receive() const;
    [[nodiscard]] Failure find_deadlock(const Summary& sum);
    [[nodiscard]] Failure find_not_together(const Beginnings& begun, std::uint64_t nodes);
    [[nodiscard]] Beginnings begun_everywhere(const Beginnings& own);
    [[nodiscard]] Failure find_never_received() const;
    [[nodiscard]] bool any_under_way();
    [[nodiscard]] Failure find_never_awaited() const;
    [[nodiscard]] bool has_room_after(const NodeState& node) const;
    [[nodiscard]] Failure named_by_loss(const Failure& failure, const std::optional<LostPacket>& first_lost) const;
    [[nodiscard]] bool any_finds_room();
    [[nodiscard]] Waiting who_waits() const;
    [[nodiscard]] Waiting who_waits_everywhere();

    Topology topology_;
    MachineOptions options_;
    std::shared_ptr<World> world_;
    NodeRange own_;
    std::size_t own_memory_;
    LinkNumbers numbers_;
    LinkTimes link_times_;
    Clock clock_;
    std::unique_ptr<Chunk[]> chunks_;
    Memory node_memory_;
    NodeState* nodes_ = nullptr;

    Wires wires_;
    Queues queues_;
    Memory packet_memory_;
    std::span<std::uint32_t> packets_;  // of every link in this run
    Images images_;
    CheckedScripts checked_scripts_;
    Storage storage_;
    std::unique_ptr<Border> border_;  // if there are other ranks

    // The run.
    std::atomic<bool> busy_{false};
    Stage stage_ = Stage::running;
    // Of the step that is being closed: of this rank's chunks, and of all ranks.
    Summary sum_{};
    Beginnings begun_{};
    StepNote all_{};
    bool plain_ = false;
    bool traced_ = false;  // some rank has asked for a trace
    bool told_ = false;    // or to be told of steps
    bool settles_ =
        false;  // what ends a run may be found after the ranks' messages of a step: they tell each other again
    std::uint64_t seed_ = 0;
    Step step_ = 0;
    Failure failure_{};
    std::exception_ptr lost_;      // what ended the run on this rank alone
    std::set<Begun> begun_names_;  // in the running step, on all ranks
    Traffic* traffic_;             // the run's, or an idle one
    std::unique_ptr<Traffic> traffic_of_run_;
    std::unique_ptr<Tracer> tracer_;         // in a traced run
    std::unique_ptr<LentBytes> lent_;        // if lent bytes are watched
    std::unique_ptr<FailingLinks> failing_;  // if links fail in the run
    std::atomic<bool> second_receive_{false};
    alignas(64) std::atomic<bool> rung_{false};
};

}  // namespace dcube::detail
