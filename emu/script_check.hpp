#pragma once
// ScriptCheck: whether a script can be followed with regions of one shape. Asked when nodes begin to follow it, once
// for all of a chunk that do so together, so that the loops (tile_loops.cpp) may rely on it: nothing is asked of a hop.

#include <dcube/node.hpp>
#include <dcube/script.hpp>

#include <array>
#include <cstdint>

namespace dcube::detail {

class ScriptCheck {
public:
    // Looks at the lists once, and at sizes and strides; of these regions' addresses and origin nothing is asked.
    // Throws InvalidArgument.
    ScriptCheck(const Script& script, const Regions& shape, const Topology& topology);

    // The same for one of the nodes: its own memory and origin. Throws InvalidArgument.
    void require(const Regions& regions) const;

    // More than all that the script uses.
    [[nodiscard]] Port ports() const { return ports_; }

private:
    // What the actions ask of a region.
    struct Use {
        bool any = false;
        bool of_sums = false;    // that begin here
        std::uint32_t last = 0;  // index
    };

    void check_stages() const;
    void look_at(const Script::Action& action);
    void check_regions();
    [[nodiscard]] bool lies_whole(const Region& region, std::uint32_t last_index) const;
    [[nodiscard]] bool own_shares_are_there() const;
    void require_packet(const Script::Action& action, const Regions& regions) const;

    const Script& script_;
    const Regions& shape_;
    const Topology& topology_;
    std::array<Use, 5> uses_{};  // by place
    std::uint32_t last_own_ = 0;
    bool own_as_index_ = true;   // all that begin sums have the index of the packet
    bool node_by_node_ = false;  // sizes and strides do not say whether all packets lie within their regions
    Port ports_ = 0;
};

}  // namespace dcube::detail
