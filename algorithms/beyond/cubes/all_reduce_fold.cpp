// fold, fold-one: all-reduce of m blocks on a d-cube of N = 2^d nodes, by halving, swapping and doubling. dcube's;
// recursive halving and doubling, and the exchange of whole vectors, are well known, and are its two ends.
//
// All ports: d rotations; rotation c has the blocks c, c + d, c + 2d, .., at most M = ceil(m/d) of them, as a list.
// One port: one rotation, M = m. Rotation c does phase i = 1..d over port (c + i - 1) mod d:
//
//   i = 1..j     halving: of a list of s blocks a node keeps the first ceil(s/2), or the others if its bit is 1, and
//                sends the rest; its partner keeps that, and both add         ceil(M/2^i) steps
//   i = j+1..d   swap: partners send each other all that is left, and add     ceil(M/2^j) steps each
//   i = j..1     doubling: halving backwards; whole sums take the place of what was sent
//
// A phase lasts equally long in all rotations, so no two of them use a port in the same step.
//
// Steps: F(M, d) = the least over j of 2 (ceil(M/2) + .. + ceil(M/2^j)) + (d - j) ceil(M/2^j). F(1, d) = d and F(2, d)
// = d + 1 are optimal, so m <= 2d is (one port: m <= 2); F(M, d) <= 2 (M + d - 1), what reduce and broadcast would
// take. Transmissions: m (2 (N - N/2^j) + (d - j) N/2^j), because a phase of halving sends half of what all nodes have.
// No planning.

#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/own_block.hpp"
#include "algorithms/programs/phases.hpp"
#include "base/arithmetic.hpp"
#include "emu/arrival_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace dcube::detail {

namespace {

// A part of a rotation's list.
struct ListPart {
    std::size_t begin;
    std::size_t end;

    [[nodiscard]] std::size_t size() const { return end - begin; }
};

// The nodes' work in each phase. Phases are numbered from 0 here.
struct Folds {
    unsigned d;
    unsigned stride;       // rotation c has the blocks c, c + stride, c + 2 stride, ..
    std::size_t blocks;    // m
    unsigned halvings;     // j
    std::size_t longest;   // M
    std::size_t left = 0;  // the longest list's length after the halvings

    [[nodiscard]] unsigned rotations() const { return static_cast<unsigned>(std::min<std::size_t>(stride, blocks)); }
    [[nodiscard]] Port port(unsigned rotation, unsigned phase) const { return (rotation + phase) % d; }
    [[nodiscard]] std::size_t steps(unsigned phase) const
    {
        return ceil_div(longest, std::size_t{1} << std::min(phase + 1, halvings));
    }

    // The part of a rotation's list that a node keeps after this many halvings.
    [[nodiscard]] ListPart kept(NodeId node, unsigned rotation, unsigned times) const
    {
        ListPart list{0, ceil_div(blocks - rotation, stride)};
        for (unsigned phase = 0; phase < times; ++phase) {
            const std::size_t middle = list.begin + ceil_div(list.size(), 2);
            (has_bit(node, port(rotation, phase)) ? list.begin : list.end) = middle;
        }
        return list;
    }
};

std::uint64_t fold_steps(unsigned d, std::size_t longest, unsigned halvings)
{
    std::uint64_t halving = 0;
    for (unsigned i = 1; i <= halvings; ++i)
        halving += ceil_div(longest, std::size_t{1} << i);
    return 2 * halving + (d - halvings) * ceil_div(longest, std::size_t{1} << halvings);
}

std::uint64_t fold_transmissions(unsigned d, std::size_t blocks, unsigned halvings)
{
    const std::uint64_t nodes = bit(d);
    const std::uint64_t left = nodes >> halvings;
    return blocks * (2 * (nodes - left) + (d - halvings) * left);
}

// With the j of the fewest steps, then the fewest transmissions.
Folds folds_of(const Topology& topology, const Problem& problem, PortModel ports)
{
    const unsigned d = topology.dimension();
    const unsigned stride = ports == PortModel::all ? std::max(1U, d) : 1U;
    Folds folds{d, stride, problem.packets, 0, ceil_div(problem.packets, stride)};
    const auto rank = [&](unsigned j) {
        return std::tuple(fold_steps(d, folds.longest, j), fold_transmissions(d, folds.blocks, j));
    };
    for (unsigned j = 1; j <= d; ++j)
        if (rank(j) < rank(folds.halvings))
            folds.halvings = j;
    folds.left = ceil_div(folds.longest, std::size_t{1} << folds.halvings);
    return folds;
}

std::size_t fold_spare_bytes(const Folds& folds, const Problem& problem)
{
    return folds.d == folds.halvings ? 0 : folds.rotations() * folds.left * problem.bytes;
}

// One node's part. In a swap the partner reads this node's sum while it receives, so sums alternate between the output
// and a spare place from the last halving on, so that the last swap leaves them in the output.
class Folding {
public:
    Folding(Node& me, const Folds& folds, const Problem& problem, NodeData data)
        : me_(me), folds_(folds), bytes_(problem.bytes), combine_(combiner(problem)), data_(data),
          spare_(me.allocate(fold_spare_bytes(folds, problem))), arrived_(me), to_send_(folds.rotations()),
          to_receive_(folds.rotations())
    {
    }

