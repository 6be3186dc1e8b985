// The walk through a stream: what the programs of programs/stream.cpp do to times, seen from root 0.

#include "algorithms/programs/walked_time.hpp"

#include "algorithms/programs/cube.hpp"
#include "base/planning.hpp"

#include <algorithm>
#include <limits>
#include <memory>

namespace dcube::detail {

namespace {

class StreamWalk {
public:
    StreamWalk(const Stream& stream, const Topology& topology, const Problem& problem)
        : stream_(stream), d_(topology.dimension()), nodes_(topology.nodes()), packets_(stream.cut.packets()),
          reduces_(problem.collective == Collective::reduce), links_(problem.link, std::size_t{nodes_} * d_, nodes_)
    {
    }

    std::optional<Rational> operator()()
    {
        // A question to a pipeline takes a fraction of what a packet takes.
        if (std::uint64_t{nodes_} * d_ * stream_.steps > 4 * most_walked ||
            std::uint64_t{nodes_} * packets_ > 2 * most_walked)
            return std::nullopt;
        for (NodeId label = 0; label < nodes_; ++label)
            pipelines_.push_back(stream_.make(d_, label));
        since_.assign(std::size_t{nodes_} * packets_, reduces_ ? 0 : never);
        if (!reduces_)
            std::fill_n(since_.begin(), packets_, 0);
        for (Step done = 0; done < stream_.steps; ++done) {
            planning("virtual time", static_cast<double>(done) / stream_.steps);
            walk(reduces_ ? stream_.steps - done : done + 1);
        }
        return links_.finish_in_ns();
    }

private:
    static constexpr Time never = std::numeric_limits<Time>::max();

    struct Arrived {
        std::size_t place;
        Time time;
    };

    [[nodiscard]] std::size_t place(NodeId node, std::uint32_t packet) const
    {
        return std::size_t{node} * packets_ + packet;
    }

    void walk(Step step)
    {
        arrived_.clear();
        for (NodeId node = 0; node < nodes_; ++node)
            for (Port port = 0; port < d_; ++port) {
                const auto packet =
                    reduces_ ? pipelines_[node]->arrival(port, step) : pipelines_[node]->departure(port, step);
                const std::size_t length = packet ? stream_.cut(*packet).length : 0;
                if (length == 0)
                    continue;
                const NodeId to = node ^ bit(port);
                const Time end =
                    links_.depart(std::size_t{node} * d_ + port, length, since_[place(node, *packet)], node, to);
                arrived_.push_back({place(to, *packet), end});
            }
        links_.end_step();
        // The earlier of two copies counts, and the later of two terms of a sum.
        for (const Arrived& packet : arrived_) {
            Time& since = since_[packet.place];
            since = reduces_ ? std::max(since, packet.time) : std::min(since, packet.time);
        }
    }

    const Stream& stream_;
    unsigned d_;
    NodeId nodes_;
    std::uint32_t packets_;
    bool reduces_;
    WalkedLinks links_;
    std::vector<std::unique_ptr<Pipeline>> pipelines_;
    std::vector<Time> since_;       // by packet and node
    std::vector<Arrived> arrived_;  // in this step
};

}  // namespace

std::optional<Rational> walked_time(const Stream& stream, const Topology& topology, const Problem& problem)
{
    return StreamWalk(stream, topology, problem)();
}

}  // namespace dcube::detail
