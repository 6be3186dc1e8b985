#include "algorithms/dimakopoulos/class_table.hpp"

namespace dcube::detail {

ClassTable::ClassTable(std::span<const FactorGroup> groups, const ExchangeRounds& rounds)
{
    NodeId classes = 1;
    for (const FactorGroup& group : groups) {
        nodes_.push_back(group.topology.nodes());
        classes *= nodes_.back();
    }
    number_offsets(classes);
    rounds_.resize(offsets_.size());
    class_at_.assign(groups.size(), std::vector<NodeId>(classes));
    for (NodeId number = 0; number < classes; ++number) {
        const std::span<const NodeId> offsets = std::span(offsets_).subspan(index(number, 0), groups.size());
        for (std::size_t group = 0; group < groups.size(); ++group) {
            if (offsets[group] == 0)
                continue;
            const NodeId round = rounds.round_of(group, offsets);
            rounds_[index(number, group)] = round;
            class_at_[group][round * nodes_[group] + offsets[group]] = number;
        }
    }
}

void ClassTable::number_offsets(NodeId classes)
{
    offsets_.resize(std::size_t{classes} * nodes_.size());
    for (NodeId number = 0; number < classes; ++number) {
        NodeId rest = number;
        for (std::size_t group = nodes_.size(); group-- > 0; rest /= nodes_[group])
            offsets_[index(number, group)] = rest % nodes_[group];
    }
}

}  // namespace dcube::detail
