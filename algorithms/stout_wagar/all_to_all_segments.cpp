#include "algorithms/stout_wagar/all_to_all_segments.hpp"

#include "algorithms/programs/cut.hpp"

#include <iterator>

namespace dcube::detail {

RotationSegments::RotationSegments(unsigned d, unsigned i, std::size_t message) : d_(d), offsets_((d + 1) * (d + 1))
{
    lengths_.reserve(bit(d));
    for (NodeId name = 0; name < bit(d); ++name) {
        const NodeId relative = rotated(name, i, d);
        lengths_.push_back(staggered_part(message, d, i, stagger(relative, d)).length);
    }
    for (unsigned arrived = 0; arrived <= d; ++arrived)
        for (unsigned leaves = arrived; leaves <= d; ++leaves)
            lay_out(arrived, leaves);
}

NodeId RotationSegments::index(unsigned arrived, unsigned leaves, NodeId name) const
{
    const NodeId high = leaves == d_ ? 0 : name >> (leaves + 1);
    return high * group(arrived) + (name & (group(arrived) - 1));
}

NodeId RotationSegments::name_of(unsigned arrived, unsigned leaves, NodeId high, NodeId low) const
{
    const NodeId top = leaves == d_ ? 0 : high << (leaves + 1) | bit(leaves);
    return top | (arrived == 0 ? 0 : bit(arrived - 1)) | low;
}

// Prefix sums of the lengths in the segment's order; the last one is its size.
void RotationSegments::lay_out(unsigned arrived, unsigned leaves)
{
    if (arrived == 0 && leaves == d_)
        return;  // only D = 0 stays
    std::vector<std::size_t>& at = offsets(arrived, leaves);
    const NodeId highs = leaves == d_ ? 1 : bit(d_ - 1 - leaves);
    std::size_t sum = 0;
    for (NodeId high = 0; high < highs; ++high) {
        for (NodeId low = 0; low < group(arrived); ++low) {
            at.push_back(sum);
            sum += lengths_[name_of(arrived, leaves, high, low)];
        }
    }
    at.push_back(sum);
}

std::size_t StorageArena::take(std::size_t bytes)
{
    for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
        const auto [offset, length] = *gap;
        if (length < bytes)
            continue;
        gaps_.erase(gap);
        if (length > bytes)
            gaps_[offset + bytes] = length - bytes;
        return offset;
    }
    const std::size_t offset = size_;
    size_ += bytes;
    return offset;
}

void StorageArena::give_back(std::size_t offset, std::size_t bytes)
{
    if (bytes == 0)
        return;
    auto gap = gaps_.emplace(offset, bytes).first;
    if (const auto next = std::next(gap); next != gaps_.end() && offset + bytes == next->first) {
        gap->second += next->second;
        gaps_.erase(next);
    }
    if (gap != gaps_.begin())
        if (const auto before = std::prev(gap); before->first + before->second == gap->first) {
            before->second += gap->second;
            gaps_.erase(gap);
        }
}

SegmentPlaces::SegmentPlaces(unsigned d, std::span<const RotationSegments> rotations, bool direct)
    : d_(d), rotations_(rotations), direct_(direct), places_(std::size_t{d} * (d + 1) * (d + 1))
{
    take(0);
    for (unsigned k = 0; k < d; ++k) {
        if (k > 0)
            give_back(k - 1);
        take(k + 1);
    }
}

std::size_t SegmentPlaces::bytes(unsigned i, unsigned arrived, unsigned leaves) const
{
    const bool elsewhere = direct_ && (arrived == 0 || leaves == d_);
    return elsewhere ? 0 : rotations_[i].bytes(arrived, leaves);
}

void SegmentPlaces::take(unsigned arrived)
{
    for (unsigned i = 0; i < d_; ++i)
        for (unsigned leaves = arrived; leaves <= d_; ++leaves)
            places_[(i * (d_ + 1) + arrived) * (d_ + 1) + leaves] = arena_.take(bytes(i, arrived, leaves));
}

void SegmentPlaces::give_back(unsigned stage)
{
    for (unsigned i = 0; i < d_; ++i)
        for (unsigned arrived = 0; arrived <= stage; ++arrived)
            arena_.give_back(place(i, arrived, stage), bytes(i, arrived, stage));
}

}  // namespace dcube::detail
