// One port, messages joined: the textbook's algorithms for t_s + t_w m on rings, tori and hypercubes (Grama, Gupta,
// Karypis & Kumar, Introduction to Parallel Computing, 2nd edition 2003, chapter 4, with t_s = beta and t_w = tau), by
// one method: all rings of one factor at the same time, the factors in turn. A ring of two nodes is a dimension of a
// hypercube, so there this is recursive doubling. A packet of s bytes takes P(s) = tau s + beta. Of factor i with n
// nodes, B messages stand behind one another in a block, the product of the factors after it:
//
//   broadcast, reduce            ceil(n/2) P(m)
//   scatter, gather              (n-1) P(B m)
//   all-gather, reduce-scatter   (n-1) P(B m)
//   all-to-all                   P((n-1) m N/n) + .. + P(m N/n)     rings-in-turn: always the same way round
//                                the same up to floor(n/2), then up to floor((n-1)/2): both-ways-in-turn
//
// and the sum over all factors. Broadcast and all-reduce by shares-in-turn are two of these, on a share per node. The
// textbook's broadcasts and scatters on rings and tori go over several links at once without being received between
// (cut-through), which no machine here does; where packets are stored and forwarded, these are its times (Kumar, Grama,
// Gupta & Karypis 1994, chapter 3).
//
// Half duplex: in a tree a node never sends in the step in which it receives. Where all nodes send in every step, every
// second node sends first, and on a ring of odd length the last node after them. Planning: none.

#include "algorithms/families.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/phases.hpp"
#include "base/arithmetic.hpp"
#include "collectives/coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// ---- Methods: what is done on all rings of a factor ----

enum class WayRound : std::uint8_t { up, down };

// The nodes of a ring that are nearest to a node going up, and going down.
NodeId nodes_up(NodeId nodes)
{
    return nodes / 2;
}

NodeId nodes_down(NodeId nodes)
{
    return (nodes - 1) / 2;
}

// A node that may send in a step of a factor's turn.
struct RingSender {
    unsigned factor;
    Step step;  // 0, 1, ..
    NodeId node;
    WayRound way;
};

// The part of all data that is called after a node.
using PartOf = std::function<Fragment(NodeId node)>;
using SendOnRings = std::function<void(const RingSender& sender, Fragments& fragments)>;

struct RingMethod {
    Direction factors;     // the first to the last, or the other way round
    bool all_send = true;  // all nodes send in every step, else only who has received
    Step (*steps)(NodeId nodes);
    // The parts in a packet of that step, and all packets of the turn.
    std::uint64_t (*parts)(const Topology& topology, unsigned factor, Step step);
    std::uint64_t (*packets)(const Topology& topology, unsigned factor);
    SendOnRings (*sending)(const Topology& topology, const Problem& problem, PartOf part);
};

Step steps_to_others(NodeId nodes)
{
    return nodes - 1;
}

// The first of the nodes that agree with `node` before digit `factor`, and have this digit there; all that follow, as
// many as the factor's stride, do.
NodeId block_at(const Topology& topology, NodeId node, unsigned factor, NodeId digit)
{
    const NodeId stride = topology.stride(factor);
    const NodeId nodes = topology.factor(factor).nodes();
    return node / (stride * nodes) * (stride * nodes) + digit % nodes * stride;
}

void append_block(const Topology& topology, const RingSender& sender, NodeId digit, const PartOf& part,
                  Fragments& fragments)
{
    const NodeId first = block_at(topology, sender.node, sender.factor, digit);
    for (NodeId node = first; node < first + topology.stride(sender.factor); ++node)
        append(fragments, part(node));
}

// Broadcast: the first node of a ring that holds the message sends it up, then down.
SendOnRings spread_on_rings(const Topology& topology, const Problem& problem, PartOf part)
{
    return [=, root = problem.root](const RingSender& sender, Fragments& fragments) {
        const NodeId nodes = topology.factor(sender.factor).nodes();
        const NodeId stride = topology.stride(sender.factor);
        const NodeId up =
            (topology.digit(sender.node, sender.factor) + nodes - topology.digit(root, sender.factor)) % nodes;
        const NodeId down = (nodes - up) % nodes;
        const bool sends = sender.way == WayRound::up ? up < nodes_up(nodes) && sender.step == up
                                                      : down < nodes_down(nodes) && sender.step == down + 1;
        if (sends && sender.node % stride == root % stride)
            append(fragments, part(root));
    };
}

