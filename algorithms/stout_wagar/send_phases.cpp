#include "algorithms/stout_wagar/send_phases.hpp"

#include "algorithms/stout_wagar/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace dcube::detail {

Phases one_path_phases(const std::vector<Port>& dims)
{
    PhaseLine line;
    for (std::size_t k = 0; k < dims.size(); ++k)
        line.add(1, {fmt::format("dimension {}", dims[k]),
                     fmt::format("The whole message crosses dimension {}: hop {} of {} on its one path.", dims[k],
                                 k + 1, dims.size())});
    return line.take();
}

Phases spreading_phases(unsigned n)
{
    PhaseLine line;
    for (unsigned k = 0; k < n; ++k)
        line.add(1, {fmt::format("distance {} to {}", k, k + 1),
                     fmt::format("{} in {}, over every link nearer to the target.",
                                 k == 0 ? std::string("The source sends the message")
                                        : fmt::format("Between the two nodes, {} from the source send on what has come "
                                                      "to them",
                                                      nodes_at(k, n)),
                                 counted(n - k, "packet"))});
    return line.take();
}

Phases spreading_groups_phases(unsigned n, std::size_t m, std::size_t groups)
{
    const std::size_t g = std::min(m, groups);
    const TextOf text = [=](std::uint64_t q) {
        return PhaseText{
            fmt::format("group {}", q + 1),
            fmt::format("Group {} of {} spreads over the {}-cube between the two nodes, a link a step, and "
                        "comes together again at the target.",
                        q + 1, g, n)};
    };
    return group_phases(g, n, g == 0 ? 0 : g - 1 + n, text,
                        {"the source sends", fmt::format("The source sends another of {} groups in every step.", g)},
                        {"the last groups arrive", "The source has sent all groups; the last ones come together at the "
                                                   "target."});
}

Phases detour_phases(unsigned n, unsigned detours, std::size_t m, std::size_t groups)
{
    const std::size_t filled = std::min(m, groups);
    if (filled == 0)
        return {};
    const auto g = static_cast<Step>(filled);
    const std::string what = g == 1 ? "what goes this way" : fmt::format("{} groups, one behind the other,", g);
    const std::string dimensions = counted(detours, "dimension");
    return {
        {1, g, "out",
         fmt::format("The source sends {} over {} in which the two nodes agree, into as many parallel subcubes.", what,
                     dimensions)},
        {2, n + g, "through",
         fmt::format("There everything spreads through the {}-cube parallel to the two nodes' and comes together "
                     "again, a link a step.",
                     n)},
        {n + 2, n + 1 + g, "back", fmt::format("Beside the target {} comes back over the same {}.", what, dimensions)}};
}

}  // namespace dcube::detail
