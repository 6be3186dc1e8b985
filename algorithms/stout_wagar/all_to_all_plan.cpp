#include "algorithms/stout_wagar/all_to_all_plan.hpp"

#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/stout_wagar/all_to_all_segments.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace dcube::detail {

namespace {

// Parts that are shorter than this are not worth an entry in a list each.
constexpr std::size_t least_direct = 128;

std::uint8_t word_for(std::size_t shortest, std::size_t longest)
{
    for (const std::uint8_t word : {std::uint8_t{4}, std::uint8_t{8}})
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

// Writes the plan from where the segments lie.
class AllToAllPlan::Writer {
public:
    explicit Writer(AllToAllPlan& plan)
        : plan_(plan), d_(plan.d_), rotations_(all_rotations(d_, plan.message_)), places_(d_, rotations_, plan.direct_)
    {
        plan_.storage_ = places_.storage();
    }

    // What rotation i sends in stage k.
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
            plan_.begins_.push_back(extent(i, 0, rotation.next_stage(name, 0), name, rotation.length(name)));
            plan_.ends_.push_back(extent(i, last, d_, name, rotation.length(name)));
        }
    }

private:
    // In storage: a run of a segment from part `name` on.
    [[nodiscard]] Extent extent(unsigned i, unsigned arrived, unsigned leaves, NodeId name, std::size_t length) const
    {
        return {places_.place(i, arrived, leaves) + rotations_[i].offset(arrived, leaves, name), length, 0};
    }
    // In the message from or to the part's relative address.
    [[nodiscard]] Extent in_message(unsigned i, NodeId name) const
    {
        const NodeId relative = rotated(name, i, d_);
        const auto [offset, length] = staggered_part(plan_.message_, d_, i, stagger(relative, d_));
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

    // Where `count` parts from `first` on go: straight to the output, or in one run to the segment they leave from
    // next.
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
    std::size_t shortest_ = 0;  // of the segment's runs
    std::size_t longest_ = 0;
};

AllToAllPlan::AllToAllPlan(unsigned d, std::size_t message)
    : d_(d), message_(message), direct_(d > 0 && message / d >= least_direct), packets_(std::size_t{d} * d)
{
    Writer writer(*this);
    for (unsigned i = 0; i < d; ++i)
        for (unsigned k = 0; k < d; ++k)
            writer.write_packet(i, k);
    if (!direct_)
        for (NodeId relative = 1; relative < bit(d); ++relative)
            writer.write_begins_and_ends(relative);
}

std::uint8_t AllToAllPlan::part_word() const
{
    if (d_ == 0)
        return 0;
    return word_for(message_ / d_, message_ / d_ + (message_ % d_ != 0 ? 1 : 0));
}

}  // namespace dcube::detail