// Scatter: the parts for the farthest nodes leave first, one up, one down.
SendOnRings scatter_on_rings(const Topology& topology, const Problem& problem, PartOf part)
{
    return [=, root = problem.root](const RingSender& sender, Fragments& fragments) {
        const NodeId nodes = topology.factor(sender.factor).nodes();
        const NodeId stride = topology.stride(sender.factor);
        const NodeId origin = topology.digit(root, sender.factor);
        const NodeId up = (topology.digit(sender.node, sender.factor) + nodes - origin) % nodes;
        const bool upwards = sender.way == WayRound::up;
        const NodeId here = upwards ? up : (nodes - up) % nodes;
        const NodeId farthest = upwards ? nodes_up(nodes) : nodes_down(nodes);
        if (sender.step < here || sender.node % stride != root % stride)
            return;
        const Step left = sender.step - here;  // the origin, in that step
        if (left % 2 != (upwards ? 0 : 1) || left / 2 + here >= farthest)
            return;
        const NodeId distance = farthest - left / 2;
        append_block(topology, sender, origin + (upwards ? distance : nodes - distance), part, fragments);
    };
}

// All-gather: every node passes on up what it received last, at first what it has itself.
SendOnRings gather_on_rings(const Topology& topology, const Problem&, PartOf part)
{
    return [=](const RingSender& sender, Fragments& fragments) {
        const NodeId nodes = topology.factor(sender.factor).nodes();
        if (sender.way == WayRound::up)
            append_block(topology, sender, topology.digit(sender.node, sender.factor) + nodes - sender.step, part,
                         fragments);
    };
}

// Exchange: every node passes on what it received last but for what has come to its node, at first all that it has for
// others; `farthest` that way.
void exchange_on_rings(const Topology& topology, const Problem& problem, const RingSender& sender, NodeId farthest,
                       Fragments& fragments)
{
    const NodeId nodes = topology.factor(sender.factor).nodes();
    const NodeId stride = topology.stride(sender.factor);
    const NodeId digit = topology.digit(sender.node, sender.factor);
    const bool upwards = sender.way == WayRound::up;
    const NodeId begun = digit + (upwards ? nodes - sender.step : sender.step);
    const NodeId origins = block_at(topology, sender.node, sender.factor, begun);
    const std::size_t bytes = message_bytes(problem);
    for (NodeId distance = sender.step + 1; distance <= farthest; ++distance) {
        const NodeId target_digit = (begun + (upwards ? distance : nodes - distance)) % nodes;
        for (NodeId origin = origins; origin < origins + stride; ++origin)
            for (NodeId before = 0; before < topology.nodes(); before += nodes * stride) {
                const NodeId target = before + target_digit * stride + sender.node % stride;
                append(fragments, {message_number(problem, topology, origin, target), 0, bytes});
            }
    }
}

SendOnRings exchange_one_way(const Topology& topology, const Problem& problem, PartOf)
{
    return [=](const RingSender& sender, Fragments& fragments) {
        const NodeId nodes = topology.factor(sender.factor).nodes();
        if (sender.way == WayRound::up)
            exchange_on_rings(topology, problem, sender, nodes - 1, fragments);
    };
}

SendOnRings exchange_both_ways(const Topology& topology, const Problem& problem, PartOf)
{
    return [=](RingSender sender, Fragments& fragments) {
        const NodeId nodes = topology.factor(sender.factor).nodes();
        const Step upwards = nodes_up(nodes);
        if ((sender.way == WayRound::up) != (sender.step < upwards))
            return;
        sender.step -= sender.way == WayRound::up ? 0 : upwards;
        exchange_on_rings(topology, problem, sender, sender.way == WayRound::up ? upwards : nodes_down(nodes),
                          fragments);
    };
}

std::uint64_t one_part(const Topology&, unsigned, Step)
{
    return 1;
}

std::uint64_t parts_of_block(const Topology& topology, unsigned factor, Step)
{
    return topology.stride(factor);
}

std::uint64_t parts_one_way(const Topology& topology, unsigned factor, Step step)
{
    const NodeId nodes = topology.factor(factor).nodes();
    return std::uint64_t{nodes - 1 - step} * (topology.nodes() / nodes);
}

