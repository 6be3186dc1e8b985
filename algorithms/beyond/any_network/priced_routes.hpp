#pragma once
// Routes for packets that have a sender and a receiver each, such that nothing has much more to carry than it must.

#include "collectives/graphs/arcs.hpp"
#include "collectives/graphs/prices.hpp"

#include <dcube/link.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// The resources that a packet's route uses: arcs, or with one port sending nodes, then receiving nodes.
class RouteLoad {
public:
    RouteLoad(const Arcs& arcs, PortModel ports);

    void add(std::span<const ArcId> route);
    void take(std::span<const ArcId> route);
    [[nodiscard]] std::uint32_t top() const;
    [[nodiscard]] const std::vector<std::uint32_t>& of_all() const { return load_; }

private:
    template <class Change>
    void change(std::span<const ArcId> route, const Change& by);

    const Arcs* arcs_;
    PortModel ports_;
    std::vector<std::uint32_t> load_;
};

struct Route {
    std::uint32_t message;  // the packet's
    std::vector<ArcId> arcs;
};

struct Routes {
    std::uint32_t top = 0;  // the largest load: no schedule of them takes fewer steps
    std::vector<Route> routes{};
};

// A route for every packet of every message, by message. Stops at a top load of `bound`. A hop over an unused link or
// node costs `hop_cost` thousandths of a hop over one with the top load: the larger it is, the fewer the detours, and
// the larger the loads.
Routes priced_routes(const Arcs& arcs, PortModel ports, std::span<const Message> messages, std::uint64_t bound,
                     std::uint64_t hop_cost = 1);

// The approximate number of elementary operations on such a network, for this many packets.
std::uint64_t priced_routes_work(NodeId nodes, std::uint64_t arcs, std::uint64_t packets);

// The same on shortest paths only. Every packet is routed by itself, which costs less than a search of the whole
// network, so many packets get more even loads than by priced_routes().
Routes shortest_priced_routes(const Arcs& arcs, PortModel ports, std::span<const Message> messages,
                              std::uint64_t bound);
std::uint64_t shortest_priced_routes_work(NodeId nodes, std::uint64_t arcs, std::uint64_t packets, std::uint64_t hops);
// Whether priced_routes() would have to route packets of a node together.
bool are_many_packets(NodeId nodes, std::uint64_t arcs, std::uint64_t packets);

}  // namespace dcube::detail
