// segments, segments-one: scan and exscan of m blocks on n nodes, any network: two total exchanges. Every node sends
// each other one its part of the segment of s = ceil(m/n) blocks that the other one answers for. That one sums up, in
// the order of the nodes, what precedes each of them, and sends it back. All segments are as long: where n does not
// divide m, they overlap, node k's begins with block floor(k (m-s)/(n-1)), and some blocks come twice, with the same
// bits.
//
// For many blocks: twice the steps and transmissions of the best total exchange of s packets a pair. Hypercubes have
// up-down, which takes as few steps and fewer transmissions.
//
// Planning: that of the total exchange.

#include "algorithms/beyond/any_network/tree_all_reduce.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/composed.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/phases.hpp"
#include "base/arithmetic.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

namespace dcube::detail {

namespace {

// Where a node's segment lies in a vector. On links that take time a vector of one packet is cut between any elements.
class Segments {
public:
    Segments(const Problem& problem, const Topology& topology)
        : cuts_packets_(problem.link.bound() && problem.packets == 1),
          block_(cuts_packets_ ? unit_of(problem) : problem.bytes),
          blocks_(cuts_packets_ ? problem.bytes / block_ : problem.packets), members_(topology.members()),
          length_(ceil_div(blocks_, members_))
    {
    }

    [[nodiscard]] std::size_t blocks() const { return blocks_; }
    [[nodiscard]] std::size_t bytes() const { return length_ * block_; }
    [[nodiscard]] std::size_t packets() const { return cuts_packets_ ? 1 : length_; }
    [[nodiscard]] std::size_t packet_bytes() const { return cuts_packets_ ? bytes() : block_; }
    // In bytes.
    [[nodiscard]] std::size_t first(NodeId number) const
    {
        return members_ == 1 ? 0 : number * (blocks_ - length_) / (members_ - 1) * block_;
    }

private:
    bool cuts_packets_;
    std::size_t block_;
    std::size_t blocks_;
    std::size_t members_;
    std::size_t length_;  // of a segment, in blocks
};

Problem exchange_of_segments(const Problem& problem, const Topology& topology)
{
    const Segments segments(problem, topology);
    Problem exchange{
        .collective = Collective::all_to_all, .bytes = segments.packet_bytes(), .packets = segments.packets()};
    exchange.link = problem.link;
    return exchange;
}

// The segments of all nodes' blocks in an array with one for every node.
class SegmentArray {
public:
    SegmentArray(Node& me, std::size_t segment)
        : segment_(segment), bytes_(me.allocate(me.topology().nodes() * segment))
    {
    }