std::uint64_t parts_both_ways(const Topology& topology, unsigned factor, Step step)
{
    const NodeId nodes = topology.factor(factor).nodes();
    const NodeId up = nodes_up(nodes);
    return std::uint64_t{step < up ? up - step : nodes - 1 - step} * (topology.nodes() / nodes);
}

// The rings on which something is sent, where who holds it in a factor's turn agrees with the root in later ones.
std::uint64_t rings_reached(const Topology& topology, unsigned factor)
{
    return topology.nodes() / (std::uint64_t{topology.stride(factor)} * topology.factor(factor).nodes());
}

std::uint64_t packets_of_spread(const Topology& topology, unsigned factor)
{
    return rings_reached(topology, factor) * (topology.factor(factor).nodes() - 1);
}

// As many hops as all nodes of a ring are away from one.
std::uint64_t packets_of_scatter(const Topology& topology, unsigned factor)
{
    const std::uint64_t up = nodes_up(topology.factor(factor).nodes());
    const std::uint64_t down = nodes_down(topology.factor(factor).nodes());
    return rings_reached(topology, factor) * (up * (up + 1) + down * (down + 1)) / 2;
}

std::uint64_t packets_of_all(const Topology& topology, unsigned factor)
{
    return std::uint64_t{topology.nodes()} * (topology.factor(factor).nodes() - 1);
}

constexpr RingMethod spreading_method{.factors = Direction::forwards,
                                      .all_send = false,
                                      .steps = [](NodeId nodes) -> Step { return (nodes + 1) / 2; },
                                      .parts = one_part,
                                      .packets = packets_of_spread,
                                      .sending = spread_on_rings};
constexpr RingMethod scattering_method{.factors = Direction::forwards,
                                       .all_send = false,
                                       .steps = steps_to_others,
                                       .parts = parts_of_block,
                                       .packets = packets_of_scatter,
                                       .sending = scatter_on_rings};
constexpr RingMethod gathering_method{.factors = Direction::backwards,
                                      .steps = steps_to_others,
                                      .parts = parts_of_block,
                                      .packets = packets_of_all,
                                      .sending = gather_on_rings};
constexpr RingMethod one_way_method{.factors = Direction::backwards,
                                    .steps = steps_to_others,
                                    .parts = parts_one_way,
                                    .packets = packets_of_all,
                                    .sending = exchange_one_way};
constexpr RingMethod both_ways_method{.factors = Direction::backwards,
                                      .steps = steps_to_others,
                                      .parts = parts_both_ways,
                                      .packets = packets_of_all,
                                      .sending = exchange_both_ways};

// ---- Turns ----

struct RingTurn {
    unsigned factor;
    Step first;
    Step steps;
    Step sides;  // who sends in a step do so in that many stages, one side after the other
};

std::vector<RingTurn> turns_of(const RingMethod& method, const Topology& topology, const LinkModel& link)
{
    std::vector<RingTurn> turns;
    Step first = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const unsigned factor = method.factors == Direction::forwards ? i : topology.dimension() - 1 - i;
        const NodeId nodes = topology.factor(factor).nodes();
        const Step sides = method.all_send && link.duplex == Duplex::half ? 2 + nodes % 2 : 1;
        turns.push_back({factor, first, method.steps(nodes), sides});
        first += turns.back().steps * sides;
    }
    return turns;
}

Step stages_of(const std::vector<RingTurn>& turns)
{
    return turns.empty() ? 0 : turns.back().first + turns.back().steps * turns.back().sides;
}

// No two neighbours are on one side.
Step side_of(NodeId digit, NodeId nodes)
{
    return nodes % 2 == 1 && digit == nodes - 1 ? 2 : digit % 2;
}

