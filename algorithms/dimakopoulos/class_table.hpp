#pragma once
// Which class of packets moves when in an exchange in rounds (rounds.hpp).

#include "algorithms/dimakopoulos/rounds.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace dcube::detail {

// Classes are numbered from 0 on, by their offsets in all groups; the last group's offsets change fastest.
class ClassTable {
public:
    // What `rounds` says of all classes.
    ClassTable(std::span<const FactorGroup> groups, const ExchangeRounds& rounds);

    [[nodiscard]] NodeId offset(NodeId number, std::size_t group) const { return offsets_[index(number, group)]; }
    // In which the class moves in a group where its offset is not 0.
    [[nodiscard]] NodeId round(NodeId number, std::size_t group) const { return rounds_[index(number, group)]; }
    // The class that moves by this offset in a round of a group.
    [[nodiscard]] NodeId class_at(std::size_t group, NodeId round, NodeId offset) const
    {
        return class_at_[group][round * nodes_[group] + offset];
    }

private:
    [[nodiscard]] std::size_t index(NodeId number, std::size_t group) const { return number * nodes_.size() + group; }
    void number_offsets(NodeId classes);

    std::vector<NodeId> nodes_;                  // of every group
    std::vector<NodeId> offsets_;                // by class and group
    std::vector<NodeId> rounds_;                 // by class and group
    std::vector<std::vector<NodeId>> class_at_;  // by group: by round and offset
};

}  // namespace dcube::detail
