#include "inspect/view/film/cells.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace dcube::view {

namespace {

constexpr std::uint32_t most_cells = 1024;

// Whether some node needs messages of several origins.
bool several_for_one(const Messages& messages)
{
    if (messages.kind() != MessageKind::moves)
        return messages.kind() == MessageKind::sums || messages.count() > 1;
    std::set<NodeId> targets;
    for (std::uint64_t message = 0; message < messages.count(); ++message)
        if (const MessageEnds ends = messages.ends(message); ends.origin != ends.target)
            if (!targets.insert(*ends.target).second)
                return true;
    return false;
}

}  // namespace

Cells cells_of(const Film& film)
{
    const Topology& topology = film.recording.topology.whole();  // cells keep their places where a node is missing
    const bool by_origin = several_for_one(film.messages);
    const std::uint32_t count =
        std::clamp<std::uint32_t>(by_origin ? topology.nodes() : film.parts.count(), 1, most_cells);
    auto columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    if (by_origin && count == topology.nodes()) {
        if (topology.is_hypercube())
            columns = 1U << (topology.dimension() + 1) / 2;  // the low half of the bits
        else if (topology.dimension() == 2)
            columns = topology.factor(1).nodes();
    }
    return {columns, (count + columns - 1) / columns, count, by_origin && count == topology.nodes()};
}

}  // namespace dcube::view
