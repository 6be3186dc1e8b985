// Replaying reductions. Every node starts with its own contribution to every sum. What a node sends in a step is what
// it has when the step begins, and leaves when all of that has arrived; a partial sum is added to what the receiver
// has, a complete one takes its place. No contribution may meet itself, and a complete sum needs nothing more.

#include "judge/contributor_sets.hpp"
#include "judge/ledger.hpp"
#include "judge/trace_messages.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace dcube {

namespace {

class SumLedger : public Ledger {
    using Section = ContributorSets::Section;

public:
    SumLedger(const Problem& problem, const Topology& topology) : nodes_(topology.nodes()), messages_(problem, topology)
    {
    }

    void carry(const Record& record, const Piece& piece) override
    {
        messages_.visit_packets(piece, [&](const PacketBytes& bytes) { carry(record, bytes); });
    }

    void end_step() override
    {
        for (const auto& [key, arrived] : arrived_) {
            const std::vector<Section>& sections = arrived.sections();
            ContributorSets& sums =
                sums_.try_emplace(key, sections.front().begin, sections.back().end, own(messages_.node_of(key)))
                    .first->second;
            for (const Section& section : sections) {
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
        for (NodeId node = 0; node < nodes_; ++node)
            for (const std::uint64_t sum : messages_.held_by(node))
                require_sum(node, sum);
    }

private:
    [[nodiscard]] NodeSet own(NodeId node) const
    {
        NodeSet set(nodes_);
        set.add(node);
        return set;
    }

    /// Calls `work` for the sections of these bytes, with what `node` has of them at the beginning of the step:
    /// work(bytes, section).
    template <class Work>
    void visit(NodeId node, const PacketBytes& bytes, const Work& work) const
    {
        if (const auto found = sums_.find(messages_.key(node, bytes)); found != sums_.end())
            visit(found->second, bytes, work);
        else
            work(bytes, Section{bytes.begin, bytes.end, own(node), 0});
    }

    template <class Work>
    static void visit(const ContributorSets& sets, const PacketBytes& bytes, const Work& work)
    {
        sets.visit(bytes.begin, bytes.end, [&](std::uint64_t begin, std::uint64_t end, const Section& section) {
            work(PacketBytes{bytes.message, bytes.packet, begin, end}, section);
        });
    }

    /// What has come to the node in this step of the packet that these bytes are of; at first nobody's contributions.
    ContributorSets& arrived_at(NodeId node, const PacketBytes& bytes)
    {
        const PacketBytes whole = messages_.whole_packet(bytes.message, bytes.packet);
        return arrived_.try_emplace(messages_.key(node, bytes), whole.begin, whole.end, NodeSet(nodes_)).first->second;
    }

    void carry(const Record& record, const PacketBytes& bytes)
    {
        ContributorSets& arrived = arrived_at(record.to, bytes);
        visit(record.from, bytes, [&](const PacketBytes& part, const Section& sent) {
            require_usable(record, part, sent);
            visit(record.to, part, [&](const PacketBytes& common, const Section& has) {
                require_incomplete(record, common, has);
                if (sent.nodes.size() != nodes_)
                    require_disjoint(record, common, sent, has);
            });
            visit(arrived, part,
                  [&](const PacketBytes& common, const Section& has) { require_disjoint(record, common, sent, has); });
            arrived.unite(part.begin, part.end, sent.nodes, record.end);
        });
    }

    void require_usable(const Record& record, const PacketBytes& bytes, const Section& sent) const
    {
        if (sent.since > record.start)
            throw TraceError(record.line, fmt::format("node {} sends byte {} of {} before the packet that brought a "
                                                      "contribution to it has ended",
                                                      record.from, bytes.begin, messages_.describe(bytes.message)));
    }

    void require_incomplete(const Record& record, const PacketBytes& bytes, const Section& has) const
    {
        if (has.nodes.size() == nodes_)
            throw TraceError(record.line, fmt::format("byte {} of {} is delivered to node {}, which has it complete",
                                                      bytes.begin, messages_.describe(bytes.message), record.to));
    }

    void require_disjoint(const Record& record, const PacketBytes& bytes, const Section& sent, const Section& has) const
    {
        NodeId twice = 0;
        if (sent.nodes.common(has.nodes, twice))
            throw TraceError(record.line,
                             fmt::format("contribution counted twice: node {}'s, in byte {} of {} at node {}", twice,
                                         bytes.begin, messages_.describe(bytes.message), record.to));
    }

    void require_sum(NodeId node, std::uint64_t message) const
    {
        for (std::uint64_t packet = 0; packet < messages_.packets(); ++packet)
            visit(node, messages_.whole_packet(message, packet), [&](const PacketBytes& bytes, const Section& has) {
                if (has.nodes.size() != nodes_)
                    throw TraceError(0, fmt::format("in the end node {} lacks node {}'s contribution to byte {} of {}",
                                                    node, has.nodes.first_absent(), bytes.begin,
                                                    messages_.describe(message)));
            });
    }

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
