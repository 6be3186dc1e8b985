#pragma once
// The segments of the all-to-all plan (all_to_all_plan.hpp) while they are laid out: which parts lie in which, in which
// order, and where in a node's storage.

#include "algorithms/programs/cube.hpp"

#include <bit>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace dcube::detail {

// One rotation's segments. A segment is named by the stage s in which its parts arrive, as s + 1 (0: the node's own),
// and by the stage k in which they leave (d: they stay); its parts by D'.
class RotationSegments {
public:
    RotationSegments(unsigned d, unsigned i, std::size_t message);

    [[nodiscard]] std::size_t bytes(unsigned arrived, unsigned leaves) const
    {
        return offsets(arrived, leaves).empty() ? 0 : offsets(arrived, leaves).back();
    }
    // Where the parts from `name` on begin in a segment.
    [[nodiscard]] std::size_t offset(unsigned arrived, unsigned leaves, NodeId name) const
    {
        return offsets(arrived, leaves)[index(arrived, leaves, name)];
    }
    [[nodiscard]] std::size_t length(NodeId name) const { return lengths_[name]; }

    // The stage from `from` on in which a part leaves next.
    [[nodiscard]] unsigned next_stage(NodeId name, unsigned from) const
    {
        const NodeId rest = name >> from;
        return rest == 0 ? d_ : from + static_cast<unsigned>(std::countr_zero(rest));
    }

private:
    // Parts of a segment with the same bits above: 2^s, or one if they are the node's own.
    [[nodiscard]] static NodeId group(unsigned arrived) { return arrived == 0 ? 1 : bit(arrived - 1); }
    [[nodiscard]] NodeId index(unsigned arrived, unsigned leaves, NodeId name) const;
    [[nodiscard]] NodeId name_of(unsigned arrived, unsigned leaves, NodeId high, NodeId low) const;
    void lay_out(unsigned arrived, unsigned leaves);

    [[nodiscard]] std::vector<std::size_t>& offsets(unsigned arrived, unsigned leaves)
    {
        return offsets_[arrived * (d_ + 1) + leaves];
    }
    [[nodiscard]] const std::vector<std::size_t>& offsets(unsigned arrived, unsigned leaves) const
    {
        return offsets_[arrived * (d_ + 1) + leaves];
    }

    unsigned d_;
    std::vector<std::size_t> lengths_;               // by D'
    std::vector<std::vector<std::size_t>> offsets_;  // by s + 1 and k
};

// Bytes of storage: taken, and given back for later use.
class StorageArena {
public:
    std::size_t take(std::size_t bytes);
    void give_back(std::size_t offset, std::size_t bytes);
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    std::map<std::size_t, std::size_t> gaps_;  // lengths by offset
    std::size_t size_ = 0;
};

// Where all segments lie. They get their places stage by stage, all rotations together. What is sent in a stage is
// still read while the stage's packets arrive, so its place is free for those of the next one.
class SegmentPlaces {
public:
    // Direct: the first and the last segments take no storage.
    SegmentPlaces(unsigned d, std::span<const RotationSegments> rotations, bool direct);

    [[nodiscard]] std::size_t place(unsigned i, unsigned arrived, unsigned leaves) const
    {
        return places_[(i * (d_ + 1) + arrived) * (d_ + 1) + leaves];
    }
    [[nodiscard]] std::size_t storage() const { return arena_.size(); }

private:
    [[nodiscard]] std::size_t bytes(unsigned i, unsigned arrived, unsigned leaves) const;
    void take(unsigned arrived);
    void give_back(unsigned stage);

    unsigned d_;
    std::span<const RotationSegments> rotations_;
    bool direct_;
    StorageArena arena_;
    std::vector<std::size_t> places_;
};

}  // namespace dcube::detail
