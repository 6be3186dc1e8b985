// Replaying reductions. Every node but switches starts with its own contribution to every sum, and keeps what arrives.
// A line that names the nodes in its sum ("sum_of") is right if the sender can make that sum of disjoint sums that it
// held when the step began; so a node may keep sums apart, and send one of them, or some, or the same one to several
// nodes. A line without "sum_of" carries all that its sender held then, or the complete sum if that had arrived; what
// it brings is taken to be added to all that the receiver has: no contribution may be counted twice there, and a
// complete sum needs nothing more. In the end every node must be able to make its sums: of all nodes' contributions, or
// in scans of those that stand before it.

#include "collectives/terms.hpp"
#include "judge/held_sums.hpp"
#include "judge/ledger.hpp"
#include "judge/trace_line.hpp"
#include "judge/trace_messages.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace dcube {

namespace {

// Why a sum cannot be made of those that a node holds, in one line.

constexpr Time ever = std::numeric_limits<Time>::max();

/// All nodes in the sums that are there at `now` and fit.
template <class Fits>
Contributors everybody(std::span<const HeldSum> held, Time now, const Fits& fits)
{
    Contributors nodes;
    for (const HeldSum& sum : held)
        if (sum.since <= now && fits(*sum.nodes))
            nodes.unite(*sum.nodes);
    return nodes;
}

Contributors everybody(std::span<const HeldSum> held, Time now)
{
    return everybody(held, now, [](const Contributors&) { return true; });
}

/// Why a sum cannot be made although all contributions are there; "" if that is not known.
std::string why_not_added_up(const Contributors& wanted, std::span<const HeldSum> held, Time now)
{
    const auto within = [&](const Contributors& nodes) { return wanted.contains(nodes); };
    if (const auto alone = wanted.first_not_in(everybody(held, now, within)))
        for (const HeldSum& sum : held)
            if (sum.since <= now && sum.nodes->contains(*alone))
                return fmt::format("it has node {}'s contribution only added to node {}'s", *alone,
                                   *sum.nodes->first_not_in(wanted));
    if (make_sum(wanted, held, now).answer == Partition::Answer::unknown)
        return fmt::format("no way to make it was found among the first {} that were tried", most_tried_sets);
    Contributors counted;
    for (const HeldSum& sum : held) {
        if (sum.since > now || !within(*sum.nodes))
            continue;
        if (const auto twice = counted.first_common(*sum.nodes))
            return fmt::format("that counts node {}'s contribution twice", *twice);
        counted.unite(*sum.nodes);
    }
    return {};
}

/// Why the sum that a line names cannot be made; `held` is what its sender had when the step began, `part` names the
/// byte.
std::string why_not_made(const Record& record, const Contributors& told, std::span<const HeldSum> held,
                         std::string_view part)
{
    if (const auto absent = told.first_not_in(everybody(held, ever)))
        return fmt::format("node {} sends node {}'s contribution to {} in step {} but does not have it yet",
                           record.from, *absent, part, record.step);
    if (const auto absent = told.first_not_in(everybody(held, record.start)))
        return fmt::format("node {} sends node {}'s contribution to {} before the packet that brought it has ended",
                           record.from, *absent, part);
    if (make_sum(told, held, ever).possible())
        return fmt::format("node {} sends {}, summed over {}, before the packets that brought the sums for it have "
                           "ended",
                           record.from, part, to_string(told));
    return fmt::format("node {} sends {}, summed over {}, which cannot be made of what it holds: {}", record.from, part,
                       to_string(told), why_not_added_up(told, held, record.start));
}

/// Why a node cannot make the complete sum `all` in the end.
std::string why_not_complete(NodeId node, const Contributors& all, std::span<const HeldSum> held, std::string_view part)
{
    if (const auto absent = all.first_not_in(everybody(held, ever)))
        return fmt::format("at the end node {} lacks node {}'s contribution to {}", node, *absent, part);
    return fmt::format("at the end node {} cannot make {} of what it holds: {}", node, part,
                       why_not_added_up(all, held, ever));
}

class SumLedger : public Ledger {
public:
    SumLedger(const Problem& problem, const Topology& topology, std::uint64_t most_memory)
        : collective_(problem.collective), topology_(topology), all_(Contributors::all(topology)),
          timed_(problem.link.bound()), messages_(problem, topology), most_memory_(most_memory)
    {
        for (NodeId node = 0; node < topology.nodes(); ++node)
            own_.push_back(topology.is_switch(node) ? std::make_shared<const Contributors>()
                                                    : std::make_shared<const Contributors>(node));
    }

