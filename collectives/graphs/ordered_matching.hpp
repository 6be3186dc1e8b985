#pragma once
// A matching of senders with receivers for a step of a one-port machine, in an order of importance.
//
// Idea. Every node has two ends, one that sends and one that receives. The ends ask for a partner one after the other,
// the most important ones first. An end that asks and is still free gets a partner if an augmenting path begins there:
// a path whose arcs lie outside the matching and in it in turn, up to a free end. Along it partners change, and no end
// that had one is left without. If the ends of one side alone ask, the matching covers, of all sets of them that a
// matching can cover, the one that is first in the order (such sets form a matroid, on which the greedy method is
// right: Edmonds & Fulkerson 1965). If all ends of both sides ask it is a largest matching; then an end may go without
// because a less important one of its own side was taken as a partner before. A plain greedy matching would do without
// the augmenting paths, and leave out ends that have something to do in every step to come.
//
// Cost. A search follows every arc once at most, and ends that a search has seen in vain are closed for all later ones:
// no free end can be reached from them, and none ever will be, because ends that have partners keep having some. So
// all searches in vain together follow every arc once from either side.
//
// Beside it there are PortMatching, in which packets ask one by one for one of several ports, and the largest matching
// of collectives/bounds, where no order counts and a faster method does (Hopcroft & Karp 1973).

#include "collectives/graphs/arcs.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

class OrderedMatching {
public:
    // Node v as a sender is end v, as a receiver it is end nodes + v.
    using End = std::uint32_t;

    // The partner that an asking end takes: a free one, if one of its arcs leads to one, or else the first that can be
    // freed because others can change partners; or in any case the first that can be had, so that more partners change.
    enum class Takes : std::uint8_t { free_first, first };

    OrderedMatching(const Arcs& arcs, Takes takes);

    // Begins a new matching over these arcs, each named once.
    void begin(std::span<const ArcId> usable);

    // The ends of the usable arcs: of every arc the sender, then the receiver, unless they have been named before.
    [[nodiscard]] std::span<const End> ends() const { return ends_; }
    // The usable arcs of an end, in the order in which they are tried: as they were named, until the caller sorts them.
    [[nodiscard]] std::span<ArcId> choices(End end)
    {
        return std::span(choices_).subspan(first_choice(end), choice_count_[end]);
    }
    [[nodiscard]] End sender(ArcId arc) const { return arcs_.from(arc); }
    [[nodiscard]] End receiver(ArcId arc) const { return arcs_.nodes() + arcs_.to(arc); }
    // The end at the far side of one of its arcs.
    [[nodiscard]] End partner(End end, ArcId arc) const { return end < arcs_.nodes() ? receiver(arc) : sender(arc); }

    // These ends ask, one after the other. Ends without a usable arc may be among them.
    void ask(std::span<const End> in_order);

    // The arcs of the matching, ascending: no two of one sender or of one receiver. They last until the next call.
    [[nodiscard]] std::span<const ArcId> chosen();

private:
    static constexpr ArcId none = ~ArcId{0};

    // A node has as many arcs in as out, so its receiver's choices lie as its sender's do, behind those of all senders.
    [[nodiscard]] std::size_t first_choice(End end) const
    {
        return end < arcs_.nodes() ? arcs_.first_out(end)
                                   : std::size_t{arcs_.size()} + arcs_.first_out(end - arcs_.nodes());
    }
    void add_choice(End end, ArcId arc);
    bool augment(End first);
    bool take_path();

    struct Change {
        End end;
        ArcId choice;  // its new partner's
    };

    const Arcs& arcs_;
    Takes takes_;
    std::vector<End> ends_;
    std::vector<ArcId> choices_;  // by end
    std::vector<ArcId> choice_count_;
    std::vector<ArcId> matched_;        // by end, or none
    std::vector<std::uint8_t> closed_;  // by end: seen by this search, or by one in vain
    std::vector<End> seen_;             // by this search
    std::vector<Change> path_;          // the path of this search
    std::vector<ArcId> chosen_;
};

}  // namespace dcube::detail
