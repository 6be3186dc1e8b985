#include "tests/support/random_program.hpp"

#include "tests/support/random_draw.hpp"
#include "tests/support/random_machine.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace test_support {

using namespace dcube;

namespace {

using Kind = Call::Kind;

constexpr std::size_t memory_bytes = 1024;

class Maker {
public:
    explicit Maker(std::uint64_t seed)
        : draw_(seed), made_{.topology = random_network(draw_)}, used_(made_.topology.nodes(), filled_bytes),
          at_(made_.topology.nodes(), 1), arrival_(made_.topology.nodes()), links_(made_.topology.directed_links())
    {
    }

    RandomProgram make()
    {
        made_.memory = memory_bytes;
        made_.nodes.resize(nodes());
        choose_machine(made_, draw_);
        choose_labels(made_, draw_);
        if (draw_.chance(25))
            stream();
        else
            follow_schedule();
        if (draw_.chance(60))
            for (std::size_t i = draw_.below(3) + 1; i > 0; --i)
                spoil(made_, draw_);
        for (Calls& calls : made_.nodes)
            calls = nested(calls, 3, draw_);
        return std::move(made_);
    }

private:
    // A packet that is sent, or will be.
    struct Coming {
        Step received;
        std::size_t bytes;
        bool joined;
    };

    [[nodiscard]] NodeId nodes() const { return made_.topology.nodes(); }
    [[nodiscard]] bool bound() const { return made_.machine.link.bound(); }
    [[nodiscard]] Port ports(NodeId node) const { return made_.topology.ports(node); }

    void follow_schedule();
    void take_part(NodeId node, Step step, bool may_send);
    void go_to(NodeId node, Step step, const std::vector<Port>& receives);
    bool may_send(NodeId node, Port port, Step step);
    void stream();
    void send(NodeId node, Port port, Step received);
    void receive(NodeId node, Port port);
    void work(NodeId node);
    std::size_t some_bytes() { return bound() || draw_.chance(95) ? 1 + draw_.below(24) : 0; }
    Stretch fresh(NodeId node, std::size_t bytes);
    Stretch old(NodeId node, std::size_t bytes) { return {draw_.below(used_[node] - bytes + 1), bytes}; }
    void add(NodeId node, const Call& call) { made_.nodes[node].push_back(call); }
    std::deque<Coming>& link_into(NodeId node, Port port)
    {
        return links_[made_.topology.link(made_.topology.neighbour(node, port),
                                          made_.topology.arrival_port(node, port))];
    }

