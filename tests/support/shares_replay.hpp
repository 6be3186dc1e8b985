#pragma once
// The contributors of the sums in a trace whose nodes always send all that they hold, byte by byte.

#include <dcube/trace.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace test_support {

/// Sets of at most 64 nodes, as bits.
class SharesReplay {
public:
    /// The contributors of every byte of a piece. Transmissions come in the order of their steps.
    std::vector<std::uint64_t> carry(dcube::Step step, dcube::NodeId from, dcube::NodeId to, const dcube::Piece& piece)
    {
        if (std::exchange(step_, step) != step) {
            for (const auto& [place, nodes] : arrived_)
                at(place) |= nodes;
            arrived_.clear();
        }
        std::vector<std::uint64_t> sets;
        for (std::uint64_t byte = piece.offset; byte < piece.offset + piece.length; ++byte) {
            sets.push_back(at({from, piece.target, byte}));
            arrived_.emplace_back(Place{to, piece.target, byte}, sets.back());
        }
        return sets;
    }

private:
    using Place = std::tuple<dcube::NodeId, std::optional<dcube::NodeId>, std::uint64_t>;

    std::uint64_t& at(const Place& place)
    {
        return held_.try_emplace(place, std::uint64_t{1} << std::get<dcube::NodeId>(place)).first->second;
    }

    dcube::Step step_ = 0;
    std::map<Place, std::uint64_t> held_;
    std::vector<std::pair<Place, std::uint64_t>> arrived_;  // in this step
};

inline std::uint64_t bits_of(const dcube::Contributors& nodes)
{
    std::uint64_t bits = 0;
    for (dcube::NodeId node = 0; node < 64; ++node)
        bits |= std::uint64_t{nodes.contains(node)} << node;
    return bits;
}

inline std::shared_ptr<const dcube::Contributors> nodes_of(std::uint64_t bits)
{
    std::vector<dcube::NodeId> ids;
    for (dcube::NodeId node = 0; node < 64; ++node)
        if ((bits >> node & 1) != 0)
            ids.push_back(node);
    return std::make_shared<const dcube::Contributors>(dcube::Contributors::of(ids));
}

}  // namespace test_support