    [[nodiscard]] std::span<std::byte> all() const { return bytes_; }
    [[nodiscard]] std::span<std::byte> of(NodeId node) const { return bytes_.subspan(node * segment_, segment_); }

private:
    std::size_t segment_;
    std::span<std::byte> bytes_;
};

// What precedes every node in this node's segment; the first node of an exscan gets its own, which it ignores.
void sum_up_segment(Node& me, const Problem& problem, std::span<const std::byte> own, const SegmentArray& shares,
                    const SegmentArray& sums)
{
    const Topology& network = me.topology();
    const Combine combine = combiner(problem);
    const NodeId behind = traits(problem.collective).terms == Terms::before ? 1 : 0;
    const auto share = [&](NodeId number) {
        const NodeId node = network.member(number);
        return node == me.id() ? own : std::span<const std::byte>(shares.of(node));
    };
    for (NodeId number = 0; number < network.members(); ++number) {
        const std::span<std::byte> into = sums.of(network.member(number));
        if (number <= behind)
            me.copy(into, share(0));
        else
            me.combine(into, sums.of(network.member(number - 1)), share(number - behind), combine);
    }
}

Task scan_segments(Node& me, const CollectiveProgram& exchange, std::uint64_t steps, const Problem& problem,
                   NodeData data)
{
    const Topology& network = me.topology();
    const Segments segments(problem, network);
    const std::size_t segment = segments.bytes();
    const SegmentArray given(me, segment);
    const SegmentArray shares(me, segment);
    const SegmentArray sums(me, segment);
    const SegmentArray results(me, segment);
    const auto part = [&](auto vector, NodeId number) { return vector.subspan(segments.first(number), segment); };
    for (NodeId number = 0; number < network.members(); ++number)
        me.copy(given.of(network.member(number)), part(data.input, number));

    const Step first = me.step();
    Task there = exchange(me, {given.all(), shares.all()});
    co_await there;
    co_await me.until(static_cast<Step>(first + steps));
    sum_up_segment(me, problem, part(data.input, network.member_number(me.id())), shares, sums);
    Task back = exchange(me, {sums.all(), results.all()});
    co_await back;
    if (traits(problem.collective).terms == Terms::before && me.id() == network.member(0))
        co_return;
    for (NodeId number = 0; number < network.members(); ++number)
        me.copy(part(data.output, number),
                number == network.member_number(me.id()) ? sums.of(me.id()) : results.of(network.member(number)));
}

CollectiveProgram around_exchanges(CollectiveProgram exchange, std::uint64_t steps, const Problem& problem)
{
    return [shared = std::make_shared<const CollectiveProgram>(std::move(exchange)), steps,
            problem](Node& me, NodeData data) { return scan_segments(me, *shared, steps, problem, data); };
}

std::string segments_obstacle(const Topology& topology, const Problem& problem)
{
    if (topology.members() == 1)
        return "it is for several nodes";
    return Segments(problem, topology).blocks() > 1 ? "" : "it is for several blocks";
}

Phases segments_phases(const Composed& how, const Topology& topology, const Problem& problem)
{
    const Problem exchange = exchange_of_segments(problem, topology);
    const Entry& best = best_for_part(how, topology, problem);
    const std::uint64_t steps = best.cost(topology, exchange).steps;
    const Phases once = best.phases(topology, exchange);
    if (once.size() <= most_phases / 2)
        return followed_by(part_of("there", once), steps, part_of("back", once));
    return PhaseLine()
        .add(steps,
             {"there", "Every node sends each other one its part of the segment that the other one answers for."})
        .add(steps, {"back", "Every node sends each other one what precedes it in the sender's segment."})
        .take();
}

Entry segments_entry(Collective collective, PortModel ports)
{
    const Composed how{ports, exchange_of_segments, around_exchanges, 2};
    return composed_entry(
        {{.collective = collective,
          .name = ports == PortModel::all ? "segments" : "segments-one",
          .ports = ports,
          .networks = Networks::no_hypercubes,
          .keeps_order = true,
          .obstacle = segments_obstacle,
          .storage =
              [](const Topology& topology, const Problem& problem) {
                  return std::uint64_t{4} * topology.nodes() * topology.nodes() * Segments(problem, topology).bytes();
              }},
         {.paper = "textbook: a transposition there and back",
          .origin = Origin::dcube,
          .summary = "many blocks: every node sums up a segment of all vectors, by two total exchanges",
          .idea = "Every node answers for a segment of m/N blocks, rounded up. A total exchange brings it all nodes' "
                  "shares of the "
                  "segment; it works out by itself what precedes each node, in their order; a second total exchange "
                  "takes that back.",
          .formula = {.words = "twice as many as the best total exchange of m/N packets a pair, rounded up"},
          .paper_note = "In none of the papers: that sums can be made by total exchanges is well known.",
          .phases = [how](const Topology& topology,
                          const Problem& problem) { return segments_phases(how, topology, problem); }}},
        how);
}

}  // namespace

std::vector<Entry> scan_on_networks_family()
{
    std::vector<Entry> family;
    for (const Collective collective : {Collective::scan, Collective::exscan})
        for (const auto entry : {gather_and_combine_entry_for, segments_entry})
            for (const PortModel ports : {PortModel::all, PortModel::one})
                family.push_back(entry(collective, ports));
    return family;
}

}  // namespace dcube::detail