Routing rings_in_turn(const RingMethod& method, const Topology& topology, const Problem& problem, PartOf part)
{
    std::vector<RingTurn> turns = turns_of(method, topology, problem.link);
    const Step stages = stages_of(turns);
    return {stages, [topology, turns = std::move(turns), send = method.sending(topology, problem, std::move(part))](
                        Step stage, NodeId from, Port port, Fragments& fragments) {
                const RingTurn& turn = *std::prev(std::ranges::upper_bound(turns, stage, {}, &RingTurn::first));
                const NodeId nodes = topology.factor(turn.factor).nodes();
                const Port up = topology.first_port(from, turn.factor);
                if (port < up || port - up >= std::min<NodeId>(nodes - 1, 2))
                    return;
                const Step at = stage - turn.first;
                if (turn.sides > 1 && side_of(topology.digit(from, turn.factor), nodes) != at % turn.sides)
                    return;
                send({turn.factor, at / turn.sides, from, port == up ? WayRound::up : WayRound::down}, fragments);
            }};
}

Routing backwards_on(const Topology& topology, const Routing& routing, Arrival arrival)
{
    Routing back{routing.stages, [topology, routing](Step stage, NodeId from, Port port, Fragments& fragments) {
                     routing.packet(routing.stages - 1 - stage, topology.neighbour(from, port),
                                    topology.arrival_port(from, port), fragments);
                 }};
    back.adding_stages = arrival == Arrival::added ? routing.stages : 0;
    return back;
}

// ---- Entries: one method, or two one after the other on a share per node ----

struct RingPart {
    const RingMethod* method;
    Direction direction;
    std::string_view name;
    std::string_view sentence;  // of a turn, after "Round the rings of coordinate 1"
};

struct RingWords {
    Collective collective;
    std::string_view name;
    std::string_view summary;
    std::string_view idea;
    std::string_view time;
    std::string_view paper_note;
    std::vector<RingPart> parts;

    [[nodiscard]] bool by_shares() const { return parts.size() == 2; }
};

PartOf named_part(const RingWords& words, const Topology& topology, const Problem& problem)
{
    const std::size_t element = unit_of(problem);
    const BalancedCut shares(message_bytes(problem) / element, topology.nodes());
    return [=, by_shares = words.by_shares(), bytes = message_bytes(problem)](NodeId node) {
        if (!by_shares)
            return Fragment{message_number(problem, topology, node, node), 0, bytes};
        const Stretch share = shares(node);
        return Fragment{0, share.offset * element, share.length * element};
    };
}

Routing ring_routing(const RingWords& words, const Topology& topology, const Problem& problem)
{
    std::optional<Routing> all;
    for (const RingPart& part : words.parts) {
        Routing one = rings_in_turn(*part.method, topology, problem, named_part(words, topology, problem));
        if (part.direction == Direction::backwards)
            one = backwards_on(topology, one, is_reduction(words.collective) ? Arrival::added : Arrival::kept);
        all = all ? followed_by(*std::move(all), std::move(one)) : std::move(one);
    }
    if (words.collective == Collective::all_reduce)
        all->giving_stages = all->adding_stages;
    return *std::move(all);
}

Cost ring_cost(const RingWords& words, const Topology& topology, const Problem& problem)
{
    Cost cost{0, 0};
    for (const RingPart& part : words.parts) {
        const std::vector<RingTurn> turns = turns_of(*part.method, topology, problem.link);
        cost.steps += stages_of(turns);
        for (const RingTurn& turn : turns)
            cost.transmissions += part.method->packets(topology, turn.factor);
    }
    return cost;
}

// The closed form, exact on one port for shares of equal size. On half duplex rings of odd length have none.
std::optional<Rational> ring_time(const RingWords& words, const Topology& topology, const Problem& problem)
{
    const LinkCosts costs(problem.link);
    const std::size_t element = unit_of(problem);
    const Exact bytes = words.by_shares()
                            ? ceil_div(message_bytes(problem) / element, std::size_t{topology.nodes()}) * element
                            : message_bytes(problem);
    Exact time = 0;
    for (const RingPart& part : words.parts)
        for (const RingTurn& turn : turns_of(*part.method, topology, problem.link)) {
            if (turn.sides == 3)
                return std::nullopt;
            for (Step step = 0; step < turn.steps; ++step)
                time += costs.packets(turn.sides, bytes * part.method->parts(topology, turn.factor, step));
        }
    return to_rational(time);
}

// At most so many fragments are sent.
double ring_pieces(const RingWords& words, const Topology& topology, const Problem& problem)
{
    double pieces = 0;
    for (const RingPart& part : words.parts)
        for (const RingTurn& turn : turns_of(*part.method, topology, problem.link))
            for (Step step = 0; step < turn.steps; ++step)
                pieces += static_cast<double>(part.method->parts(topology, turn.factor, step));
    return pieces * topology.nodes();
}