    Draw draw_;
    RandomProgram made_;
    std::vector<std::size_t> used_;   // by node, of its memory
    std::vector<Step> at_;            // the step in which a node's next call is made
    std::vector<Step> arrival_;       // one port: the last step in which a packet was sent to a node
    std::pair<NodeId, Step> sent_{};  // one port: who sent last, and when
    std::vector<std::deque<Coming>> links_;
};

// A common schedule of sends and receives, step by step, which every node follows on its own.
void Maker::follow_schedule()
{
    const Step steps = static_cast<Step>(1 + draw_.below(14));
    const Step longest_wait = 5;
    for (Step step = 1; step <= steps + longest_wait; ++step)
        for (NodeId node = 0; node < nodes(); ++node)
            take_part(node, step, step <= steps);
    for (NodeId node = 0; node < nodes(); ++node)
        if (draw_.chance(20))
            add(node, {.kind = Kind::until, .word = at_[node] + draw_.below(draw_.chance(20) ? 3000 : 6)});
}

void Maker::take_part(NodeId node, Step step, bool sending)
{
    std::vector<Port> receives;
    for (Port port = 0; port < ports(node); ++port)
        for (const Coming& coming : link_into(node, port))
            if (coming.received == step)
                receives.push_back(port);
    constexpr Port work_only = ~Port{0};
    std::vector<std::pair<Kind, Port>> jobs;
    for (const Port port : receives)
        jobs.emplace_back(Kind::receive_into, port);
    const std::size_t density = 10 + 20 * (step % 4);
    for (Port port = 0; port < ports(node); ++port)
        if (sending && draw_.chance(density) && may_send(node, port, step))
            jobs.emplace_back(Kind::send, port);
    if (draw_.chance(20))
        jobs.emplace_back(Kind::write, work_only);
    if (jobs.empty())
        return;
    draw_.shuffle(jobs);
    go_to(node, step, receives);
    for (const auto& [kind, port] : jobs) {
        if (kind == Kind::send)
            send(node, port,
                 step + 1 + static_cast<Step>(draw_.chance(30) ? draw_.below(made_.machine.channel_capacity + 2) : 0));
        else if (kind == Kind::receive_into)
            receive(node, port);
        else
            work(node);
    }
}

// Steps pass in one of several ways.
void Maker::go_to(NodeId node, Step step, const std::vector<Port>& receives)
{
    Step& at = at_[node];
    const std::size_t way = draw_.below(4);
    if (way == 0 && at < step)
        add(node, {.kind = Kind::next_step}), ++at;
    if (way == 1 && !receives.empty())
        add(node, {.kind = Kind::await_arrival, .port = draw_.one_of(receives)});
    else if (way == 2)
        for (; at < step; ++at)
            add(node, {.kind = Kind::next_step});
    if (at < step)
        add(node, {.kind = Kind::until, .word = step});
    at = step;
}

// Whether a packet can be sent in this step without one too many waiting at its end.
bool Maker::may_send(NodeId node, Port port, Step step)
{
    const std::deque<Coming>& link = links_[made_.topology.link(node, port)];
    const auto left = std::ranges::count_if(link, [&](const Coming& coming) { return coming.received > step; });
    if (static_cast<std::size_t>(left) >= made_.machine.channel_capacity)
        return false;
    if (made_.machine.ports == PortModel::all)
        return true;
    const NodeId receiver = made_.topology.neighbour(node, port);
    if (arrival_[receiver] == step || sent_ == std::pair(node, step))
        return false;
    arrival_[receiver] = step;
    sent_ = {node, step};
    return true;
}

// Programs that wait for room and for packets, and know no steps. In rounds they do not wait for each other for ever;
// in another order they may.
void Maker::stream()
{
    const std::size_t rounds = 1 + draw_.below(5);
    for (std::size_t round = 0; round < rounds; ++round)
        for (NodeId node = 0; node < nodes(); ++node)
            for (Port port = 0; port < ports(node); ++port) {
                if (bound())
                    add(node, {.kind = Kind::await_room, .port = port});
                send(node, port, 0);
                if (made_.machine.ports == PortModel::one || draw_.chance(20))
                    add(node, {.kind = Kind::next_step});
            }
    for (NodeId node = 0; node < nodes(); ++node) {
        const Calls sends = std::exchange(made_.nodes[node], {});
        const std::size_t a_round = std::max<std::size_t>(1, sends.size() / rounds);
        for (std::size_t at = 0; at < sends.size(); at += a_round) {
            const std::size_t end = std::min(at + a_round, sends.size());
            made_.nodes[node].insert(made_.nodes[node].end(), sends.begin() + static_cast<std::ptrdiff_t>(at),
                                     sends.begin() + static_cast<std::ptrdiff_t>(end));
            for (Port port = 0; port < ports(node); ++port) {
                if (link_into(node, port).empty())
                    continue;
                add(node, {.kind = Kind::await_arrival, .port = port});
                receive(node, port);
            }
            if (draw_.chance(30))
                work(node);
        }
    }
    for (NodeId node = 0; node < nodes(); ++node)
        for (Port port = 0; port < ports(node); ++port)
            while (!link_into(node, port).empty()) {
                add(node, {.kind = Kind::await_arrival, .port = port});
                receive(node, port);
            }
}

void Maker::send(NodeId node, Port port, Step received)
{
    std::deque<Coming>& link = links_[made_.topology.link(node, port)];
    if (!link.empty())
        received = std::max(received, link.back().received);
    const std::size_t bytes = some_bytes();
    Call call{.kind = Kind::send, .port = port, .as_received = draw_.chance(60)};
    if (draw_.chance(20)) {
        call.kind = Kind::send_joined;
        const std::size_t first = draw_.below(bytes + 1);
        call.from = old(node, first);
        call.other = old(node, bytes - first);
    } else {
        call.from = old(node, bytes);
        call.word = draw_.chance(30) ? draw_.word() : 0;
    }
    link.push_back({received, bytes, call.kind == Kind::send_joined});
    add(node, call);
}

void Maker::receive(NodeId node, Port port)
{
    std::deque<Coming>& link = link_into(node, port);
    const Coming coming = link.front();
    link.pop_front();
    if (draw_.chance(10))
        add(node, {.kind = Kind::arrived, .port = port});
    if (draw_.chance(10) && !coming.joined)
        add(node, {.kind = Kind::peek, .port = port});
    Call call{.kind = Kind::receive_into, .port = port, .into = fresh(node, coming.bytes)};
    if (coming.joined) {
        if (draw_.chance(50))
            call.kind = Kind::receive_joined;
    } else if (draw_.chance(50)) {
        call.kind = draw_.chance(50) ? Kind::receive_sum : Kind::receive_view;
    }
    call.other = draw_.chance(20) ? call.into : old(node, coming.bytes);
    add(node, call);
}

// Local work, and questions that may be asked at any time.
void Maker::work(NodeId node)
{
    const std::size_t bytes = draw_.below(20);
    switch (draw_.below(7)) {
    case 0: return add(node, {.kind = Kind::write, .into = fresh(node, bytes), .word = draw_.word()});
    case 1: return add(node, {.kind = Kind::copy, .into = fresh(node, bytes), .from = old(node, bytes)});
    case 2:
        return add(
            node, {.kind = Kind::sum, .into = fresh(node, bytes), .from = old(node, bytes), .other = old(node, bytes)});
    case 3: return add(node, {.kind = Kind::allocate, .word = draw_.below(200)});
    case 4: return add(node, {.kind = Kind::until, .word = draw_.below(3)});
    default:
        if (ports(node) > 0)
            add(node, {.kind = bound() && draw_.chance(50) ? Kind::has_room : Kind::arrived,
                       .port = static_cast<Port>(draw_.below(ports(node)))});
    }
}

// Memory that has not been lent; from the beginning again when all has been used.
Stretch Maker::fresh(NodeId node, std::size_t bytes)
{
    if (used_[node] + bytes > memory_bytes)
        used_[node] = filled_bytes;
    const Stretch stretch{used_[node], bytes};
    used_[node] += bytes;
    return stretch;
}

}  // namespace

RandomProgram random_program(std::uint64_t seed)
{
    return Maker(seed).make();
}

}  // namespace test_support
