#include <dcube/collective.hpp>

#include "base/names.hpp"
#include "collectives/other_names.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace dcube {

namespace {

constexpr Holding all_one{Who::all, Share::message};
constexpr Holding all_many{Who::all, Share::message_per_node};
constexpr Holding root_one{Who::root, Share::message};
constexpr Holding root_many{Who::root, Share::message_per_node};
constexpr Holding peer_one{Who::peer, Share::message};
constexpr Holding ends_one{Who::ends, Share::message};
constexpr Holding all_elements{Who::all, Share::elements};
constexpr Holding all_nothing{Who::all, Share::nothing};
constexpr std::string_view part_of_matrix = "Every node holds its part of the matrix.";

// The rows of the table, each under the name of its collective.

constexpr CollectiveTraits broadcast{
    .name = "broadcast",
    .aliases = {"single-node-broadcast"},
    .idea = "One node, the root, has a message that all others need. Whoever has a packet can pass it on, so the "
            "number of nodes that have it can double in every step; and no packet is sooner anywhere than its distance "
            "from the root.",
    .beware = "Idle links are no waste: one packet on the 3-cube is broadcast optimally with 7 of 72 slots used. All "
              "ports do not make one packet faster: distance limits it. And the binomial tree is not the best for many "
              "packets, one after the other.",
    .origin = Who::root,
    .target = Who::nobody,
    .before = root_one,
    .after = all_one,
    .title = "Broadcast",
    .sentence = "node {root} sends {same} to every node",
    .start = "Node {root} holds a message{in_packets}; no other node has it.",
};

constexpr CollectiveTraits reduce{
    .name = "reduce",
    .aliases = {"accumulation", "single-node-accumulation"},
    .idea = "Every node has a share, and the root needs their sum. It is broadcast read backwards: where a packet was "
            "copied, sums are added.",
    .beware = "A share that is sent twice, to be safe, is counted twice.",
    .origin = Who::nobody,
    .target = Who::root,
    .before = all_one,
    .after = root_one,
    .title = "Reduction",
    .sentence = "node {root} gets {combined} in {message} of every node",
    .start = "Every node holds its own share{in_packets}; node {root} needs the sum of all.",
};

constexpr CollectiveTraits scatter{
    .name = "scatter",
    .aliases = {"distribute", "single-node-scatter"},
    .idea = "The root has a different message for every node. They all leave by its links, so these must never pause, "
            "and the farthest must leave first.",
    .beware = "Nearest first is not kinder: the last packet then still has the farthest to go. And a binomial tree "
              "will not do: one of its subtrees has half of all nodes.",
    .origin = Who::root,
    .target = Who::all,
    .before = root_many,
    .after = all_one,
    .title = "Scatter",
    .sentence = "node {root} sends {different} to {others}",
    .start = "Node {root} holds {other_blocks}{in_packets}, {for_others}.",
};

constexpr CollectiveTraits gather{
    .name = "gather",
    .aliases = {"single-node-gather"},
    .idea = "The root needs a different message from every node. It is scatter read backwards: the root's inbox is "
            "what limits.",
    .beware = "More links elsewhere help nothing: all packets enter by the root's own.",
    .origin = Who::all,
    .target = Who::root,
    .before = all_one,
    .after = root_many,
    .title = "Gather",
    .sentence = "node {root} gets {different} from every node",
    .start = "Every node holds a block{in_packets} for node {root}.",
};

constexpr CollectiveTraits all_gather{
    .name = "all-gather",
    .aliases = {"multinode-broadcast", "complete-broadcast"},
    .idea = "Every node has a message that all others need: N broadcasts at once. Every node must receive N - 1 "
            "messages by its links.",
    .beware =
        "The N trees need not be free of common links, only of common links in the same step; and not every broadcast "
        "tree can be run from all roots at once: recursive doubling uses one port per step, and takes N - 1.",
    .origin = Who::all,
    .target = Who::nobody,
    .before = all_one,
    .after = all_many,
    .title = "All-gather",
    .sentence = "every node sends {same} to all nodes",
    .start = "Every node holds its own message{in_packets}; all nodes need all of them.",
};

constexpr CollectiveTraits reduce_scatter{
    .name = "reduce-scatter",
    .aliases = {"multinode-accumulation", "histogram"},
    .idea = "Every node has a share of N blocks, and each node needs the sum of one block. It is all-gather read "
            "backwards.",
    .beware = "Adding does not make fewer packets than all-gather: a node's share of each of the N - 1 blocks of "
              "others must leave it.",
    .origin = Who::nobody,
    .target = Who::all,
    .before = all_many,
    .after = all_one,
    .title = "Reduce-scatter",
    .sentence = "every node gets {combined} in what all nodes have for it, {message} each",
    .start = "Every node holds its share in the sum that each node needs.",
};

constexpr CollectiveTraits all_reduce{
    .name = "all-reduce",
    .idea = "Every node needs the sum of all nodes' vectors. Few blocks are exchanged over every dimension in turn; "
            "many are summed up at one node each and spread again.",
    .beware = "Reduce, then broadcast takes 2d steps for one block where d are enough. And full links prove nothing: "
              "exchanging keeps them busy with d N packets a block where 2 (N - 1) would do.",
    .origin = Who::nobody,
    .target = Who::nobody,
    .before = all_one,
    .after = all_one,
    .title = "All-reduce",
    .sentence = "every node gets {combined} in all nodes' vectors of {blocks}",
    .start = "Every node holds its own share; all nodes need the sum of all.",
};

constexpr CollectiveTraits scan{
    .name = "scan",
    .aliases = {"prefix-sum", "prefix", "inclusive-scan"},
    .idea = "Every node needs the sum of what all nodes up to it have, in the order of the nodes. A subcube of "
            "consecutive nodes needs one sum from outside, that of all nodes before it, and gives one away, its own.",
    .beware = "It is no all-reduce with less to do: in the first half of a subcube nobody needs the second half's sum, "
              "but the nodes of the second half all need different sums, so a scan of m blocks takes m steps at least.",
    .origin = Who::nobody,
    .target = Who::nobody,
    .before = all_one,
    .after = all_one,
    .terms = Terms::up_to,
    .title = "Scan",
    .sentence = "every node gets {combined} in its own vector and those of the nodes before it, {blocks} each",
    .start = "Every node holds its own share{in_packets}; each needs the sum of all up to its own.",
};

constexpr CollectiveTraits exscan{
    .name = "exscan",
    .aliases = {"exclusive-scan"},
    .idea = "Every node needs the sum of what all nodes before it have, in the order of the nodes: where its own data "
            "begin if all nodes' data are put in one row. It is a scan whose nodes leave out their own share.",
    .beware = "A scan is an exscan and one addition. Backwards that does not work: maxima, say, cannot be subtracted.",
    .origin = Who::nobody,
    .target = Who::nobody,
    .before = all_one,
    .after = all_one,
    .terms = Terms::before,
    .title = "Exclusive scan",
    .sentence = "every node gets {combined} in the vectors of the nodes before it, {blocks} each",
    .start = "Every node holds its own share{in_packets}; each needs the sum of all before its own.",
};

constexpr CollectiveTraits all_to_all{
    .name = "all-to-all",
    .aliases = {"total-exchange", "complete-exchange"},
    .idea = "Every node has a different message for every other one. Half of all messages must cross each dimension, "
            "and that cut decides, not the diameter.",
    .beware = "Shortest paths with the farthest first are not enough: 5 steps instead of 4 on the 3-cube. And all "
              "links busy is a proof only together with shortest paths.",
    .origin = Who::all,
    .target = Who::all,
    .before = all_many,
    .after = all_many,
    .title = "Total exchange",
    .sentence = "every node sends {different} to {others}",
    .start = "Every node holds {other_blocks}{in_packets}, {for_others}.",
};

constexpr CollectiveTraits send{
    .name = "send",
    .idea = "One node has a message for one other. Its packets can take several paths side by side.",
    .beware = "A send to a neighbour should not only use its link: for long messages detours win.",
    .origin = Who::root,
    .target = Who::peer,
    .before = root_one,
    .after = peer_one,
    .title = "One message",
    .sentence = "node {root} sends {message} to node {peer}",
    .start = "Node {root} holds a message{in_packets} for node {peer}.",
};

constexpr CollectiveTraits exchange{
    .name = "exchange",
    .idea = "Two nodes each have a message for the other. The two directions of a link do not disturb each other.",
    .beware = "It takes no longer than one send.",
    .origin = Who::ends,
    .target = Who::partner,
    .before = ends_one,
    .after = ends_one,
    .title = "Two messages",
    .sentence = "nodes {root} and {peer} send each other {message}",
    .start = "Nodes {root} and {peer} hold a message{in_packets} for each other.",
};

constexpr CollectiveTraits permute{
    .name = "permute",
    .aliases = {"permuted-send"},
    .idea = "Every node has a message for one node, and each node gets one. How long it takes depends on how many "
            "messages want the same links.",
    .beware = "Short paths do not make a permutation cheap: a reflection needs as long as the inversion, whose paths "
              "are the longest.",
    .origin = Who::all,
    .target = Who::partner,
    .before = all_one,
    .after = all_one,
    .title = "A permutation",
    .sentence = "every node sends {message} to the node that the permutation says",
    .start = "Every node holds a message{in_packets} for one node.",
};

constexpr CollectiveTraits barrier{
    .name = "barrier",
    .idea = "No node may go on before all have begun, so every node has to hear of every other, directly or not. A "
            "packet needs no bytes: that it was sent says that its sender has begun, and so have all that the sender "
            "has heard of.",
    .beware = "It is no broadcast: a node that says \"go\" must first have heard of all. And going up a tree and down "
              "again takes twice as long as letting all nodes exchange, where it takes fewer packets.",
    .origin = Who::nobody,
    .target = Who::nobody,
    .before = all_nothing,
    .after = all_nothing,
    .title = "Barrier",
    .sentence = "every node waits until all have begun",
    .start = "Every node has begun; each needs to know that all have.",
};

constexpr CollectiveTraits matrix_transpose{
    .name = "matrix-transpose",
    .aliases = {"transpose"},
    .idea = "A matrix is spread over the nodes, and element (r, c) goes to (c, r). Stored by rows this is a total "
            "exchange; stored by submatrices every node has one partner.",
    .beware = "Whole blocks on shortest paths leave half of the links idle: on average only half of the bits differ.",
    .before = all_elements,
    .after = all_elements,
    .turn = Turn::transpose,
    .title = "A matrix transposed",
    .sentence = "{matrix} is transposed",
    .start = part_of_matrix,
};

constexpr CollectiveTraits matrix_quarter_turn{
    .name = "matrix-quarter-turn",
    .aliases = {"quarter-turn"},
    .idea = "Element (r, c) goes to (c, rows - 1 - r): the matrix is turned by a quarter. Stored by submatrices, in "
            "each position the pair of bits of a node's row and column goes round a cycle of four.",
    .beware = "Going one way round leaves the links backward idle: for large blocks a quarter of them should go back.",
    .before = all_elements,
    .after = all_elements,
    .turn = Turn::quarter,
    .title = "A matrix turned by a quarter",
    .sentence = "{matrix} is turned by a quarter",
    .start = part_of_matrix,
};

constexpr CollectiveTraits matrix_half_turn{
    .name = "matrix-half-turn",
    .aliases = {"half-turn"},
    .idea = "Element (r, c) goes to (rows - 1 - r, columns - 1 - c): every node has one partner, the same XOR away.",
    .beware = "It is an inversion, not two quarter turns.",
    .before = all_elements,
    .after = all_elements,
    .turn = Turn::half,
    .title = "A matrix turned by half",
    .sentence = "{matrix} is turned by half",
    .start = part_of_matrix,
};

constexpr CollectiveTraits matrix_relayout{
    .name = "matrix-relayout",
    .aliases = {"relayout"},
    .idea = "Element (r, c) stays where it is in the matrix, but its row goes to another node: from blocks of rows to "
            "striped rows, or back.",
    .beware = "It is an even exchange only if the square of the number of nodes divides the rows.",
    .before = all_elements,
    .after = all_elements,
    .title = "A matrix laid out anew",
    .sentence = "{matrix} becomes {layout_after}",
    .start = part_of_matrix,
};

// A value that is no collective has no name.
constexpr CollectiveTraits row(Collective collective)
{
    switch (collective) {
    case Collective::broadcast: return broadcast;
    case Collective::reduce: return reduce;
    case Collective::scatter: return scatter;
    case Collective::gather: return gather;
    case Collective::all_gather: return all_gather;
    case Collective::reduce_scatter: return reduce_scatter;
    case Collective::all_reduce: return all_reduce;
    case Collective::scan: return scan;
    case Collective::exscan: return exscan;
    case Collective::all_to_all: return all_to_all;
    case Collective::send: return send;
    case Collective::exchange: return exchange;
    case Collective::permute: return permute;
    case Collective::barrier: return barrier;
    case Collective::matrix_transpose: return matrix_transpose;
    case Collective::matrix_quarter_turn: return matrix_quarter_turn;
    case Collective::matrix_half_turn: return matrix_half_turn;
    case Collective::matrix_relayout: return matrix_relayout;
    }
    return {};
}

constexpr auto table = [] {
    std::array<CollectiveTraits, collective_count> rows{};
    for (const Collective collective : all_collectives)
        rows[static_cast<std::size_t>(collective)] = row(collective);
    return rows;
}();
// The compiler demands a row for every enumerator (-Wswitch), so a count that is too small shows here.
static_assert(row(static_cast<Collective>(collective_count)).name.empty() && !table.back().name.empty());

}  // namespace