PhaseText text_of_turn(const RingPart& part, const Topology& topology, unsigned factor)
{
    if (topology.is_hypercube()) {
        const unsigned dimension = topology.dimension() - 1 - factor;
        return text_of_dimension(dimension, fmt::format("Over dimension {}, {}.", dimension, part.sentence));
    }
    if (topology.dimension() == 1)
        return {"the ring", fmt::format("Round the ring, {}.", part.sentence)};
    const std::string words = coordinate_words(factor);
    return {words, fmt::format("Round the rings of {}, {}.", words, part.sentence)};
}

Phases ring_phases(const RingWords& words, const Topology& topology, const Problem& problem)
{
    Phases all;
    std::uint64_t before = 0;
    for (const RingPart& part : words.parts) {
        std::vector<RingTurn> turns = turns_of(*part.method, topology, problem.link);
        const Step steps = stages_of(turns);
        if (part.direction == Direction::backwards)
            std::ranges::reverse(turns);
        PhaseLine line;
        for (const RingTurn& turn : turns)
            line.add(turn.steps * turn.sides, text_of_turn(part, topology, turn.factor));
        Phases phases = line.take();
        if (words.by_shares())
            phases = part_of(part.name, std::move(phases));
        all = followed_by(std::move(all), before, phases);
        before += steps;
    }
    return all;
}

std::string obstacle_on_rings(const RingWords& words, const Topology& topology, const Problem& problem)
{
    for (unsigned i = 0; i < topology.dimension(); ++i)
        if (topology.factor(i).nodes() > 3 && topology.factor(i).kind() != Graph::Kind::ring)
            return "it is for rings, tori and hypercubes";
    if (words.by_shares() && message_bytes(problem) / unit_of(problem) < topology.nodes())
        return "its message has fewer bytes, or elements, than there are nodes";
    return "";
}

Entry ring_entry(const RingWords& words)
{
    return routing_entry({{.collective = words.collective,
                           .name = words.name,
                           .ports = PortModel::one,
                           .link = LinkKind::link_bound,
                           .networks = Networks::rings_and_complete,
                           .same_bits = words.collective == Collective::all_reduce,
                           .half_duplex = true,
                           .obstacle = std::bind_front(obstacle_on_rings, words),
                           .cost = std::bind_front(ring_cost, words)},
                          {.paper = "Grama et al. 2003, chapter 4",
                           .origin = Origin::dcube,
                           .summary = words.summary,
                           .idea = words.idea,
                           .formula = {.words = words.time},
                           .paper_note = words.paper_note,
                           .time = std::bind_front(ring_time, words),
                           .phases = std::bind_front(ring_phases, words)}},
                         std::bind_front(ring_routing, words), {.pieces = std::bind_front(ring_pieces, words)});
}

}  // namespace