    void begin(unsigned phase)
    {
        const unsigned times = std::min(phase + 1, folds_.halvings);
        for (unsigned c = 0; c < folds_.rotations(); ++c) {
            const bool swap = phase >= folds_.halvings;
            to_receive_[c] = folds_.kept(me_.id(), c, times);
            to_send_[c] = swap ? to_receive_[c] : folds_.kept(partner(c, phase), c, times);
        }
    }
    void begin_doubling(unsigned phase)
    {
        begin(phase);
        std::swap(to_send_, to_receive_);
    }

    void send(unsigned phase, std::size_t step) { send_from(phase, phase, step); }
    void send_whole(unsigned phase, std::size_t step) { send_from(phase, folds_.d, step); }

    void add(unsigned phase, std::size_t step)
    {
        for (unsigned c = 0; c < folds_.rotations(); ++c) {
            if (step >= to_receive_[c].size())
                continue;
            const std::size_t at = to_receive_[c].begin + step;
            const std::span<const std::byte> base = sum_before(phase, c, at);
            arrived_.set_sum(me_.receive(folds_.port(c, phase), place_after(phase, c, at), base, combine_), base);
        }
    }
    void keep(unsigned phase, std::size_t step)
    {
        for (unsigned c = 0; c < folds_.rotations(); ++c)
            if (step < to_receive_[c].size())
                arrived_.set(me_.receive(folds_.port(c, phase), output(c, to_receive_[c].begin + step)));
    }

private:
    [[nodiscard]] NodeId partner(unsigned rotation, unsigned phase) const
    {
        return me_.id() ^ bit(folds_.port(rotation, phase));
    }
    [[nodiscard]] std::size_t offset(unsigned rotation, std::size_t at) const
    {
        return (rotation + at * folds_.stride) * bytes_;
    }
    [[nodiscard]] std::span<std::byte> output(unsigned rotation, std::size_t at) const
    {
        return data_.output.subspan(offset(rotation, at), bytes_);
    }
    [[nodiscard]] std::span<std::byte> place_after(unsigned phase, unsigned rotation, std::size_t at) const
    {
        if (phase + 1 < folds_.halvings || (folds_.d - 1 - phase) % 2 == 0)
            return output(rotation, at);
        const std::size_t first = folds_.kept(me_.id(), rotation, folds_.halvings).begin;
        return spare_.subspan((rotation * folds_.left + at - first) * bytes_, bytes_);
    }
    [[nodiscard]] std::span<const std::byte> sum_before(unsigned phase, unsigned rotation, std::size_t at) const
    {
        if (phase == 0)
            return data_.input.subspan(offset(rotation, at), bytes_);
        // The elements that a node still has in a halving took part in all halvings before.
        return phase < folds_.halvings ? output(rotation, at) : place_after(phase - 1, rotation, at);
    }

    void send_from(unsigned phase, unsigned since, std::size_t step)
    {
        for (unsigned c = 0; c < folds_.rotations(); ++c)
            if (step < to_send_[c].size())
                me_.send(folds_.port(c, phase), arrived_.packet(sum_before(since, c, to_send_[c].begin + step)));
    }

