// Replaying collectives that move bytes. A node holds its own messages from the start, and what arrived in a step from
// the next step on. In the unit-time model nothing may arrive where it already is. Under the link-bound model it may,
// and a byte is usable from the end of the earliest packet that brought it.

#include "judge/held_bytes.hpp"
#include "judge/ledger.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace dcube {

namespace {

constexpr std::uint64_t in_the_end = ~std::uint64_t{0};

class ByteLedger : public Ledger {
public:
    ByteLedger(const Problem& problem, const Topology& topology)
        : problem_(problem), nodes_(topology.nodes()), timed_(problem.link.bound()), messages_(problem, topology)
    {
    }

    void carry(const Record& record, const Record::Piece& piece) override
    {
        const std::uint64_t message = messages_.number(piece);
        const std::uint64_t end = piece.offset + piece.length;
        for (std::uint64_t at = piece.offset; at < end;) {
            const std::uint64_t packet = at / messages_.packet_bytes();
            const std::uint64_t stop = std::min(end, (packet + 1) * messages_.packet_bytes());
            carry(record, message, packet, at, stop);
            at = stop;
        }
    }

    void end_step() override
    {
        for (const auto& [key, stretch] : arrived_)
            held_.add_or_advance(key, stretch);
        arrived_.clear();
    }

    void require_complete() const override
    {
        if (is_point_to_point(problem_.collective)) {
            for (std::uint64_t message = 0; message < messages_.count(); ++message)
                require_message(messages_.target(message), message);
            return;
        }
        for (NodeId node = 0; node < nodes_; ++node)
            for (const std::uint64_t message : messages_.held_by(node))
                require_message(node, message);
    }

private:
    struct Arrived {
        std::uint64_t key;
        ByteRange stretch;
    };

    [[nodiscard]] std::uint64_t key(NodeId node, std::uint64_t message, std::uint64_t packet) const
    {
        return (node * messages_.count() + message) * messages_.packets() + packet;
    }

    void carry(const Record& record, std::uint64_t message, std::uint64_t packet, std::uint64_t begin,
               std::uint64_t end)
    {
        const NodeId origin = messages_.origin(message);
        if (record.from != origin)
            require_held(record, message, packet, begin, end);
        const std::uint64_t to = key(record.to, message, packet);
        if (!timed_) {
            require_new(record, origin, message, packet, begin, end);
            held_.add(to, {begin, end, record.step});
        } else if (record.to != origin) {
            arrived_.push_back({to, {begin, end, record.end}});
        }
    }

    void require_held(const Record& record, std::uint64_t message, std::uint64_t packet, std::uint64_t begin,
                      std::uint64_t end) const
    {
        const std::uint64_t from = key(record.from, message, packet);
        const std::uint64_t absent = held_.first_absent(from, begin, end, timed_ ? record.start : record.step - 1U);
        if (absent == end)
            return;
        const bool comes_later = timed_ && held_.first_absent(from, absent, absent + 1, in_the_end) != absent;
        throw TraceError(record.line,
                         fmt::format("node {} sends byte {} of {} {}", record.from, absent, messages_.describe(message),
                                     comes_later ? "before the packet that brought it has ended"
                                                 : fmt::format("in step {} and does not hold it before", record.step)));
    }

    void require_new(const Record& record, NodeId origin, std::uint64_t message, std::uint64_t packet,
                     std::uint64_t begin, std::uint64_t end) const
    {
        if (record.to == origin)
            throw TraceError(record.line, fmt::format("byte {} of {} is delivered to node {}, where it comes from",
                                                      begin, messages_.describe(message), record.to));
        const std::uint64_t present = held_.first_present(key(record.to, message, packet), begin, end);
        if (present != end)
            throw TraceError(record.line, fmt::format("byte {} of {} is delivered to node {} twice", present,
                                                      messages_.describe(message), record.to));
    }

    void require_message(NodeId node, std::uint64_t message) const
    {
        if (node == messages_.origin(message))
            return;
        const std::uint64_t length = messages_.length(message);
        for (std::uint64_t packet = 0; packet < messages_.packets(); ++packet) {
            const std::uint64_t begin = packet * messages_.packet_bytes();
            const std::uint64_t end = std::min(length, begin + messages_.packet_bytes());
            const std::uint64_t absent = held_.first_absent(key(node, message, packet), begin, end, in_the_end);
            if (absent != end)
                throw TraceError(0, fmt::format("in the end node {} lacks byte {} of {}", node, absent,
                                                messages_.describe(message)));
        }
    }

    Problem problem_;
    NodeId nodes_;
    bool timed_;  // the link-bound model
    TraceMessages messages_;
    HeldBytes held_;                // since a step, or since a time
    std::vector<Arrived> arrived_;  // in this step; link-bound only
};

}  // namespace

std::unique_ptr<Ledger> make_byte_ledger(const Problem& problem, const Topology& topology)
{
    return std::make_unique<ByteLedger>(problem, topology);
}

}  // namespace dcube
