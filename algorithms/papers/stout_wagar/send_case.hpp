#pragma once
// One direction of a send or an exchange: from a source to a target that differ in the dimensions D, n = |D| of d.

#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/routing.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace dcube::detail {

struct SendCase {
    NodeId source;
    NodeId target;
    std::uint64_t message;
    std::size_t bytes;
    unsigned d;

    [[nodiscard]] std::vector<Port> dims() const { return one_positions(source ^ target); }
    [[nodiscard]] std::vector<Port> other_dims() const { return one_positions((source ^ target) ^ (bit(d) - 1)); }
    [[nodiscard]] unsigned distance() const { return static_cast<unsigned>(std::popcount(source ^ target)); }
    [[nodiscard]] Fragments string() const { return {{message, 0, bytes}}; }
};

// A send from root to peer, or for an exchange the first of its two directions.
SendCase send_case(const Topology& topology, const Problem& problem);

// A method of sending in one direction: its packets, their number without writing them down, its time and phases.
// Without a `time` the formula of the head holds for messages of all sizes. Where the closed form does not, `limit` is
// an upper bound, and `walked` the time on the data-driven clock.
struct SendMethod {
    std::function<void(RoutingTable& table, const SendCase& send, const Problem& problem)> write;
    std::function<Cost(const SendCase& send, const Problem& problem)> cost;
    std::function<Exact(const SendCase& send, const Problem& problem, const LinkCosts& costs)> time{};
    std::function<Exact(const SendCase& send, const Problem& problem, const LinkCosts& costs)> limit{};
    std::function<std::optional<Rational>(const SendCase& send, const Problem& problem, const LinkModel& link)>
        walked{};
    std::function<Phases(const SendCase& send, const Problem& problem)> phases;
};

using ChooseGroups = std::size_t (*)(const SendCase& send, const Problem& problem);

// A function of the distance, the bytes, the groups and perhaps the costs, as a member of a method that sends in
// groups.
template <class Function>
auto in_groups(ChooseGroups groups, Function function)
{
    return [groups, function](const SendCase& send, const Problem& problem, const auto&... costs) {
        return function(send.distance(), send.bytes, groups(send, problem), costs...);
    };
}

// Completes a head of a send, and makes the same of an exchange: no link carries packets of both directions, so they
// take the time of one.
std::vector<Entry> send_and_exchange(Entry head, const SendMethod& method);

// The phases of sends, in a cube of n dimensions between source and target (opposite_corner_send.cpp), or in one that
// is parallel to it (arbitrary_send.cpp).
Phases one_path_phases(const std::vector<Port>& dims);
Phases spreading_phases(unsigned n);
// The same for m bytes in groups that follow each other by a stage.
Phases spreading_groups_phases(unsigned n, std::size_t m, std::size_t groups);
// The same out of the cube over each of `detours` dimensions, through the parallel ones and back.
Phases detour_phases(unsigned n, unsigned detours, std::size_t m, std::size_t groups);

}  // namespace dcube::detail
