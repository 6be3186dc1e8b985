#include "emu/lossy_links.hpp"

#include "base/sizes.hpp"

#include <limits>

namespace dcube::detail {

LossyLinks::LossyLinks(const Topology& topology, const LinkNumbers& numbers, std::span<const Failing> failing)
{
    validate(failing, topology);
    which_.resize(allocatable(numbers.count()));
    links_.push_back({{0, 0, std::numeric_limits<Step>::max()}});
    for (const Failing& one : failing)
        for (const NodeId end : {one.a, one.b})
            for (Port port = 0; port < topology.ports(end); ++port)
                if (const NodeId other = topology.neighbour(end, port);
                    one.is_node() || other == (end == one.a ? one.b : one.a)) {
                    add(numbers.in(other, topology.arrival_port(end, port)), one);
                    add(numbers.in(end, port), one);
                }
}

// If a link has several causes, the first that happens counts, then the first that is listed.
void LossyLinks::add(std::uint32_t link, const Failing& cause)
{
    if (which_[link] == 0) {
        which_[link] = static_cast<std::uint32_t>(links_.size());
        links_.push_back({cause});
    } else if (Failing& before = links_[which_[link]].cause; cause.from < before.from) {
        before = cause;
    }
}

}  // namespace dcube::detail