    void carry(const Record& record, const Piece& piece) override
    {
        if (piece.sum_of)
            take_memory(record, piece.sum_of->ranges().size_bytes());
        messages_.visit_packets(piece, [&](const PacketBytes& bytes) { carry(record, piece.sum_of, bytes); });
    }

    // The sum of all that the sender holds, of which the receiver has nothing, or which is complete.
    [[nodiscard]] bool brings(const Record& record, const PacketBytes& packet) const override
    {
        Contributors sent;
        bool possible = true;
        visit(record.from, packet, [&](const PacketBytes&, const SumsOfByte& sums) {
            NodeId twice = 0;
            const auto all = sums.all(record.step, all_, twice);
            possible = possible && all && (sent.empty() || sent == *all->nodes);
            if (all)
                sent = *all->nodes;
        });
        Contributors has;
        visit(record.to, packet,
              [&](const PacketBytes&, const SumsOfByte& sums) { has.unite(everybody(sums.sums(), ever)); });
        return possible && (sent.disjoint(has) || (sent == all_ && has != all_));
    }

    void end_step() override {}  // sums know in which step they came

    void require_complete(const Excused& excused) const override
    {
        for (NodeId node = 0; node < topology_.nodes(); ++node) {
            if (excused(node) || !topology_.is_member(node))
                continue;
            const Contributors terms = terms_of(collective_, topology_, node);
            for (const std::uint64_t sum : messages_.held_by(node))
                require_sum(node, sum, terms);
        }
    }

private:
    using Told = std::shared_ptr<const Contributors>;

    /// Calls `work` for the sections of these bytes, with the sums that `node` holds of them: work(bytes, sums).
    template <class Work>
    void visit(NodeId node, const PacketBytes& bytes, const Work& work) const
    {
        const auto found = held_.find(messages_.key(node, bytes));
        if (found == held_.end()) {
            work(bytes, SumsOfByte(own_[node]));
            return;
        }
        found->second.visit(bytes.begin, bytes.end,
                            [&](std::uint64_t begin, std::uint64_t end, const SumsOfByte& sums) {
                                work(PacketBytes{bytes.message, bytes.packet, begin, end}, sums);
                            });
    }

    void carry(const Record& record, const Told& told, const PacketBytes& bytes)
    {
        if (record.lost)  // its sender must be able to make it
            return visit(record.from, bytes, [&](const PacketBytes& part, const SumsOfByte& sums) {
                std::ignore = sent(record, part, sums, told);
            });
        const PacketBytes whole = messages_.whole_packet(bytes.message, bytes.packet);
        HeldSums& receiver =
            held_.try_emplace(messages_.key(record.to, bytes), whole.begin, whole.end, own_[record.to]).first->second;
        visit(record.from, bytes, [&](const PacketBytes& part, const SumsOfByte& sums) {
            const HeldSum one = sent(record, part, sums, told);
            if (!told)
                take_memory(record, one.nodes->ranges().size_bytes());
            receiver.change(part.begin, part.end, [&](std::uint64_t begin, std::uint64_t end, SumsOfByte& has) {
                const PacketBytes common{bytes.message, bytes.packet, begin, end};
                if (told)
                    require_new(record, common, has, *told);
                else
                    require_addable(record, common, has, *one.nodes);
                take_memory(record, sizeof(HeldSum));
                has.add({one.nodes, record.step, record.end});
            });
        });
    }

    /// The sum of these bytes that the record's sender sends.
    [[nodiscard]] HeldSum sent(const Record& record, const PacketBytes& bytes, const SumsOfByte& sums,
                               const Told& told) const
    {
        return told ? made(record, bytes, sums, told) : all_of(record, bytes, sums);
    }

    [[nodiscard]] HeldSum made(const Record& record, const PacketBytes& bytes, const SumsOfByte& sums,
                               const Told& told) const
    {
        const std::span<const HeldSum> held = sums.before(record.step);
        if (topology_.is_switch(record.from) &&
            std::ranges::none_of(held, [&](const HeldSum& sum) { return *sum.nodes == *told; }))
            throw TraceError(record.line,
                             fmt::format("node {} sends {}, summed over {}, which has not come to it: it is "
                                         "a switch, and adds nothing up",
                                         record.from, part_of(bytes), to_string(*told)));
        if (!make_sum(*told, held, record.start).possible())
            throw TraceError(record.line, why_not_made(record, *told, held, part_of(bytes)));
        return {told};
    }

