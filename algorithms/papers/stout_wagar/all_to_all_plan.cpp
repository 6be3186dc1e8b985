#include "algorithms/papers/stout_wagar/all_to_all_plan.hpp"

#include "algorithms/programs/cube.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <map>

namespace dcube::detail {

namespace {

// ---- The segments while they are laid out: which parts lie in which, in which order, and where in storage ----

// One rotation's segments. A segment is named by the stage s in which its parts arrive, as s + 1 (0: the node's own),
// and by the stage k in which they leave (d: they stay); its parts by D'.
class RotationSegments {
public:
    RotationSegments(unsigned d, unsigned i, std::size_t message);

    [[nodiscard]] std::size_t bytes(unsigned arrived, unsigned leaves) const
    {
        return offsets(arrived, leaves).empty() ? 0 : offsets(arrived, leaves).back();
    }
    // The place in a segment where the parts from `name` on begin.
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

// The places of all segments. They are given stage by stage, all rotations together. A segment that is sent in a stage
// is still read while the stage's packets arrive, so its place is free for those of the next one.
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

RotationSegments::RotationSegments(unsigned d, unsigned i, std::size_t message) : d_(d), offsets_((d + 1) * (d + 1))
{
    lengths_.reserve(bit(d));
    for (NodeId name = 0; name < bit(d); ++name) {
        lengths_.push_back(dealt_part(message, d, i, rotated(name, i, d)).length);
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

// Messages that are shorter than this are not worth an entry in a list each.
constexpr std::size_t least_direct = 64;

std::uint8_t word_for(std::size_t shortest, std::size_t longest)
{
    for (const std::uint8_t word : {std::uint8_t{4}, std::uint8_t{8}, std::uint8_t{16}, std::uint8_t{32}})
        if (shortest >= word && longest <= 2 * std::size_t{word})
            return word;
    return 0;
}

std::vector<RotationSegments> all_rotations(unsigned d, std::size_t message)
{
    std::vector<RotationSegments> rotations;
    for (unsigned i = 0; i < d; ++i)
        rotations.emplace_back(d, i, message);
    return rotations;
}

}  // namespace

Stretch dealt_part(std::size_t message, unsigned d, unsigned i, NodeId relative)
{
    NodeId name = relative;
    unsigned rotations = 0;  // the name's, until it is the address
    unsigned period = d;
    for (unsigned by = 1; by < period; ++by) {
        const NodeId other = rotated(relative, d - by, d);  // to the right
        if (other == relative)
            period = by;
        else if (other < name) {
            name = other;
            rotations = by;
        }
    }
    if (i % period != rotations)
        return {0, 0};
    return staggered_part(message, d / period, i / period, stagger(name, d / period));
}

// Writes the plan from where the segments lie.
class AllToAllPlan::Writer {
public:
    explicit Writer(AllToAllPlan& plan)
        : plan_(plan), d_(plan.d_), rotations_(all_rotations(d_, plan.message_)), places_(d_, rotations_, plan.direct_)
    {
        plan_.storage_ = places_.storage();
    }

    // Writes the packet that rotation i sends in stage k.
    void write_packet(unsigned i, unsigned k)
    {
        std::size_t parts = 0;
        for (unsigned arrived = 0; arrived <= k; ++arrived) {
            const Segment segment = write_segment(i, k, arrived);
            parts += segment.in_input ? segment.end - segment.first : 1;
            if (segment.extent.length != 0)
                plan_.packets_[i * d_ + k].push_back(segment);
        }
        plan_.most_parts_ = std::max(plan_.most_parts_, parts);
    }

    void write_begins_and_ends(NodeId relative)
    {
        for (unsigned i = 0; i < d_; ++i) {
            const RotationSegments& rotation = rotations_[i];
            const NodeId name = rotated(relative, (d_ - i) % d_, d_);
            const auto last = static_cast<unsigned>(std::bit_width(name));  // s + 1
            add_end(plan_.begins_, extent(i, 0, rotation.next_stage(name, 0), name, rotation.length(name)), relative);
            add_end(plan_.ends_, extent(i, last, d_, name, rotation.length(name)), relative);
        }
    }

private:
    void add_end(Ends& ends, Extent extent, NodeId relative) const
    {
        extent.message = relative;
        if (extent.length == plan_.message_)
            ends.of_messages.push_back(extent);
        else if (extent.length != 0)
            ends.of_parts.push_back(extent);
    }

    // The place in storage of a run of a segment from part `name` on.
    [[nodiscard]] Extent extent(unsigned i, unsigned arrived, unsigned leaves, NodeId name, std::size_t length) const
    {
        return {places_.place(i, arrived, leaves) + rotations_[i].offset(arrived, leaves, name), length, 0};
    }
    // The place in the message from or to the part's relative address.
    [[nodiscard]] Extent in_message(unsigned i, NodeId name) const
    {
        const NodeId relative = rotated(name, i, d_);
        const auto [offset, length] = dealt_part(plan_.message_, d_, i, relative);
        return {offset, length, relative};
    }

    // The parts that arrived in stage arrived - 1 and leave in stage k, in the runs in which the neighbour keeps them.
    Segment write_segment(unsigned i, unsigned k, unsigned arrived)
    {
        const RotationSegments& rotation = rotations_[i];
        Segment segment{{places_.place(i, arrived, k), rotation.bytes(arrived, k), 0},
                        arrived,
                        plan_.runs_.size(),
                        0,
                        plan_.direct_ && arrived == 0,
                        0};
        shortest_ = std::numeric_limits<std::size_t>::max();
        longest_ = 0;
        const NodeId low = arrived == 0 ? 0 : bit(arrived - 1);
        for (NodeId high = 0; high < bit(d_ - 1 - k); ++high)
            write_runs(i, k, high << (k + 1) | bit(k) | low, std::max<NodeId>(1, low));
        segment.end = plan_.runs_.size();
        segment.word = word_for(shortest_, longest_);
        return segment;
    }

    // Writes the targets of `count` parts from `first` on: straight to the output, or in one run to the segment they
    // leave from next.
    void write_runs(unsigned i, unsigned k, NodeId first, NodeId count)
    {
        const RotationSegments& rotation = rotations_[i];
        const unsigned next = rotation.next_stage(first, k + 1);
        if (plan_.direct_ && next == d_) {
            for (NodeId name = first; name < first + count; ++name)
                write_run(in_message(i, name), in_message(i, name));
            return;
        }
        std::size_t length = 0;
        for (NodeId name = first; name < first + count; ++name)
            length += rotation.length(name);
        write_run(extent(i, k + 1, next, first, length), in_message(i, first));
    }

    void write_run(const Extent& run, const Extent& own)
    {
        if (run.length == 0)
            return;
        plan_.runs_.push_back(run);
        if (plan_.direct_)
            plan_.own_.push_back(own);
        shortest_ = std::min(shortest_, run.length);
        longest_ = std::max(longest_, run.length);
    }

    AllToAllPlan& plan_;
    unsigned d_;
    std::vector<RotationSegments> rotations_;
    SegmentPlaces places_;
    std::size_t shortest_ = 0;  // the shortest of the segment's runs
    std::size_t longest_ = 0;
};

AllToAllPlan::AllToAllPlan(unsigned d, std::size_t message)
    : d_(d), message_(message), direct_(d > 0 && message >= least_direct), packets_(std::size_t{d} * d)
{
    Writer writer(*this);
    for (unsigned i = 0; i < d; ++i)
        for (unsigned k = 0; k < d; ++k)
            writer.write_packet(i, k);
    if (!direct_)
        for (NodeId relative = 1; relative < bit(d); ++relative)
            writer.write_begins_and_ends(relative);
}

std::uint8_t AllToAllPlan::message_word() const
{
    return word_for(message_, message_);
}

}  // namespace dcube::detail
