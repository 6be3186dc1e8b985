// Replaying reductions. Every node starts with its own contribution to every sum. What a node sends in a step is what
// it has when the step begins, and leaves when all of that has arrived; a partial sum is added to what the receiver
// has, a complete one takes its place. No contribution may meet itself, and a complete sum needs nothing more.

#include "judge/contributor_sets.hpp"
#include "judge/ledger.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace dcube {

namespace {

class SumLedger : public Ledger {
    using Section = ContributorSets::Section;

public:
    SumLedger(const Problem& problem, const Topology& topology)
        : problem_(problem), nodes_(topology.nodes()), messages_(problem, topology)
    {
    }

    void carry(const Record& record, const Record::Piece& piece) override
    {
        const std::uint64_t end = piece.offset + piece.length;
        for (std::uint64_t at = piece.offset; at < end;) {
            const std::uint64_t packet = at / problem_.bytes;
            const std::uint64_t stop = std::min(end, (packet + 1) * problem_.bytes);
            carry(record, messages_.number(piece), packet, at, stop);
            at = stop;
        }
    }

    void end_step() override
    {
        for (const auto& [key, arrived] : arrived_) {
            ContributorSets& sums =
                sums_.try_emplace(key, first_byte(key), last_byte(key), own(node_of(key))).first->second;
            for (const auto& section : arrived.sections()) {
                if (section.nodes.size() == nodes_)
                    sums.replace(section.begin, section.end, section.nodes, section.since);
                else if (!section.nodes.empty())
                    sums.unite(section.begin, section.end, section.nodes, section.since);
            }
        }
        arrived_.clear();
    }

    void require_complete() const override
    {
        for (NodeId node = 0; node < nodes_; ++node) {
            if (traits(problem_.collective).target == Who::root && node != problem_.root)
                continue;
            require_sum(node, traits(problem_.collective).target == Who::all ? node : 0);
        }
    }

private:
    [[nodiscard]] std::uint64_t key(NodeId node, std::uint64_t message, std::uint64_t packet) const
    {
        return (node * messages_.count() + message) * problem_.packets + packet;
    }
    [[nodiscard]] NodeId node_of(std::uint64_t key) const
    {
        return static_cast<NodeId>(key / problem_.packets / messages_.count());
    }
    [[nodiscard]] std::uint64_t first_byte(std::uint64_t key) const { return key % problem_.packets * problem_.bytes; }
    [[nodiscard]] std::uint64_t last_byte(std::uint64_t key) const { return first_byte(key) + problem_.bytes; }

    [[nodiscard]] NodeSet own(NodeId node) const
    {
        NodeSet set(nodes_);
        set.add(node);
        return set;
    }

    /// Calls `work` for the sections of [begin, end) with what `node` has at the beginning of the step.
    template <class Work>
    void visit(NodeId node, std::uint64_t message, std::uint64_t packet, std::uint64_t begin, std::uint64_t end,
               const Work& work) const
    {
        if (const auto found = sums_.find(key(node, message, packet)); found != sums_.end())
            found->second.visit(begin, end, work);
        else
            work(begin, end, Section{begin, end, own(node), 0});
    }

    void carry(const Record& record, std::uint64_t message, std::uint64_t packet, std::uint64_t begin,
               std::uint64_t end)
    {
        const std::uint64_t k = key(record.to, message, packet);
        ContributorSets& arrived = arrived_.try_emplace(k, first_byte(k), last_byte(k), NodeSet(nodes_)).first->second;
        visit(record.from, message, packet, begin, end, [&](std::uint64_t b, std::uint64_t e, const Section& sent) {
            require_usable(record, message, b, sent);
            const bool complete = sent.nodes.size() == nodes_;
            visit(record.to, message, packet, b, e, [&](std::uint64_t at, std::uint64_t, const Section& has) {
                if (has.nodes.size() == nodes_)
                    throw TraceError(record.line,
                                     fmt::format("byte {} of {} is delivered to node {}, which has it complete", at,
                                                 messages_.describe(message), record.to));
                if (!complete)
                    require_disjoint(record, message, at, sent.nodes, has.nodes);
            });
            arrived.visit(b, e, [&](std::uint64_t at, std::uint64_t, const Section& has) {
                require_disjoint(record, message, at, sent.nodes, has.nodes);
            });
            arrived.unite(b, e, sent.nodes, record.end);
        });
    }

    void require_usable(const Record& record, std::uint64_t message, std::uint64_t at, const Section& sent) const
    {
        if (sent.since > record.start)
            throw TraceError(record.line, fmt::format("node {} sends byte {} of {} before the packet that brought a "
                                                      "contribution to it has ended",
                                                      record.from, at, messages_.describe(message)));
    }

    void require_disjoint(const Record& record, std::uint64_t message, std::uint64_t at, const NodeSet& sent,
                          const NodeSet& has) const
    {
        NodeId twice = 0;
        if (sent.common(has, twice))
            throw TraceError(record.line,
                             fmt::format("contribution counted twice: node {}'s, in byte {} of {} at node {}", twice,
                                         at, messages_.describe(message), record.to));
    }

    void require_sum(NodeId node, std::uint64_t message) const
    {
        for (std::uint64_t packet = 0; packet < problem_.packets; ++packet) {
            const std::uint64_t begin = packet * problem_.bytes;
            visit(node, message, packet, begin, begin + problem_.bytes,
                  [&](std::uint64_t at, std::uint64_t, const Section& has) {
                      if (has.nodes.size() != nodes_)
                          throw TraceError(
                              0, fmt::format("in the end node {} lacks node {}'s contribution to byte {} of {}", node,
                                             has.nodes.first_absent(), at, messages_.describe(message)));
                  });
        }
    }

    Problem problem_;
    NodeId nodes_;
    TraceMessages messages_;
    std::unordered_map<std::uint64_t, ContributorSets> sums_;  // of the nodes to which something has come
    std::map<std::uint64_t, ContributorSets> arrived_;         // in this step
};

}  // namespace

std::unique_ptr<Ledger> make_sum_ledger(const Problem& problem, const Topology& topology)
{
    return std::make_unique<SumLedger>(problem, topology);
}

}  // namespace dcube
