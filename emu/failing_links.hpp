#pragma once
// FailingLinks: which links fail in a run, and from which step on what is sent over them is lost.

#include "emu/link_numbers.hpp"

#include <dcube/failing.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

class FailingLinks {
public:
    // Throws InvalidArgument for what the network does not have.
    FailingLinks(const Topology& topology, const LinkNumbers& numbers, std::span<const Failing> failing);
    static std::size_t bytes(const LinkNumbers& numbers) { return numbers.count() * sizeof(std::uint32_t); }

    [[nodiscard]] bool fails(std::uint32_t link, Step step) const { return links_[which_[link]].cause.from <= step; }
    [[nodiscard]] const Failing& cause(std::uint32_t link) const { return links_[which_[link]].cause; }

    // For the sender. What is lost stands in no channel, so that the link is busy in that step is remembered here.
    [[nodiscard]] bool busy(std::uint32_t link, Step step) const { return links_[which_[link]].last_lost == step; }
    void lose(std::uint32_t link, Step step) { links_[which_[link]].last_lost = step; }

private:
    struct Link {
        Failing cause;
        Step last_lost = 0;  // when the last packet was lost that was sent over it
    };
    void add(std::uint32_t link, const Failing& cause);

    std::vector<std::uint32_t> which_;  // of links_, for every directed link
    std::vector<Link> links_;           // the first stands for those that do not fail
};

}  // namespace dcube::detail
