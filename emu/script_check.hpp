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
    static constexpr std::size_t kinds = 4;
    static constexpr std::size_t places = 5;

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
    std::array<std::array<std::uint64_t, places>, kinds> ends_{};
    std::uint64_t end_of_own_ = 0;
    bool own_as_index_ = true;   // all that begin sums have the index of the packet
    bool node_by_node_ = false;  // sizes and strides do not say whether all packets lie within their regions
    Port ports_ = 0;
};

}  // namespace dcube::detail
