#include "judge/foreign_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace dcube {

namespace {

class Happening {
public:
    Happening(const std::vector<Deed>& deeds, PortModel ports, const Happens& happens)
        : deeds_(deeds), ports_(ports), happens_(happens), open_(deeds.size()), when_done_(deeds.size()),
          when_begun_(deeds.size()), done_(deeds.size()), order_(deeds.size())
    {
        for (std::uint32_t i = 0; i < deeds.size(); ++i) {
            for (const std::uint32_t before : deeds[i].after)
                when_done_[before].push_back(i);
            for (const std::uint32_t before : deeds[i].after_begin)
                when_begun_[before].push_back(i);
            open_[i] = deeds[i].after.size() + deeds[i].after_begin.size();
            if (open_[i] == 0)
                ready_.push_back(i);
        }
    }

    void operator()()
    {
        for (now_ = 1;; ++now_) {
            settle();
            while (send_all())
                settle();
            const auto arrived = arriving_.find(now_);
            if (arrived != arriving_.end()) {
                for (const std::uint32_t message : arrived->second)
                    arrive(message);
                arriving_.erase(arrived);
            }
            if (ready_.empty() && !skip_to_next())
                break;
        }
        require_done();
    }

private:
    using Link = std::pair<NodeId, std::int64_t>;                          // from, to
    using Address = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // to, from, tag

    struct Lane {
        std::deque<std::uint32_t> waiting{};
        std::uint64_t free = 1;  // from this step on
        std::uint64_t last = 0;  // the step in which the last one began
    };

    void count_down(const std::vector<std::uint32_t>& deeds)
    {
        for (const std::uint32_t one : deeds)
            if (--open_[one] == 0)
                ready_.push_back(one);
    }

    void begin(std::uint32_t deed) { count_down(when_begun_[deed]); }

    void finish(std::uint32_t deed)
    {
        done_[deed] = true;
        count_down(when_done_[deed]);
    }

    // All that needs no time.
    void settle()
    {
        while (!ready_.empty()) {
            const std::uint32_t deed = ready_.front();
            ready_.pop_front();
            const Deed& one = deeds_[deed];
            if (one.kind == Deed::Kind::send) {
                lanes_[{one.node, one.peer}].waiting.push_back(deed);
                continue;
            }
            begin(deed);
            if (one.kind == Deed::Kind::receive)
                receive(deed);
            else
                happen(deed, 0);
        }
    }

    void happen(std::uint32_t deed, std::uint32_t message)
    {
        happens_(deed, static_cast<Step>(now_), message);
        finish(deed);
    }

    // The sends that can begin now; whether there were any.
    bool send_all()
    {
        bool any = false;
        for (auto& [link, lane] : lanes_)
            while (!lane.waiting.empty() && can_send(lane, deeds_[lane.waiting.front()])) {
                send(lane, lane.waiting.front());
                lane.waiting.pop_front();
                any = true;
            }
        return any;
    }

    [[nodiscard]] bool can_send(const Lane& lane, const Deed& one) const
    {
        if (one.step && *one.step > now_)
            return false;
        if (one.step && lane.last == now_ && *one.step == now_)
            return true;  // in the same packet
        return lane.free <= now_ &&
               (ports_ == PortModel::all || (is_free(sending_, one.node) && is_free(receiving_, one.peer)));
    }

    [[nodiscard]] bool is_free(const std::map<std::int64_t, std::uint64_t>& free_from, std::int64_t node) const
    {
        const auto found = free_from.find(node);
        return found == free_from.end() || found->second <= now_;
    }

    void send(Lane& lane, std::uint32_t deed)
    {
        const Deed& one = deeds_[deed];
        lane.last = now_;
        lane.free = now_ + one.packets;
        if (ports_ == PortModel::one)
            sending_[one.node] = receiving_[one.peer] = lane.free;
        arriving_[lane.free - 1].push_back(deed);
        begin(deed);
        happen(deed, 0);
    }

