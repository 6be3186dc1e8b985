#pragma once
// ScriptCheck: whether a script can be followed with regions of one shape. Asked when nodes begin to follow it, once
// for all that do so together, so that the loops (tile_loops.cpp) may rely on it: nothing is asked of a hop.

#include "base/threads.hpp"
#include "emu/script.hpp"

#include <dcube/node.hpp>

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

namespace dcube::detail {

// The addresses of a script's lists. Two scripts that are followed at the same time are one if these are the same.
inline auto place_of(const Script& script)
{
    return std::tuple(script.stages.data(), script.stages.size(), script.actions.data(), script.actions.size());
}

inline bool same_shape(const Region& a, const Region& b)
{
    return a.size == b.size && a.block_stride == b.block_stride && a.index_stride == b.index_stride;
}

// Nodes that may share a tile, and a check, have the same key. Renamed nodes (RenamedNode) have another topology.
inline auto key_of(const Follow& follow)
{
    const auto shape = [](const Region& region) {
        return std::tuple(region.size, region.block_stride, region.index_stride);
    };
    const Regions& in = *follow.regions;
    return std::tuple(follow.before, &follow.node->topology(), place_of(follow.script), in.bytes,
                      reinterpret_cast<std::uintptr_t>(in.combine), shape(in.regions[0]), shape(in.regions[1]),
                      shape(in.regions[2]), shape(in.regions[3]), shape(in.regions[4]));
}

// Whether they have the same key, without making it.
inline bool are_alike(const Follow& a, const Follow& b)
{
    const Regions& in_a = *a.regions;
    const Regions& in_b = *b.regions;
    bool alike = a.before == b.before && a.script.stages.data() == b.script.stages.data() &&
                 a.script.stages.size() == b.script.stages.size() &&
                 a.script.actions.data() == b.script.actions.data() &&
                 a.script.actions.size() == b.script.actions.size() && in_a.bytes == in_b.bytes &&
                 in_a.combine == in_b.combine && &a.node->topology() == &b.node->topology();
    for (std::size_t i = 0; i < in_a.regions.size(); ++i)
        alike = alike && same_shape(in_a.regions[i], in_b.regions[i]);
    return alike;
}

class ScriptCheck {
public:
    // Looks at the lists once, and at sizes and strides. It does not look at the regions' addresses or origin. Throws
    // InvalidArgument.
    ScriptCheck(const Script& script, const Regions& shape, const Topology& topology);

    // The same for one of the nodes: its own memory and origin. Throws InvalidArgument.
    void require(const Regions& regions) const;

    // Checks the ports, for machines without rules. Elsewhere a missing port breaks a rule when it is used.
    void require_ports(const Node& node) const;

private:
    static constexpr std::size_t kinds = 4;
    static constexpr std::size_t places = 5;
    static constexpr std::size_t room_of_places = 8;
    using Ends = std::array<std::array<std::uint64_t, room_of_places>, kinds>;

    void check_stages() const;
    void look_at_actions();
    void require_sound(const Script::Action& action) const;
    void check_regions();
    // One behind the last index of all packets there, of a kind of action or of all; 0: there are none.
    [[nodiscard]] std::uint64_t end_of(std::size_t place, Script::Action::Kind kind) const
    {
        return ends_[static_cast<std::size_t>(kind)][place];
    }
    [[nodiscard]] std::uint64_t end_of(std::size_t place) const;
    [[nodiscard]] bool any(Script::Action::Kind kind) const;
    [[nodiscard]] bool lies_whole(const Region& region, std::uint64_t end) const;
    [[nodiscard]] bool own_shares_are_there() const;
    void require_packet(const Script::Action& action, const Regions& regions) const;

    const Script& script_;
    const Regions& shape_;
    const Topology& topology_;
    Ends ends_{};
    std::uint64_t end_of_own_ = 0;
    bool own_as_index_ = true;   // all that begin sums have the index of the packet
    bool node_by_node_ = false;  // sizes and strides do not say whether all packets lie within their regions
};

// The checks of scripts that nodes of several chunks follow. One holds until the first node that followed the script
// has come to its end: till then its lists and regions are lent, and so what stands there is what was checked.
class CheckedScripts {
public:
    // Throws InvalidArgument as ScriptCheck does.
    ScriptCheck of(const Follow& follow, Step now);
    void clear() { checked_.clear(); }

private:
    static constexpr std::size_t most = 8;  // many scripts are not followed by many nodes each

    struct Checked {
        const Follow* by;
        Step end;
        ScriptCheck check;
    };

    Mutex mutex_;
    std::vector<Checked> checked_;
};

}  // namespace dcube::detail
