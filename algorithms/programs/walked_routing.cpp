// The walk through a routing: what Holdings (programs/routing_program.cpp) does to times, and nothing else of it.

#include "algorithms/programs/walked_time.hpp"

#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/held_stretches.hpp"
#include "base/planning.hpp"
#include "base/sizes.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace dcube::detail {

namespace {

// Since when the stretches of messages that a node holds are usable.
class HeldTimes {
public:
    void hold(std::uint64_t message, std::size_t length)
    {
        if (length != 0)
            held_.hold({message, 0}, {length, 0});
    }

    // Since when all of the fragment is; what is given away is no longer held.
    Time collect(const Fragment& fragment, bool giving)
    {
        Time usable = 0;
        const auto collect_one = [&](const auto&, const Held& held) { usable = std::max(usable, held.usable); };
        if (giving)
            held_.give_away(fragment, collect_one);
        else
            held_.for_each(fragment, collect_one);
        return usable;
    }

    // Bytes that are held already keep the earlier time.
    void keep(const Fragment& fragment, Time usable)
    {
        held_.fill(
            fragment, [&](const auto&, Held& held) { held.usable = std::min(held.usable, usable); },
            [&](const Fragment& part) {
                return Held{part.length, usable};
            });
    }

    // A sum is as usable as the last of its terms.
    void add(const Fragment& fragment, Time usable)
    {
        held_.for_each(fragment, [&](const auto&, Held& held) { held.usable = std::max(held.usable, usable); });
    }

private:
    struct Held {
        std::size_t length;
        Time usable;

        void drop(std::size_t bytes) { length -= bytes; }
    };

    HeldStretches<Held> held_;
};

class RoutingWalk {
public:
    RoutingWalk(const Routing& routing, const MessagePlaces& messages, Acting acting, const Topology& topology,
                const Problem& problem)
        : routing_(routing), leaves_once_(messages.leaves_once()), alike_(acting == Acting::alike), topology_(topology),
          walkers_(alike_ ? 1 : topology.nodes()), held_(walkers_), passing_(walkers_),
          links_(alike_ ? WalkedLinks(problem.link, topology.ports(0), 1) : WalkedLinks(problem.link, topology))
    {
        for (NodeId node = 0; node < walkers_; ++node) {
            if (problem.collective == Collective::all_reduce)
                held_[node].hold(0, message_bytes(problem));
            else
                for (const Own& own : messages.own(node))
                    held_[node].hold(own.message, own.length);
        }
    }

    std::optional<Rational> operator()()
    {
        for (Step stage = 0; stage < routing_.stages; ++stage) {
            planning("virtual time", static_cast<double>(stage) / routing_.stages);
            sent_.clear();
            for (NodeId node = 0; node < walkers_; ++node)
                if (!send(stage, node))
                    return std::nullopt;
            links_.end_step();
            for (const Sent& packet : sent_)
                receive(stage, packet);
        }
        return links_.finish_in_ns();
    }

private:
    struct Sent {
        NodeId from;
        Port port;
        Time end;
        Fragments fragments;
    };

    // False if it is too much work.
    bool send(Step stage, NodeId node)
    {
        const bool giving = leaves_once_ || stage < routing_.giving_stages;
        for (Port port = 0; port < topology_.ports(node); ++port) {
            Fragments fragments;
            routing_.packet(stage, node, port, fragments);
            if (fragments.empty())
                continue;
            walked_ += fragments.size();
            if (walked_ > most_walked)
                return false;
            Time usable = 0;
            if (topology_.is_switch(node))
                usable = passing_[node].at(routing_.came(stage, node, port));
            else
                for (const Fragment& fragment : fragments)
                    usable = std::max(usable, held_[node].collect(fragment, giving));
            const NodeId to = alike_ ? 0 : topology_.neighbour(node, port);
            const Time end = links_.depart(as_size(topology_.link(node, port)), length(fragments), usable, node, to);
            sent_.push_back({node, port, end, std::move(fragments)});
        }
        return true;
    }

    void receive(Step stage, const Sent& packet)
    {
        const NodeId to = topology_.neighbour(packet.from, packet.port);
        if (topology_.is_switch(to))
            passing_[to][{stage, topology_.arrival_port(packet.from, packet.port)}] = packet.end;
        else if (!alike_)
            receive(stage, to, packet.fragments, packet.end);
        else
            receive_alike(stage, packet);
    }

    // The packet that comes to node 0 is the one that its neighbour sends over the same port as node 0.
    void receive_alike(Step stage, const Sent& packet)
    {
        Fragments fragments;
        for (Port port = 0; port < topology_.ports(0); ++port)
            if (topology_.arrival_port(0, port) == packet.port)
                routing_.packet(stage, topology_.neighbour(0, port), packet.port, fragments);
        receive(stage, 0, fragments, packet.end);
    }

    void receive(Step stage, NodeId node, const Fragments& fragments, Time end)
    {
        for (const Fragment& fragment : fragments)
            if (stage < routing_.adding_stages)
                held_[node].add(fragment, end);
            else
                held_[node].keep(fragment, end);
    }

    const Routing& routing_;
    bool leaves_once_;
    bool alike_;
    const Topology& topology_;
    NodeId walkers_;
    std::vector<HeldTimes> held_;
    std::vector<std::map<CameIn, Time>> passing_;  // by switch: since when what has come to it is usable
    WalkedLinks links_;
    std::vector<Sent> sent_;  // in this stage
    std::uint64_t walked_ = 0;
};

}  // namespace

std::optional<Rational> walked_time(const Routing& routing, const MessagePlaces& messages, Acting acting,
                                    const Topology& topology, const Problem& problem)
{
    return RoutingWalk(routing, messages, acting, topology, problem)();
}

}  // namespace dcube::detail
