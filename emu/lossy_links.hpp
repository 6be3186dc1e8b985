#pragma once
// LossyLinks: which links lose packets in a run, because they or a node at one of their ends fail, and from which step
// on. There is one only in runs in which something fails (RunOptions::failing).

#include "emu/link_numbers.hpp"

#include <dcube/faults.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

class LossyLinks {
public:
    // Throws InvalidArgument for what the network does not have.
    LossyLinks(const Topology& topology, const LinkNumbers& numbers, std::span<const Failing> failing);
    static std::uint64_t bytes(const LinkNumbers& numbers) { return numbers.count() * sizeof(std::uint32_t); }

    // True if what is sent over the link in this step is lost.
    [[nodiscard]] bool loses(std::uint32_t link, Step step) const { return links_[which_[link]].cause.from <= step; }
    [[nodiscard]] const Failing& cause(std::uint32_t link) const { return links_[which_[link]].cause; }

    // A lost packet never enters a channel, so the channel cannot tell that the link was busy in that step. The sender
    // notes it here.
    [[nodiscard]] bool busy(std::uint32_t link, Step step) const { return links_[which_[link]].last_lost == step; }
    void note_lost(std::uint32_t link, Step step) { links_[which_[link]].last_lost = step; }

private:
    struct Link {
        Failing cause;
        Step last_lost = 0;  // the step in which a packet was last lost on it
    };
    void add(std::uint32_t link, const Failing& cause);

    std::vector<std::uint32_t> which_;  // an index into links_ for every directed link
    std::vector<Link> links_;           // the first entry stands for all links that do not fail
};

}  // namespace dcube::detail
