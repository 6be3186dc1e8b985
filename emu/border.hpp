#pragma once
// Border: the links between this rank's nodes and those of other ranks. What was sent over them in a step goes out as
// one message to each peer at the step's end, and what the peers have sent enters the receivers' channels.
//
// A crossing link has a channel on either side. The receiver's is as any other, but that its packets lie in the message
// in which they came. The sender's is a mirror of it: a packet stays in it until the peer's message says that it was
// taken. So at the beginning of every step both hold the same, and all rules that a sender is told from its channel (is
// there a place, is there room, do more wait than may) come out as on one rank.
//
// A message is kept while one of its packets waits, and to the end of the step in which the last is taken.

#include "emu/step_note.hpp"

#include <dcube/world.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace dcube::detail {

class Engine;
class MessageReader;
class MessageWriter;

// A link from this rank to another, or the other way.
struct CrossingLink {
    std::uint32_t link;  // LinkNumbers
    NodeId node;         // this rank's end of it
};

class Border {
public:
    explicit Border(Engine& engine);
    ~Border();
    Border(const Border&) = delete;
    Border& operator=(const Border&) = delete;

    // What the machine's links between ranks take, in bytes.
    static std::size_t bytes_per_link() { return 2 * sizeof(CrossingLink); }

    // The sum of all ranks' notes, and packets and takes of this step where they belong.
    StepNote cross(StepNote mine);
    // The same of notes alone.
    StepNote tell(const StepNote& mine);

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
        double seconds = 0;  // in cross() and tell()
        double waiting = 0;  // of those, for other ranks
    };
    [[nodiscard]] const Traffic& traffic() const { return traffic_; }

private:
    struct Held {
        Step step;
        MessageBuffer message;
        std::unique_ptr<std::span<const std::byte>[]> parts;  // of its joined packets
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

    void find_links();
    template <class Channels>
    void pack(Channels& channels, std::size_t peer);
    template <class Channels>
    void pack_packets(Channels& channels, const Peer& peer, MessageWriter& writer);
    template <class Channels>
    void pack_takes(Channels& channels, Peer& peer, MessageWriter& writer);
    template <class Channels>
    void enter(Channels& channels, std::size_t peer);
    template <class Channels>
    void enter_takes(Channels& channels, const Peer& peer, MessageReader& reader);
    template <class Channels>
    void enter_packets(Channels& channels, Peer& peer, MessageReader& reader, Held& held);
    template <class Function>
    void with_channels(const Function& function);
    StepNote exchange(const StepNote& mine, std::span<MessageBuffer> outgoing, std::span<MessageBuffer> incoming);
    [[nodiscard]] MessageBuffer free_buffer();

    Engine& engine_;
    std::vector<unsigned> ranks_;  // of the peers
    std::vector<Peer> peers_;
    std::vector<std::unique_ptr<MessageWriter>> writers_;  // to the peers
    std::vector<MessageBuffer> outgoing_;
    std::vector<MessageBuffer> incoming_;
    std::vector<MessageBuffer> free_;
    std::vector<StepNote> notes_;  // by rank
    Traffic traffic_{};
};

}  // namespace dcube::detail