const CollectiveTraits& traits(Collective collective)
{
    return table[static_cast<std::size_t>(collective)];
}

std::string_view name(Collective collective)
{
    return traits(collective).name;
}

Collective parse_collective(std::string_view text)
{
    for (const Collective collective : all_collectives)
        if (is_name_of(collective, text))
            return collective;
    if (const std::string_view either = either_of(text); !either.empty())
        throw InvalidArgument(fmt::format("{} may be one of two collectives: expected {}", quoted(text), either));
    std::vector<std::string> known;
    std::string own;
    for (const Collective collective : all_collectives) {
        known.emplace_back(name(collective));
        std::ranges::move(other_names(collective), std::back_inserter(known));
        own.append(own.empty() ? "" : ", ").append(name(collective));
    }
    throw InvalidArgument(
        unknown_name(text, "a collective", std::vector<std::string_view>(known.begin(), known.end()), own));
}

Pattern pattern_of(Collective collective)
{
    const CollectiveTraits& of = traits(collective);
    if (is_matrix(collective))
        return Pattern::elements;
    if (is_point_to_point(collective))
        return Pattern::pairs;
    if (is_scan(collective))
        return Pattern::prefix_sums;
    if (is_barrier(collective))
        return Pattern::signals;
    const bool has_messages_for_each =
        of.before.share == Share::message_per_node || of.after.share == Share::message_per_node;
    if (has_root(collective))
        return has_messages_for_each ? Pattern::one_to_each : Pattern::one_to_all;
    if (!has_messages_for_each)
        return Pattern::sums_to_all;
    return of.before.share == of.after.share ? Pattern::each_to_each : Pattern::each_to_all;
}