    [[nodiscard]] HeldSum all_of(const Record& record, const PacketBytes& bytes, const SumsOfByte& sums) const
    {
        const HeldSum sent = all_at(record, record.from, bytes, sums);
        if (sent.since > record.start)
            throw TraceError(record.line, fmt::format("node {} sends {} before the packet that brought a contribution "
                                                      "to it has ended",
                                                      record.from, part_of(bytes)));
        return sent;
    }

    /// All that a node holds when the record's step begins.
    [[nodiscard]] HeldSum all_at(const Record& record, NodeId node, const PacketBytes& bytes,
                                 const SumsOfByte& sums) const
    {
        NodeId twice = 0;
        const auto all = sums.all(record.step, all_, twice);
        if (!all)
            throw_counted_twice(record, twice, bytes, node);
        return *all;
    }

    void require_addable(const Record& record, const PacketBytes& bytes, const SumsOfByte& has,
                         const Contributors& sent) const
    {
        const HeldSum all = all_at(record, record.to, bytes, has);
        if (*all.nodes == all_)
            throw TraceError(record.line, fmt::format("{} is delivered to node {}, which has it complete",
                                                      part_of(bytes), record.to));
        if (sent != all_)
            if (const auto twice = sent.first_common(*all.nodes))
                throw_counted_twice(record, *twice, bytes, record.to);
        for (const HeldSum& came : has.since(record.step))
            if (const auto twice = sent.first_common(*came.nodes))
                throw_counted_twice(record, *twice, bytes, record.to);
    }

    /// As with messages: in the unit-time model nothing is delivered where it already is. A scan's sums may be: the sum
    /// that one node wants can pass another one that has it.
    void require_new(const Record& record, const PacketBytes& bytes, const SumsOfByte& has,
                     const Contributors& sent) const
    {
        if (timed_ || is_scan(collective_))
            return;
        for (const HeldSum& sum : has.sums())
            if (*sum.nodes == sent)
                throw TraceError(record.line, fmt::format("{}, summed over {}, is delivered to node {}, which has it",
                                                          part_of(bytes), to_string(sent), record.to));
    }

    [[noreturn]] void throw_counted_twice(const Record& record, NodeId twice, const PacketBytes& bytes,
                                          NodeId node) const
    {
        throw TraceError(record.line, fmt::format("contribution counted twice: node {}'s, in {} at node {}", twice,
                                                  part_of(bytes), node));
    }

    void require_sum(NodeId node, std::uint64_t message, const Contributors& terms) const
    {
        for (std::uint64_t packet = 0; packet < messages_.packets_of_message(message); ++packet)
            visit(node, messages_.whole_packet(message, packet), [&](const PacketBytes& bytes, const SumsOfByte& has) {
                if (!make_sum(terms, has.sums(), ever).possible())
                    throw TraceError(0, why_not_complete(node, terms, has.sums(), part_of(bytes)));
            });
    }

    /// "byte 3 of the sum for node 5"
    [[nodiscard]] std::string part_of(const PacketBytes& bytes) const
    {
        return fmt::format("byte {} of {}", bytes.begin, messages_.describe(bytes.message));
    }

    /// Sets of scattered nodes can take much more than a first estimate says (judge.cpp).
    void take_memory(const Record& record, std::uint64_t bytes)
    {
        memory_ += bytes;
        if (memory_ > most_memory_)
            throw TraceError(record.line, fmt::format("tracking the contributors of all sums takes more than {:.1f} "
                                                      "GiB: no more are allowed",
                                                      static_cast<double>(most_memory_) / (1 << 30)));
    }

    Collective collective_;
    Topology topology_;
    Contributors all_;  // a complete sum, but in scans
    bool timed_;        // the link-bound model
    TraceMessages messages_;
    std::vector<std::shared_ptr<const Contributors>> own_;  // by node
    std::unordered_map<std::uint64_t, HeldSums> held_;      // by node to which something has come
    std::uint64_t most_memory_;                             // in bytes
    std::uint64_t memory_ = 0;
};

}  // namespace

std::unique_ptr<Ledger> make_sum_ledger(const Problem& problem, const Topology& topology, std::uint64_t most_memory)
{
    return std::make_unique<SumLedger>(problem, topology, most_memory);
}

}  // namespace dcube
