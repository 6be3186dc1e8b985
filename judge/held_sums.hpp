#pragma once
// HeldSums: the sums that a node holds of one packet, byte by byte: its own contribution, and every sum that arrived.
// It may keep them apart, add some of them up, or all.

#include "collectives/disjoint_sums.hpp"

#include <dcube/contributors.hpp>
#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dcube {

/// A sum at a node: its own contribution, or what arrived in a step.
struct HeldSum {
    std::shared_ptr<const Contributors> nodes;
    Step step = 0;   ///< in which it arrived; 0 for the node's own contribution
    Time since = 0;  ///< when: in ticks, or in the unit-time model the step
};

struct MadeSum {
    Partition::Answer answer;
    Time since = 0;  ///< if it was found: since when all its parts have been there

    [[nodiscard]] bool possible() const { return answer == Partition::Answer::found; }
};

/// Whether a node can make a sum of those that it holds, which are there at `now`: it must be the sum of some that are
/// disjoint, so that no contribution is counted twice. See partition().
MadeSum make_sum(const Contributors& wanted, std::span<const HeldSum> held, Time now);

/// Sums in the order in which they arrived; the first is the node's own contribution.
class SumsOfByte {
public:
    explicit SumsOfByte(std::shared_ptr<const Contributors> own) { sums_.push_back({std::move(own)}); }

    void add(HeldSum sum) { sums_.push_back(std::move(sum)); }

    /// The sums that were there when the step began, and those that came since.
    [[nodiscard]] std::span<const HeldSum> before(Step step) const;
    [[nodiscard]] std::span<const HeldSum> since(Step step) const;
    [[nodiscard]] std::span<const HeldSum> sums() const { return sums_; }

    /// The sum of all that were there when the step began, or a complete one among them; nothing if two overlap, and
    /// then `twice` is a node that is in two. Steps must not go back.
    std::optional<HeldSum> all(Step step, const Contributors& everybody, NodeId& twice) const;

private:
    std::vector<HeldSum> sums_;
    // The first `added_` sums, which all() has added up so far.
    mutable std::shared_ptr<Contributors> added_up_;
    mutable std::size_t added_ = 0;
    mutable Time added_since_ = 0;
};

class HeldSums {
public:
    HeldSums(std::uint64_t begin, std::uint64_t end, const std::shared_ptr<const Contributors>& own)
    {
        sections_.emplace(begin, Section{end, SumsOfByte(own)});
    }

    /// Calls `work` for what each section has in common with [begin, end): work(begin, end, sums).
    template <class Work>
    void visit(std::uint64_t begin, std::uint64_t end, const Work& work) const
    {
        visit(sections_, begin, end, work);
    }

    /// The same, and the sums can change: sections are cut there.
    template <class Work>
    void change(std::uint64_t begin, std::uint64_t end, const Work& work)
    {
        cut(begin);
        cut(end);
        visit(sections_, begin, end, work);
    }

private:
    template <class Sections, class Work>
    static void visit(Sections& sections, std::uint64_t begin, std::uint64_t end, const Work& work)
    {
        for (auto at = std::prev(sections.upper_bound(begin)); at != sections.end() && at->first < end; ++at)
            work(std::max(begin, at->first), std::min(end, at->second.end), at->second.sums);
    }

    struct Section {
        std::uint64_t end;
        SumsOfByte sums;
    };

    void cut(std::uint64_t at);

    std::map<std::uint64_t, Section> sections_;  // by their beginnings, without gaps
};

}  // namespace dcube
