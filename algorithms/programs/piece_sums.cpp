// Plans a node that keeps sums apart. Every sum that arrives has a place of its own; what is sent is one of them, or is
// made of some when it is sent, and is then there to be sent again.

#include "algorithms/programs/piece_planner.hpp"
#include "collectives/disjoint_sums.hpp"

#include <dcube/contributors.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace dcube::detail {

namespace {

using Kind = PieceAction::Kind;

class SumPlanner : PiecePlanner {
public:
    SumPlanner(const Flow& flow, const MessagePlaces& messages, NodeId self, const Contributors& terms)
        : PiecePlanner(flow, messages, self), terms_(terms)
    {
        for (const Own& share : owned())
            sums_[share.message].push_back(
                {std::make_shared<const Contributors>(self), 0, messages.length(share.message), *own(share.message)});
    }

    NodePlan operator()(const std::vector<PieceEvent>& events)
    {
        for (const PieceEvent& event : events) {
            begin_stage(event.step);
            event.is_send ? send(event) : receive(event);
        }
        bring_home();
        return settled_plan();
    }

private:
    using Nodes = std::shared_ptr<const Contributors>;
    struct Sum {
        Nodes nodes;
        std::uint64_t begin;  // in the message's bytes
        std::uint64_t end;
        Held held;
    };
    using Parts = std::vector<const Sum*>;

    // Calls `work` for the stretches of [begin, end) in which the same sums are held: work(begin, end).
    template <class Work>
    void for_stretches(std::uint64_t message, std::uint64_t begin, std::uint64_t end, const Work& work) const
    {
        std::set<std::uint64_t> cuts{begin, end};
        if (const auto found = sums_.find(message); found != sums_.end())
            for (const Sum& sum : found->second)
                for (const std::uint64_t at : {sum.begin, sum.end})
                    if (begin < at && at < end)
                        cuts.insert(at);
        for (auto at = cuts.begin(); std::next(at) != cuts.end(); ++at)
            work(*at, *std::next(at));
    }

    // The disjoint sums of which one of these bytes can be made, in the order of their first nodes, so that sums of
    // consecutive nodes are joined as they follow each other; none if it cannot be.
    Parts parts_for(std::uint64_t message, std::uint64_t begin, std::uint64_t end, const Contributors& wanted)
    {
        Parts there;
        std::vector<const Contributors*> sets;
        for (const Sum& sum : sums_[message])
            if (sum.begin <= begin && end <= sum.end) {
                there.push_back(&sum);
                sets.push_back(sum.nodes.get());
            }
        Parts parts;
        for (const std::size_t part : partition(wanted, sets).parts)
            parts.push_back(there[part]);
        std::ranges::sort(parts, {}, [](const Sum* sum) { return sum->nodes->ranges().front().first; });
        return parts;
    }

    void add_up(const Parts& parts, std::uint64_t begin, std::uint64_t end, const Held& into, Step free_from)
    {
        for (const Sum* const part : parts) {
            use(part->held, free_from);
            act(part == parts.front() ? Kind::start : Kind::join, 0, begin, end, into, part->held);
        }
    }

    void receive(const PieceEvent& event)
    {
        for (const Flow::Part& part : parts_of(event)) {
            const Held held = new_buffer(part.message, part.begin, part.end, event.step);
            act(Kind::keep, event.port, part.begin, part.end, held, {});
            sums_[part.message].push_back({part.sum_of, part.begin, part.end, held});
        }
    }

    // Bytes that are sent may be read until the end of the next step.
    void send(const PieceEvent& event)
    {
        std::vector<Sum> packet;
        for (const Flow::Part& part : parts_of(event))
            for_stretches(part.message, part.begin, part.end, [&](std::uint64_t begin, std::uint64_t end) {
                packet.push_back({part.sum_of, begin, end, made(event, part, begin, end)});
            });
        for (const Sum& sum : packet) {
            use(sum.held, event.step + 2);
            act(Kind::send, event.port, sum.begin, sum.end, sum.held, sum.held);
        }
    }

    Held made(const PieceEvent& event, const Flow::Part& part, std::uint64_t begin, std::uint64_t end)
    {
        const Parts parts = parts_for(part.message, begin, end, *part.sum_of);
        if (parts.empty())
            throw InvalidArgument(fmt::format("packet {} of the schedule (step {}): node {} cannot make bytes {} to {} "
                                              "of the sum over {} of disjoint sums that it holds",
                                              event.packet, event.step, self(), begin, end - 1,
                                              to_string(*part.sum_of)));
        if (parts.size() == 1)
            return parts.front()->held;
        const Held sum = new_buffer(part.message, begin, end, event.step);
        add_up(parts, begin, end, sum, event.step + 1);
        sums_[part.message].push_back({part.sum_of, begin, end, sum});
        return sum;
    }

    // The sums that are wanted here.
    void bring_home()
    {
        if (no_stages())
            begin_stage(1);
        for (const Own& share : owned())
            if (auto wanted = home(share.message))
                for_stretches(share.message, 0, messages().length(share.message),
                              [&](std::uint64_t begin, std::uint64_t end) {
                                  const Parts parts = parts_for(share.message, begin, end, terms_);
                                  wanted->since = new_time();
                                  add_up(parts, begin, end, *wanted, for_good);
                              });
    }

    const Contributors& terms_;                       // the nodes whose shares are in the sum that is wanted here
    std::map<std::uint64_t, std::vector<Sum>> sums_;  // by message
};

}  // namespace

NodePlan plan_of_sums(const Flow& flow, const MessagePlaces& messages, NodeId self, const Contributors& terms,
                      const std::vector<PieceEvent>& events)
{
    return SumPlanner(flow, messages, self, terms)(events);
}

}  // namespace dcube::detail
