// Replaying collectives that move bytes. A node holds its own messages from the start, and what arrived in a step from
// the next step on. In the unit-time model nothing may arrive where it already is, unless the trace is of an
// algorithm that sends copies. Under the link-bound model it may, and a byte is usable from the end of the earliest
// packet that brought it.

#include "judge/held_bytes.hpp"
#include "judge/ledger.hpp"
#include "judge/trace_messages.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace dcube {

namespace {

constexpr std::uint64_t in_the_end = ~std::uint64_t{0};

class ByteLedger : public Ledger {
public:
    ByteLedger(const Problem& problem, const Topology& topology, Deliveries deliveries)
        : problem_(problem), nodes_(topology.nodes()), timed_(problem.link.bound()),
          repeated_(timed_ || deliveries == Deliveries::repeated), messages_(problem, topology)
    {
    }

    void carry(const Record& record, const Piece& piece) override
    {
        messages_.visit_packets(piece, [&](const PacketBytes& bytes) { carry(record, bytes); });
    }

    [[nodiscard]] bool brings(const Record& record, const PacketBytes& packet) const override
    {
        const NodeId origin = messages_.origin(packet.message);
        const std::uint64_t from = messages_.key(record.from, packet);
        const bool has = record.from == origin ||
                         held_.first_absent(from, packet.begin, packet.end, sent_from(record)) == packet.end;
        const auto is_at = [&](NodeId node) {
            return held_.first_present(messages_.key(node, packet), packet.begin, packet.end) != packet.end;
        };
        const bool useful = !messages_.has_target() || !is_at(messages_.target(packet.message));
        return has && useful && record.to != origin && !is_at(record.to);
    }

    void end_step() override
    {
        for (const auto& [key, stretch] : arrived_)
            held_.add_or_advance(key, stretch);
        arrived_.clear();
    }

    void require_complete(const Excused& excused) const override
    {
        if (is_point_to_point(problem_.collective)) {
            for (std::uint64_t message = 0; message < messages_.count(); ++message)
                if (!excused(messages_.target(message)))
                    require_message(messages_.target(message), message);
            return;
        }
        for (NodeId node = 0; node < nodes_; ++node) {
            if (excused(node))
                continue;
            for (const std::uint64_t message : messages_.held_by(node))
                require_message(node, message);
        }
    }

private:
    struct Arrived {
        std::uint64_t key;
        ByteRange stretch;
    };

    void carry(const Record& record, const PacketBytes& bytes)
    {
        const NodeId origin = messages_.origin(bytes.message);
        if (record.from != origin)
            require_held(record, bytes);
        if (record.lost)
            return;
        const std::uint64_t to = messages_.key(record.to, bytes);
        if (!repeated_) {
            require_new(record, origin, bytes);
            held_.add(to, {bytes.begin, bytes.end, record.step});
        } else if (record.to != origin) {
            arrived_.push_back({to, {bytes.begin, bytes.end, timed_ ? record.end : record.step}});
        }
    }

    // Bytes that were there by then can be sent.
    [[nodiscard]] std::uint64_t sent_from(const Record& record) const
    {
        return timed_ ? record.start : record.step - 1U;
    }

    void require_held(const Record& record, const PacketBytes& bytes) const
    {
        const std::uint64_t from = messages_.key(record.from, bytes);
        const std::uint64_t absent = held_.first_absent(from, bytes.begin, bytes.end, sent_from(record));
        if (absent == bytes.end)
            return;
        const bool comes_later = timed_ && held_.first_absent(from, absent, absent + 1, in_the_end) != absent;
        throw TraceError(record.line,
                         fmt::format("node {} sends byte {} of {} {}", record.from, absent,
                                     messages_.describe(bytes.message),
                                     comes_later ? "before the packet that brought it has ended"
                                                 : fmt::format("in step {} but does not have it yet", record.step)));
    }

    void require_new(const Record& record, NodeId origin, const PacketBytes& bytes) const
    {
        if (record.to == origin)
            throw TraceError(record.line, fmt::format("byte {} of {} is delivered to node {}, where it comes from",
                                                      bytes.begin, messages_.describe(bytes.message), record.to));
        const std::uint64_t present = held_.first_present(messages_.key(record.to, bytes), bytes.begin, bytes.end);
        if (present != bytes.end)
            throw TraceError(record.line, fmt::format("byte {} of {} is delivered to node {} twice", present,
                                                      messages_.describe(bytes.message), record.to));
    }

    void require_message(NodeId node, std::uint64_t message) const
    {
        if (node == messages_.origin(message))
            return;
        for (std::uint64_t packet = 0; packet < messages_.packets_of_message(message); ++packet) {
            const PacketBytes bytes = messages_.whole_packet(message, packet);
            const std::uint64_t absent =
                held_.first_absent(messages_.key(node, bytes), bytes.begin, bytes.end, in_the_end);
            if (absent != bytes.end)
                throw TraceError(
                    0, fmt::format("node {} never received byte {} of {}", node, absent, messages_.describe(message)));
        }
    }

    Problem problem_;
    NodeId nodes_;
    bool timed_;     // the link-bound model
    bool repeated_;  // bytes may come where they are
    TraceMessages messages_;
    HeldBytes held_;                // since a step, or since a time
    std::vector<Arrived> arrived_;  // in this step; only where bytes may come again
};

}  // namespace

std::unique_ptr<Ledger> make_byte_ledger(const Problem& problem, const Topology& topology, Deliveries deliveries)
{
    return std::make_unique<ByteLedger>(problem, topology, deliveries);
}

}  // namespace dcube