    Node& me_;
    const Folds& folds_;
    std::size_t bytes_;
    Combine combine_;
    NodeData data_;
    std::span<std::byte> spare_;
    ArrivalTimes arrived_;
    std::vector<ListPart> to_send_;  // by rotation, in this phase
    std::vector<ListPart> to_receive_;
};

Task fold(Node& me, const Folds& folds, const Problem& problem, NodeData data)
{
    copy_own_block(me, problem, data);
    Folding work(me, folds, problem, data);
    for (unsigned phase = 0; phase < folds.d; ++phase) {
        work.begin(phase);
        for (std::size_t step = 0; step < folds.steps(phase); ++step) {
            work.send(phase, step);
            co_await me.next_step();
            work.add(phase, step);
        }
    }
    for (unsigned phase = folds.halvings; phase-- > 0;) {
        work.begin_doubling(phase);
        for (std::size_t step = 0; step < folds.steps(phase); ++step) {
            work.send_whole(phase, step);
            co_await me.next_step();
            work.keep(phase, step);
        }
    }
}

// Named "halving: dimension 2", or where every rotation is at another dimension "halving: round 3".
PhaseText phase_text(const Folds& folds, std::string_view what, unsigned phase, std::string sentence)
{
    if (folds.stride == 1)
        return {fmt::format("{}: dimension {}", what, phase), std ::move(sentence), phase};
    return {fmt::format("{}: round {}", what, phase + 1), std::move(sentence)};
}

Phases fold_phases(const Folds& folds)
{
    const std::string_view across = folds.stride == 1 ? "" : ", each list over another dimension";
    const auto left_after = [&](unsigned times) {
        return counted(ceil_div(folds.longest, std::size_t{1} << times), "block");
    };
    PhaseLine line;
    for (unsigned i = 0; i < folds.halvings; ++i)
        line.add(
            folds.steps(i),
            phase_text(
                folds, "halving", i,
                fmt::format("Partners share out their lists of up to {}{}: each sends one half, and adds to the other "
                            "what comes, which leaves lists of up to {}.",
                            left_after(i), across, left_after(i + 1))));
    for (unsigned i = folds.halvings; i < folds.d; ++i)
        line.add(
            folds.steps(i),
            phase_text(folds, "swap", i,
                       fmt::format("Partners send each other the sums of up to {} of a list{}, and add: {} become {}.",
                                   left_after(folds.halvings), across, counted(bit(i), "term"), bit(i + 1))));
    for (unsigned i = folds.halvings; i-- > 0;)
        line.add(
            folds.steps(i),
            phase_text(
                folds, "doubling", i,
                fmt::format("Partners send each other the whole sums that they have{}, which takes their lists to up "
                            "to {}.",
                            across, left_after(i))));
    return line.take();
}

Entry fold_entry(Entry head)
{
    const auto folds = [ports = head.ports](const Topology& topology, const Problem& problem) {
        return folds_of(topology, problem, ports);
    };
    head.cost = [folds](const Topology& topology, const Problem& problem) {
        const auto [d, stride, blocks, halvings, longest, left] = folds(topology, problem);
        return Cost{fold_steps(d, longest, halvings), fold_transmissions(d, blocks, halvings)};
    };
    head.storage = [folds](const Topology& topology, const Problem& problem) {
        return topology.nodes() * std::uint64_t{fold_spare_bytes(folds(topology, problem), problem)};
    };
    head.phases = [folds](const Topology& topology, const Problem& problem) {
        return fold_phases(folds(topology, problem));
    };
    head.prepare = [folds](const Topology& topology, const Problem& problem) -> CollectiveProgram {
        return [folds = folds(topology, problem), problem](Node& me, NodeData data) {
            return fold(me, folds, problem, data);
        };
    };
    return head;
}

}  // namespace

std::vector<Entry> fold_family()
{
    return {
        fold_entry(
            {{.collective = Collective::all_reduce, .name = "fold-one", .ports = PortModel::one, .same_bits = true},
             {.paper = "textbook: recursive halving and doubling",
              .origin = Origin::dcube,
              .summary = "vectors are halved over some dimensions, swapped over the others, and doubled again",
              .idea = "Between exchanging whole vectors and halving them all the way down. Over the first j "
                      "dimensions partners share out what they have: each sends one half and adds to the other. "
                      "Over the rest they swap all that is left and add, and then the halves go back. Halving "
                      "saves packets, swapping saves steps.",
              .formula = {.words = "The least over j of 2 (ceil(m/2) + ceil(m/4) + .. + ceil(m/2^j)) + (d - j) "
                                   "ceil(m/2^j) steps, and m (2 (N - N/2^j) + (d - j) N/2^j) transmissions."},
              .paper_note = "None of the papers has an all-reduce."}}),
        fold_entry(
            {{.collective = Collective::all_reduce, .name = "fold", .same_bits = true},
             {.paper = "textbook: recursive halving and doubling",
              .origin = Origin::dcube,
              .summary = "d lists of blocks are halved, swapped and doubled, each over other ports",
              .idea = "The one-port algorithm with d lists of blocks side by side: list c begins at dimension c and "
                      "goes round from there, and a phase lasts as long in all lists, so in every step each list has a "
                      "port of its own.",
              .formula = {.words =
                              "The least over j of 2 (ceil(M/2) + ceil(M/4) + .. + ceil(M/2^j)) + (d - j) ceil(M/2^j) "
                              "steps, M = ceil(m/d), and m (2 (N - N/2^j) + (d - j) N/2^j) transmissions."},
              .paper_note = "None of the papers has an all-reduce."}}),
    };
}

}  // namespace dcube::detail
