#pragma once
// Border: the links between this rank's nodes and those of other ranks. The packets sent over them in a step go out as
// one message to each peer at the step's end, and the packets that the peers have sent enter the receivers' channels.
//
// A crossing link has a channel on either side. The receiver's is like any other, except that its packets lie in the
// message in which they came. The sender's is a mirror of it: a packet stays in it until the peer's message reports
// that it was taken. So at the beginning of every step both hold the same, and all rules that a sender reads from its
// channel (is there a place, is there room, do more wait than may) come out as on one rank.
//
// A message is kept while one of its packets waits, and to the end of the step in which the last is taken.

#include "emu/message.hpp"
#include "emu/summary.hpp"

#include <dcube/world.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace dcube::detail {

class Engine;

// A link from this rank to another, or the other way.
struct CrossingLink {
    std::uint32_t link;  // LinkNumbers
    NodeId node;         // this rank's end of it
};

class Border {
public:
    explicit Border(Engine& engine);
    Border(const Border&) = delete;
    Border& operator=(const Border&) = delete;

    // The memory for the machine's links between ranks, in bytes per link.
    static std::size_t bytes_per_link() { return 2 * sizeof(CrossingLink); }

    // At the end of a step: packs what was sent and taken in it, and exchanges messages. Returns the sum of all ranks'
    // notes.
    StepNote cross(StepNote mine);
    // Enters the packets that have come into their channels.
    void enter();
    // Exchanges notes alone, without packets.
    StepNote exchange_notes(const StepNote& mine);

    // In the common case, if many packets cross, all workers share packing and entering: if begin_.. returns true, each
    // chunk's part is packed before cross(), or entered before enter().
    bool begin_packing();
    void pack_part(std::size_t chunk);
    bool begin_entering();
    void enter_part(std::size_t chunk);

    // Links that leave this rank.
    template <class Function>
    void for_each_out(const Function& function) const
    {
        for (const Peer& peer : peers_)
            for (const CrossingLink& out : peer.outs)
                function(out.link);
    }
    void reset();

    struct Traffic {
        std::uint64_t packets = 0;  // sent by this rank in the run
        std::uint64_t bytes = 0;
        std::uint64_t messages = 0;
        double seconds = 0;  // in cross() and exchange_notes()
        double waiting = 0;  // the part of these spent waiting for other ranks
    };
    [[nodiscard]] const Traffic& traffic() const { return traffic_; }
    // A run's begins with its wall time: what ranks exchange before that, and how long they wait for one that
    // comes late, is no part of it.
    void begin_traffic() { traffic_ = {}; }

private:
    struct Held {
        Step step;
        MessageBuffer message;
        std::unique_ptr<std::span<const std::byte>[]> parts;  // the parts of its joined packets
    };
    // Links are numbered by (sender, port) on both sides.
    struct Peer {
        Peer() = default;
        Peer(Peer&&) = default;  // and no copies
        Peer& operator=(Peer&&) = default;

        std::vector<CrossingLink> outs;
        std::vector<std::size_t> out_of_chunk;  // each chunk's first, and their number
        std::vector<CrossingLink> ins;
        std::deque<Held> held;
    };
    using Clock = std::chrono::steady_clock;
    struct Slice {
        std::size_t first;
        std::size_t last;
    };
    [[nodiscard]] Slice slice_of(std::size_t chunk, std::size_t count) const;

    void find_links();
    template <class Channels>
    void pack(Channels& channels, std::size_t peer);
    std::uint32_t pack_alike(const Peer& peer, MessageWriter& writer);
    void enter_alike(const Peer& peer, const MessageReader& reader, Slice slice);
    bool was_packed(std::size_t peer);
    [[nodiscard]] bool all_were_taken(const Peer& peer) const;
    void enter_all_takes(const Peer& peer, Slice slice);
    void give_up_held(Peer& peer, Step before);
    template <class Channels>
    void pack_packets(Channels& channels, const Peer& peer, MessageWriter& writer);
    template <class Channels>
    void pack_takes(Channels& channels, Peer& peer, MessageWriter& writer);
    template <class Channels>
    void enter(Channels& channels, std::size_t peer);
    template <class Channels>
    void enter_takes(Channels& channels, const Peer& peer, const MessageReader& reader, Slice slice);
    template <class Channels>
    void enter_packets(Channels& channels, Peer& peer, MessageReader& reader, Held& held);
    template <class Function>
    void with_channels(const Function& function);
    StepNote exchange(const StepNote& mine, std::span<MessageBuffer> outgoing, std::span<MessageBuffer> incoming);
    [[nodiscard]] MessageBuffer free_buffer();

    Engine& engine_;
    std::vector<unsigned> ranks_;  // the peers' ranks
    std::vector<Peer> peers_;
    std::vector<MessageWriter> writers_;  // to the peers
    std::vector<MessageBuffer> outgoing_;
    std::vector<MessageBuffer> incoming_;
    std::vector<MessageBuffer> free_;
    std::vector<MessageReader> readers_;  // of the messages that have come, while they are entered
    std::vector<StepNote> notes_;         // by rank
    Clock::time_point began_{};
    bool packed_in_parts_ = false;
    bool entered_in_parts_ = false;
    std::atomic<bool> unusual_{false};  // some part could not be packed
    Traffic traffic_{};
};

}  // namespace dcube::detail
