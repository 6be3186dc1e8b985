#pragma once
// Scripts: what a node sends and receives, step by step, as a list that it hands to the machine. dcube's own programs
// do, and schedules are compiled to such lists.

#include <dcube/elements.hpp>
#include <dcube/graph.hpp>
#include <dcube/node.hpp>

#include <array>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace dcube {

namespace detail {
class ArrivalTimes;
}

/// A script says what is sent and received; regions say where its packets lie in a node's memory. Many nodes can follow
/// one script, each in its own regions, and the machine serves those that are at the same place of it side by side.
struct Script {
    /// The place of a packet: one of a node's regions. Blocks are numbered by node.
    enum class Place : std::uint8_t { input, input_block, output, output_block, slot };

    struct Action {
        enum class Kind : std::uint8_t {
            send,
            keep,       ///< receive and store
            begin_sum,  ///< receive, add to the node's own share, store
            add,        ///< receive and add to what is stored
        };

        NodeId block;         ///< as node 0 would name it; each node's regions translate it
        std::uint32_t index;  ///< the packet's, in its block, or in place `slot`
        std::uint32_t own;    ///< begin_sum: the index of the node's own share, which is an input block
        std::uint16_t port;
        Kind kind;
        Place place : 7 = Place::input;
        bool from_input : 1;  ///< keep: it lies in its sender's input (a hint: that memory is fetched ahead)
    };
    static_assert(sizeof(Action) == 16);

    /// The actions of one step: receives first, then sends. They end where the next stage's begin.
    struct Stage {
        Step step;  ///< 1, 2, ...; ascending
        std::uint32_t first;
    };

    std::span<const Stage> stages;
    std::span<const Action> actions;

    [[nodiscard]] std::span<const Action> actions_of(std::size_t stage) const
    {
        const std::size_t end = stage + 1 < stages.size() ? stages[stage + 1].first : stages[0].first + actions.size();
        return actions.subspan(stages[stage].first - stages[0].first, end - stages[stage].first);
    }
};

/// A packet of a script lies at base + block * block_stride + index * index_stride. Beyond `size` there is none: it is
/// neither sent nor received. None lies across the end, and a sum that is begun has its node's own share: a script for
/// which that is not so is not followed.
struct Region {
    std::byte* base = nullptr;
    std::size_t size = 0;
    std::size_t block_stride = 0;
    std::size_t index_stride = 0;
};

/// The places of one node's packets.
struct Regions {
    std::array<Region, 5> regions{};        ///< by Script::Place; received packets go to output, output_block or slot
    std::size_t bytes = 0;                  ///< per packet
    NodeId origin = 0;                      ///< blocks are translated by it (Topology::translate)
    Combine combine = nullptr;              ///< for scripts that add
    detail::ArrivalTimes* since = nullptr;  ///< for dcube's own programs: since when packets are usable

    [[nodiscard]] Region& operator[](Script::Place place) { return regions[static_cast<std::size_t>(place)]; }
    [[nodiscard]] const Region& operator[](Script::Place place) const
    {
        return regions[static_cast<std::size_t>(place)];
    }
};

namespace detail {

// The awaitable that follow() returns.
struct [[nodiscard]] Follow {
    Node* node;
    Script script;
    const Regions* regions;
    Step first;
    Step before = 0;  // the script's step 1, once it is awaited

    [[nodiscard]] bool await_ready();
    void await_suspend(std::coroutine_handle<> task) const noexcept;
    static void await_resume() noexcept {}
};
static_assert(std::is_trivially_destructible_v<Follow>);

}  // namespace detail

/// `co_await follow(me, script, regions);` lets the machine post this node's receives and sends, as the script says;
/// the node goes on in the step of its last stage. Step 1 of the script is step `first` of the run, by default the
/// running one. Script and regions are lent until then. Throws InvalidArgument, when it is awaited, if that is too
/// late, or later than a run can be. A script that cannot be followed in these regions (Script, Region) ends the
/// run in the same way before any of it is done, whatever the program does with exceptions.
inline detail::Follow follow(Node& me, const Script& script, const Regions& regions, Step first = 0)
{
    return {&me, script, &regions, first};
}

}  // namespace dcube
