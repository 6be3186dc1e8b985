#pragma once
// CombiningTree: adds up what the chunks of a step leave, on the way to the one worker that finishes last. (Yew, Tzeng
// and Lawrie, Distributing hot-spot addressing in large-scale multiprocessors, 1987.)

#include "base/cache_line.hpp"
#include "emu/summary.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace dcube::detail {

// Four neighbours form a group, four groups one of the next level, up to the root. With n = the parts of a group:
//
//   left = n                        when a step is opened, in every group
//   parts[i] written, left: -1      by the worker that finishes part i
//   left = n again, parent's part   by the worker that brought it to 0: it adds the parts up and goes on as one part
//
// The last worker of all reaches the root and has the sum. So no line is written by all workers, and no worker adds up
// more than four parts per level. No worker waits, and no part belongs to a particular worker: the one that finishes it
// goes on.
//
// The order of memory: the decrement is acquire and release. So the last of a group sees the parts that the others
// wrote, and all that they did before; what it does then is seen by the last of the parent in the same way, and in the
// end by the one at the root. `left` is made n again by the last of a group before it goes on to the parent; the next
// to decrement it does so in a later step, which the one at the root opens. Between the two is the order that the clock
// makes, so a plain store does.
class CombiningTree {
public:
    static constexpr std::size_t fan_in = 4;

    explicit CombiningTree(std::size_t parts)
    {
        std::size_t groups = 0;
        for (std::size_t below = parts; groups == 0 || below > 1;) {
            levels_.push_back(groups);
            below = (below + fan_in - 1) / fan_in;
            groups += below;
        }
        groups_ = std::make_unique<Group[]>(groups);
        for (std::size_t level = 0, below = parts; level < levels_.size(); ++level) {
            for (std::size_t part = 0; part < below; ++part)
                ++groups_[levels_[level] + part / fan_in].parts_there;
            below = (below + fan_in - 1) / fan_in;
        }
        for (std::size_t group = 0; group < groups; ++group)
            groups_[group].left.store(groups_[group].parts_there, std::memory_order_relaxed);
    }

    // Levels that the last part goes through.
    [[nodiscard]] std::size_t levels() const { return levels_.size(); }

    // This part is finished; every part is, once per step. The sum of all for the last of them, none for the others.
    std::optional<Summary> finish(std::size_t part, Summary summary)
    {
        for (const std::size_t level : levels_) {
            Group& group = groups_[level + part / fan_in];
            group.set(part % fan_in, summary);
            if (group.left.fetch_sub(1, std::memory_order_acq_rel) != 1)
                return std::nullopt;
            group.left.store(group.parts_there, std::memory_order_relaxed);
            summary = group.part(0);
            for (std::uint32_t i = 1; i < group.parts_there; ++i)
                summary.add(group.part(i));
            part /= fan_in;
        }
        return summary;
    }

private:
    struct alignas(cache_line) Group {  // a line, which is why the parts lie member by member
        std::array<Time, fan_in> longest;
        std::array<Step, fan_in> next;
        std::array<std::uint16_t, fan_in> work_ns;
        std::array<std::uint8_t, fan_in> flags;
        std::atomic<std::uint8_t> left;
        std::uint8_t parts_there = 0;

        void set(std::size_t i, const Summary& part)
        {
            longest[i] = part.longest;
            next[i] = part.next;
            work_ns[i] = part.work_ns;
            flags[i] = static_cast<std::uint8_t>(part.sent | part.left << 1 | part.able << 2 | part.has_events << 3);
        }
        [[nodiscard]] Summary part(std::size_t i) const
        {
            return {.longest = longest[i],
                    .next = next[i],
                    .work_ns = work_ns[i],
                    .sent = (flags[i] & 1U) != 0,
                    .left = (flags[i] & 2U) != 0,
                    .able = (flags[i] & 4U) != 0,
                    .has_events = (flags[i] & 8U) != 0};
        }
    };
    static_assert(sizeof(Group) == cache_line);

    std::vector<std::size_t> levels_;  // each level's first group, from the parts up
    std::unique_ptr<Group[]> groups_;
};

}  // namespace dcube::detail
