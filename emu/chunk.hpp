#pragma once
// Chunk: neighbouring nodes that one worker at a time runs. It knows which of them have something to do in a step;
// those that sleep, wait or have ended cost nothing.

#include "base/cache_line.hpp"
#include "emu/collective_starts.hpp"
#include "emu/failure.hpp"
#include "emu/frame_pool.hpp"
#include "emu/lent_bytes.hpp"
#include "emu/link_times.hpp"
#include "emu/node_state.hpp"
#include "emu/notes.hpp"
#include "emu/plain_traffic.hpp"
#include "emu/storage.hpp"
#include "emu/summary.hpp"
#include "emu/tiles.hpp"

#include <dcube/faults.hpp>
#include <dcube/machine.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dcube::detail {

class Engine;

// A node that waits for a packet (or for room) is looked at in the next two steps, s and s + 1; if it still has to wait
// it is forgotten until a bell is rung for it. At each unsuccessful look it puts its bell out where it waits: at the
// link, so that only a node that sends there (or makes room there) comes across it. If that happens in step s, the bell
// may be missed, but then the waiting node finds at s + 1 what it waits for. From s + 1 on the bell is seen:
// - in a wire of two places the look at s puts the bell into the place that step s + 1 fills, and the look at s + 1
//   into the other, which s + 2 fills. No other thread writes there meanwhile;
// - in a wire of more places, into the one place that is next, until it is filled;
// - the other bells are flags that only the waiting side writes, and takes in only when it goes on (Queues, LinkTimes).
// Bells from the step before are seen through the barrier, and need no order of their own. A bell that is left behind
// where a node waited at several ports rings for nothing. NodeState::dormant is set while bells are out, and lets only
// one of several that ring in one step enter the node into the list.
class alignas(cache_line) Chunk {
public:
    Chunk() = default;

    void set(Engine& engine, NodeId first, NodeId last);
    [[nodiscard]] NodeId first() const { return first_; }
    [[nodiscard]] NodeId last() const { return last_; }
    // The step that it runs: the engine's, which stands in another worker's line.
    [[nodiscard]] Step step() const { return step_; }
    // Tried first.
    [[nodiscard]] const PlainTraffic& plain_traffic() const { return plain_traffic_; }

    void start(const Machine::Program& program);
    Summary run_step(Step step);
    void reset();

    // From any thread: what this dormant node waits for may be there.
    void ring(NodeState& node);

    // Rare events of the step that has ended (Summary::has_events), noted afresh from now on.
    struct Tally {
        CollectiveStarts starts{};
        Failure failure{};

        [[nodiscard]] bool empty() const { return starts.count() == 0 && !failure.error; }
        void add(const Tally& other);
    };
    [[nodiscard]] Tally take_tally() { return std::exchange(tally_, {}); }

    // Somebody rang for one of these nodes since bells were last answered.
    [[nodiscard]] bool rung() const { return rung_.load(std::memory_order_relaxed) != nobody; }
    // Packets that they have sent so far and those that they have taken.
    [[nodiscard]] std::uint64_t sent() const { return sent_; }
    [[nodiscard]] std::uint64_t taken() const { return taken_; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }  // of the packets sent
    // Whether any were sent, or taken, in the step that has ended.
    [[nodiscard]] bool has_sent() const { return sent_ != sent_before_; }
    [[nodiscard]] bool has_taken() const { return taken_ != taken_before_; }
    // Adds up what these nodes did in the run. `packets`: by link.
    void count(Counts& counts, std::span<const std::uint32_t> packets) const;
    // The packets that they sent to nodes outside `share`, which has all of theirs, but among `nodes`.
    [[nodiscard]] std::uint64_t sent_beyond(NodeRange share, NodeRange nodes,
                                            std::span<const std::uint32_t> packets) const;

    void count_sent(std::uint64_t packets, std::uint64_t bytes)
    {
        sent_ += packets;
        bytes_ += bytes;
    }
    void count_taken(std::uint64_t packets) { taken_ += packets; }
    void note_lost(const LostPacket& packet);
    void note_transit(const Transit& transit, bool lockstep)
    {
        latest_ = std::max(latest_, transit.end);
        if (lockstep)
            longest_ = std::max(longest_, transit.duration());
    }
    // The loan of a packet that one of these nodes has taken ends with the step.
    void note_loan(const LentBytes::Loan& loan) { ending_loans_.push_back(loan); }
    [[nodiscard]] std::vector<LentBytes::Loan> take_ending_loans() { return std::exchange(ending_loans_, {}); }
    void begin_together(const CollectiveStart& one) { tally_.starts.note(one); }
    void fail(const Failure& failure) { tally_.failure.keep_first(failure); }

    [[nodiscard]] FramePool& frames() { return frames_; }
    [[nodiscard]] Notes& notes() { return notes_; }
    [[nodiscard]] StorageOfChunk& storage() { return storage_; }

private:
    struct Sleeper {
        Step until;
        NodeId node;
        friend auto operator<=>(const Sleeper&, const Sleeper&) = default;
    };

    void wake(Step step);
    void answer_bells();
    void run_programs(Step step);
    [[nodiscard]] bool is_there(const NodeState& node) const;
    bool stop_waiting(NodeState& node);
    // These two return true if the node is to be looked at, or run, in the next step.
    bool look_again(NodeState& node);
    bool settle(NodeState& node, Step step);
    void end(NodeState& node, Step step);
    [[nodiscard]] Step next_step(Step step) const;
    // The work left after this step, in which the chunk has sent this many bytes.
    [[nodiscard]] Summary sum_up(Step step, std::uint64_t bytes) const;

    Engine* engine_ = nullptr;
    NodeId first_ = 0;
    NodeId last_ = 0;
    Step step_ = 0;
    PlainTraffic plain_traffic_;

    std::vector<NodeId> due_;        // to be run in the running step
    std::vector<NodeId> next_;       // in the next one
    std::vector<Sleeper> sleepers_;  // a heap, the earliest on top
    Tiles tiles_;                    // nodes that follow scripts
    FramePool frames_;
    Notes notes_;
    StorageOfChunk storage_;
    std::size_t unfinished_ = 0;
    std::size_t waiting_ = 0;
    Tally tally_{};
    std::uint64_t sent_ = 0;  // in the run
    std::uint64_t taken_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t sent_before_ = 0;  // the running step
    std::uint64_t taken_before_ = 0;
    std::uint64_t lost_ = 0;
    std::optional<LostPacket> first_lost_;
    Time latest_ = 0;   // arrival of all packets sent in the run
    Time longest_ = 0;  // packet sent in the running step, in lockstep
    std::vector<LentBytes::Loan> ending_loans_;

    static constexpr NodeId nobody = ~NodeId{0};
    alignas(cache_line) std::atomic<NodeId> rung_{nobody};  // the newest; each knows the next older
};

}  // namespace dcube::detail