    void arrive(std::uint32_t message)
    {
        const Deed& one = deeds_[message];
        std::deque<std::uint32_t>* first = nullptr;  // the receivers among whom one has waited longest
        for (const std::int64_t from : {std::int64_t{one.node}, Deed::any})
            for (const std::int64_t tag : {one.tag, Deed::any}) {
                const auto found = posted_.find({one.peer, from, tag});
                if (found != posted_.end() && !found->second.empty() &&
                    (first == nullptr || order_[found->second.front()] < order_[first->front()]))
                    first = &found->second;
            }
        if (first == nullptr) {
            there_[{one.peer, one.node, one.tag}].push_back(message);
            order_[message] = ++counted_;
            return;
        }
        const std::uint32_t receiver = first->front();
        first->pop_front();
        happen(receiver, message);
    }

    void receive(std::uint32_t deed)
    {
        const Deed& one = deeds_[deed];
        std::deque<std::uint32_t>* first = nullptr;
        const auto consider = [&](std::deque<std::uint32_t>& messages) {
            if (!messages.empty() && (first == nullptr || order_[messages.front()] < order_[first->front()]))
                first = &messages;
        };
        if (one.peer != Deed::any && one.tag != Deed::any) {
            if (const auto found = there_.find({one.node, one.peer, one.tag}); found != there_.end())
                consider(found->second);
        } else {
            constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
            for (auto at = there_.lower_bound({one.node, least, least});
                 at != there_.end() && std::get<0>(at->first) == one.node; ++at)
                if ((one.peer == Deed::any || std::get<1>(at->first) == one.peer) &&
                    (one.tag == Deed::any || std::get<2>(at->first) == one.tag))
                    consider(at->second);
        }
        if (first == nullptr) {
            order_[deed] = ++counted_;
            posted_[{one.node, one.peer, one.tag}].push_back(deed);
            return;
        }
        const std::uint32_t message = first->front();
        first->pop_front();
        happen(deed, message);
    }

    // Lets the time pass in which nothing happens; false if nothing will.
    bool skip_to_next()
    {
        std::uint64_t next = std::numeric_limits<std::uint64_t>::max();
        if (!arriving_.empty())
            next = arriving_.begin()->first;
        for (const auto& [link, lane] : lanes_)
            if (!lane.waiting.empty())
                next = std::min(next, std::max<std::uint64_t>(now_ + 1, deeds_[lane.waiting.front()].step.value_or(0)));
        if (next == std::numeric_limits<std::uint64_t>::max())
            return false;
        now_ = std::max(now_, next - 1);
        return true;
    }

    void require_done() const
    {
        for (const auto& [address, messages] : there_)
            if (!messages.empty()) {
                const Deed& one = deeds_[messages.front()];
                throw TraceError(one.line,
                                 fmt::format("node {} sends to node {}, which never receives it", one.node, one.peer));
            }
        for (const auto& [address, receivers] : posted_)
            if (!receivers.empty()) {
                const Deed& one = deeds_[receivers.front()];
                throw TraceError(
                    one.line, fmt::format("node {} waits for ever for what node {} never sends", one.node, one.peer));
            }
        const auto never = std::ranges::find(done_, false);
        if (never != done_.end()) {
            const Deed& one = deeds_[static_cast<std::size_t>(never - done_.begin())];
            throw TraceError(one.line, fmt::format("node {} never comes to this: it waits for itself", one.node));
        }
    }

    const std::vector<Deed>& deeds_;
    PortModel ports_;
    const Happens& happens_;
    std::uint64_t now_ = 0;
    std::vector<std::size_t> open_;  // how much a deed still waits for
    std::vector<std::vector<std::uint32_t>> when_done_;
    std::vector<std::vector<std::uint32_t>> when_begun_;
    std::vector<bool> done_;
    std::deque<std::uint32_t> ready_;
    std::map<Link, Lane> lanes_;
    std::map<std::int64_t, std::uint64_t> sending_;                 // with one port, from when on a node can send again
    std::map<std::int64_t, std::uint64_t> receiving_;               // and receive
    std::map<std::uint64_t, std::vector<std::uint32_t>> arriving_;  // in which step
    std::map<Address, std::deque<std::uint32_t>> there_;            // messages not received yet
    std::map<Address, std::deque<std::uint32_t>> posted_;           // receivers that wait
    std::vector<std::uint64_t> order_;                              // since when those have been there
    std::uint64_t counted_ = 0;
};

}  // namespace

void let_happen(const std::vector<Deed>& deeds, PortModel ports, const Happens& happens)
{
    Happening(deeds, ports, happens)();
}

}  // namespace dcube
