#pragma once
// ContributorSets: of which nodes a sum is made, and since when, byte by byte of a packet.

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dcube {

/// A set of nodes, as bits.
class NodeSet {
public:
    explicit NodeSet(NodeId nodes) : words_((nodes + std::size_t{63}) / 64) {}

    void add(NodeId node) { words_[node / 64] |= std::uint64_t{1} << node % 64; }
    void unite(const NodeSet& other);
    [[nodiscard]] bool empty() const;
    [[nodiscard]] NodeId size() const;

    /// The smallest node that both have; false if there is none.
    [[nodiscard]] bool common(const NodeSet& other, NodeId& node) const;
    /// The smallest node that is not in the set, which must not be full.
    [[nodiscard]] NodeId first_absent() const;

    friend bool operator==(const NodeSet&, const NodeSet&) = default;

private:
    std::vector<std::uint64_t> words_;
};

/// A packet's bytes, cut into sections whose bytes have the same contributors and the same time.
class ContributorSets {
public:
    struct Section {
        std::uint64_t begin;
        std::uint64_t end;
        NodeSet nodes;
        Time since = 0;  ///< when the last of the contributions arrived; 0 in the unit-time model
    };

    ContributorSets(std::uint64_t begin, std::uint64_t end, NodeSet nodes)
    {
        sections_.push_back({begin, end, std::move(nodes), 0});
    }

    /// Calls `work` for what each section has in common with [begin, end): work(begin, end, section).
    template <class Work>
    void visit(std::uint64_t begin, std::uint64_t end, const Work& work) const
    {
        for (const Section& section : sections_)
            if (section.begin < end && begin < section.end)
                work(std::max(begin, section.begin), std::min(end, section.end), section);
    }

    /// The bytes [begin, end) get `nodes`, which arrived at `since`, in addition to what they have.
    void unite(std::uint64_t begin, std::uint64_t end, const NodeSet& nodes, Time since);
    /// The same in place of what they have.
    void replace(std::uint64_t begin, std::uint64_t end, const NodeSet& nodes, Time since);

    [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }

private:
    template <class Work>
    void change(std::uint64_t begin, std::uint64_t end, const Work& work);
    void split(std::uint64_t at);
    void join();

    std::vector<Section> sections_;  // without gaps, in order
};

}  // namespace dcube
