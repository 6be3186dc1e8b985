// Replaying collectives that move bytes. A node holds its own messages from the start, and what arrived in a step from
// the next step on; nothing may arrive where it already is.

#include "judge/ledger.hpp"
#include "judge/stretches.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace dcube {

namespace {

constexpr std::uint64_t after_all_steps = std::uint64_t{1} << 32;

class Movement : public Ledger {
public:
    Movement(const Problem& problem, const Topology& topology)
        : problem_(problem), nodes_(topology.nodes()), messages_(problem, topology)
    {
    }

    void carry(const Record& record, const Record::Piece& piece) override
    {
        const std::uint64_t message = messages_.number(piece);
        const NodeId origin = piece.origin.value_or(problem_.root);
        const std::uint64_t end = piece.offset + piece.length;
        for (std::uint64_t at = piece.offset; at < end;) {
            const std::uint64_t packet = at / problem_.bytes;
            const std::uint64_t stop = std::min(end, (packet + 1) * problem_.bytes);
            require_held(record, origin, message, packet, at, stop);
            require_new(record, origin, message, packet, at, stop);
            held_.add(key(record.to, message, packet), {at, stop, record.step});
            at = stop;
        }
    }

    void end_step() override {}

    void require_complete() const override
    {
        const NodeId root = problem_.root;
        switch (problem_.collective) {
        case Collective::gather: require_all_at(root); break;
        case Collective::scatter:
            for (NodeId node = 0; node < nodes_; ++node)
                require_message(node, root, node);
            break;
        case Collective::broadcast:
            for (NodeId node = 0; node < nodes_; ++node)
                require_message(node, root, 0);
            break;
        default:
            for (NodeId node = 0; node < nodes_; ++node)
                require_all_at(node);
        }
    }

private:
    [[nodiscard]] std::uint64_t key(NodeId node, std::uint64_t message, std::uint64_t packet) const
    {
        return (node * messages_.count() + message) * problem_.packets + packet;
    }

    void require_held(const Record& record, NodeId origin, std::uint64_t message, std::uint64_t packet,
                      std::uint64_t begin, std::uint64_t end) const
    {
        if (record.from == origin)
            return;
        const std::uint64_t absent = held_.first_absent(key(record.from, message, packet), begin, end, record.step);
        if (absent != end)
            throw TraceError(record.line,
                             fmt::format("node {} sends byte {} of {} in step {} and does not hold it before",
                                         record.from, absent, messages_.describe(message), record.step));
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

    /// All messages that end at `node`, one from each origin.
    void require_all_at(NodeId node) const
    {
        for (NodeId origin = 0; origin < nodes_; ++origin)
            require_message(node, origin,
                            problem_.collective == Collective::all_to_all ? origin * std::uint64_t{nodes_} + node
                                                                          : origin);
    }

    void require_message(NodeId node, NodeId origin, std::uint64_t message) const
    {
        if (node == origin)
            return;
        for (std::uint64_t packet = 0; packet < problem_.packets; ++packet) {
            const std::uint64_t end = (packet + 1) * problem_.bytes;
            const std::uint64_t absent =
                held_.first_absent(key(node, message, packet), end - problem_.bytes, end, after_all_steps);
            if (absent != end)
                throw TraceError(0, fmt::format("in the end node {} lacks byte {} of {}", node, absent,
                                                messages_.describe(message)));
        }
    }

    Problem problem_;
    NodeId nodes_;
    Messages messages_;
    Stretches held_;
};

}  // namespace

std::unique_ptr<Ledger> make_movement_ledger(const Problem& problem, const Topology& topology)
{
    return std::make_unique<Movement>(problem, topology);
}

}  // namespace dcube