std::vector<Entry> rings_in_turn_family()
{
    using enum Direction;
    constexpr std::string_view in_turn = "rings-in-turn";
    constexpr std::string_view shares_in_turn = "shares-in-turn";
    constexpr std::string_view textbook_time =
        "The textbook has this time, with t_s = beta and t_w = tau, for rings, meshes that go round, and hypercubes.";
    constexpr std::string_view stored_and_forwarded =
        "The textbook has this time for hypercubes. On rings and meshes its messages pass nodes without being received "
        "there; where they are received, its first edition (Kumar et al. 1994) has this time.";
    constexpr std::string_view by_block =
        "the sum over the factors of n nodes of (n - 1) (tau m B + beta), B the nodes of all later factors together";
    constexpr std::string_view twice_by_block =
        "twice the sum over the factors of n nodes of (n - 1) (tau B ceil(m/N) + beta), B the nodes of all later "
        "factors together";
    constexpr std::string_view own_share =
        "The textbook gives 2 (t_s log p + t_w m) for hypercubes, which leaves out that no node sends itself its "
        "share.";
    constexpr std::string_view adds_own = "every node adds its own to what it received last, and passes it on";
    constexpr std::string_view hands_on = "every node passes on what it received last";
    constexpr std::string_view farthest = "what is for the farthest nodes leaves first, one way and the other in turn";
    constexpr std::string_view nearest = "what is of the nearest nodes comes first, one way and the other in turn";
    const RingWords all[] = {
        {Collective::broadcast,
         in_turn,
         "the message goes round the rings of each factor both ways, factor by factor",
         "Who holds the message sends it up its ring and then down, all rings of a factor at the same time; then all "
         "of them begin the next factor.",
         "the sum over the factors of n nodes of ceil(n/2) (tau m + beta)",
         stored_and_forwarded,
         {{&spreading_method, forwards, "", "who holds the message sends it up, then down"}}},
        {Collective::broadcast,
         shares_in_turn,
         "a share for every node is scattered, then all are gathered at all nodes",
         "For long messages: a scatter of a share for every node by rings in turn, then an all-gather, so that every "
         "node receives its bytes about twice and not once for every stage.",
         twice_by_block,
         own_share,
         {{&scattering_method, forwards, "scatter", farthest}, {&gathering_method, forwards, "all-gather", hands_on}}},
        {Collective::reduce,
         in_turn,
         "the broadcast backwards, sums at the nodes on the way",
         "The broadcast on rings in turn, backwards in time: sums come together on the rings of the last factor first.",
         "the sum over the factors of n nodes of ceil(n/2) (tau m + beta)",
         stored_and_forwarded,
         {{&spreading_method, backwards, "", "sums come nearer to the root's place from both sides"}}},
        {Collective::scatter,
         in_turn,
         "on the rings of each factor the farthest nodes' messages leave first, joined",
         "On the root's ring of the first factor, what is for all nodes behind one node of the ring goes there as one "
         "packet, the farthest first, up and down in turn. Then all nodes of the ring begin the next factor.",
         by_block,
         stored_and_forwarded,
         {{&scattering_method, forwards, "", farthest}}},
        {Collective::gather,
         in_turn,
         "the scatter backwards",
         "The scatter on rings in turn, backwards in time: the nearest nodes' messages come first.",
         by_block,
         stored_and_forwarded,
         {{&scattering_method, backwards, "", nearest}}},
        {Collective::all_gather,
         in_turn,
         "every node passes on what it received last, joined, factor by factor",
         "Round the rings of one factor every node passes on what it received last, at first what it has. Then all "
         "nodes of a ring have the same, and pass it on as one packet round the rings of the next factor.",
         by_block,
         textbook_time,
         {{&gathering_method, forwards, "", hands_on}}},
        {Collective::reduce_scatter,
         in_turn,
         "the all-gather backwards, sums on the way",
         "The all-gather on rings in turn, backwards in time: every node adds its own to the sums that it passes on.",
         by_block,
         textbook_time,
         {{&gathering_method, backwards, "", adds_own}}},
        {Collective::all_reduce,
         shares_in_turn,
         "reduce-scatter of a share per node, then all-gather, on rings in turn",
         "Every node has a share of the vector: the shares' sums go round the rings until they are complete, and then "
         "round again, so that all nodes get them.",
         twice_by_block,
         own_share,
         {{&gathering_method, backwards, "reduce-scatter", adds_own},
          {&gathering_method, forwards, "all-gather", hands_on}}},
        {Collective::all_to_all,
         in_turn,
         "every node passes on what is for others, joined, factor by factor",
         "Round the rings of one factor every node sends all that it has for other nodes of the ring as one packet to "
         "the next node, which keeps what is for its own place and passes on the rest.",
         "the sum over the factors of n nodes of (n - 1) (tau m N/2 + beta)",
         textbook_time,
         {{&one_way_method, forwards, "", "every node passes on what is for others"}}},
        {Collective::all_to_all,
         "both-ways-in-turn",
         "the shorter way round every ring, joined, factor by factor",
         "As rings-in-turn, but what is nearer going down than up goes down, after the rest has gone up: as many "
         "start-ups, and about half the bytes.",
         "the sum over the factors of n nodes of (n - 1) beta + tau m floor(n^2/4) N/n",
         "The textbook's algorithm, which goes the same way round always, takes tau m N (n - 1)/2 for the bytes.",
         {{&both_ways_method, forwards, "", "every node passes on what is for others, first up, then down"}}},
    };
    std::vector<Entry> family;
    for (const RingWords& words : all)
        family.push_back(ring_entry(words));
    return family;
}

}  // namespace dcube::detail