bool is_reversed(Collective collective)
{
    const CollectiveTraits& of = traits(collective);
    return of.target == Who::root || (is_reduction(collective) && of.target == Who::all);
}

bool is_reduction(Collective collective)
{
    return traits(collective).origin == Who::nobody && !is_barrier(collective);
}

bool is_barrier(Collective collective)
{
    return traits(collective).before.share == Share::nothing;
}

bool is_scan(Collective collective)
{
    return traits(collective).terms != Terms::all;
}

bool may_be_uneven(Collective collective)
{
    const Pattern pattern = pattern_of(collective);
    return pattern == Pattern::each_to_each || pattern == Pattern::each_to_all || pattern == Pattern::one_to_each;
}

bool has_root(Collective collective)
{
    const CollectiveTraits& of = traits(collective);
    return (of.origin == Who::root || of.target == Who::root) && of.target != Who::peer;
}

bool has_peer(Collective collective)
{
    return traits(collective).origin == Who::ends || traits(collective).target == Who::peer;
}

bool has_permutation(Collective collective)
{
    return traits(collective).origin == Who::all && traits(collective).target == Who::partner;
}

bool is_point_to_point(Collective collective)
{
    return has_peer(collective) || has_permutation(collective);
}

bool is_matrix(Collective collective)
{
    return traits(collective).before.share == Share::elements;
}

bool is_relayout(Collective collective)
{
    return is_matrix(collective) && traits(collective).turn == Turn::none;
}

}  // namespace dcube
