#include <dcube/collective.hpp>

#include "base/names.hpp"

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

/// The table of collectives. What is no collective has no name.
constexpr CollectiveTraits row(Collective collective)
{
    switch (collective) {
    case Collective::broadcast:
        return {.name = "broadcast",
                .aliases = {"single-node-broadcast"},
                .origin = Who::root,
                .target = Who::nobody,
                .before = root_one,
                .after = all_one,
                .sentence = "node {root} sends {same} to every node"};
    case Collective::reduce:
        return {.name = "reduce",
                .aliases = {"accumulation", "single-node-accumulation"},
                .origin = Who::nobody,
                .target = Who::root,
                .before = all_one,
                .after = root_one,
                .sentence = "node {root} gets {combined} in {message} of every node"};
    case Collective::scatter:
        return {.name = "scatter",
                .aliases = {"distribute", "single-node-scatter"},
                .origin = Who::root,
                .target = Who::all,
                .before = root_many,
                .after = all_one,
                .sentence = "node {root} sends {different} to {others}"};
    case Collective::gather:
        return {.name = "gather",
                .aliases = {"single-node-gather"},
                .origin = Who::all,
                .target = Who::root,
                .before = all_one,
                .after = root_many,
                .sentence = "node {root} gets {different} from every node"};
    case Collective::all_gather:
        return {.name = "all-gather",
                .aliases = {"multinode-broadcast", "complete-broadcast"},
                .origin = Who::all,
                .target = Who::nobody,
                .before = all_one,
                .after = all_many,
                .sentence = "every node sends {same} to all nodes"};
    case Collective::reduce_scatter:
        return {.name = "reduce-scatter",
                .aliases = {"multinode-accumulation", "histogram"},
                .origin = Who::nobody,
                .target = Who::all,
                .before = all_many,
                .after = all_one,
                .sentence = "every node gets {combined} in what all nodes have for it, {message} each"};
    case Collective::all_reduce:
        return {.name = "all-reduce",
                .origin = Who::nobody,
                .target = Who::nobody,
                .before = all_one,
                .after = all_one,
                .sentence = "every node gets {combined} in all nodes' vectors of {blocks}"};
    case Collective::all_to_all:
        return {.name = "all-to-all",
                .aliases = {"total-exchange", "complete-exchange"},
                .origin = Who::all,
                .target = Who::all,
                .before = all_many,
                .after = all_many,
                .sentence = "every node sends {different} to {others}"};
    case Collective::send:
        return {.name = "send",
                .origin = Who::root,
                .target = Who::peer,
                .before = root_one,
                .after = peer_one,
                .sentence = "node {root} sends {message} to node {peer}"};
    case Collective::exchange:
        return {.name = "exchange",
                .origin = Who::ends,
                .target = Who::partner,
                .before = ends_one,
                .after = ends_one,
                .sentence = "nodes {root} and {peer} send each other {message}"};
    case Collective::permute:
        return {.name = "permute",
                .aliases = {"permuted-send"},
                .origin = Who::all,
                .target = Who::partner,
                .before = all_one,
                .after = all_one,
                .sentence = "every node sends {message} to the node that the permutation says"};
    case Collective::matrix_transpose:
        return {.name = "matrix-transpose",
                .aliases = {"transpose"},
                .before = all_elements,
                .after = all_elements,
                .turn = Turn::transpose,
                .sentence = "{matrix} is transposed"};
    case Collective::matrix_quarter_turn:
        return {.name = "matrix-quarter-turn",
                .aliases = {"quarter-turn"},
                .before = all_elements,
                .after = all_elements,
                .turn = Turn::quarter,
                .sentence = "{matrix} is turned by a quarter"};
    case Collective::matrix_half_turn:
        return {.name = "matrix-half-turn",
                .aliases = {"half-turn"},
                .before = all_elements,
                .after = all_elements,
                .turn = Turn::half,
                .sentence = "{matrix} is turned by half"};
    case Collective::matrix_relayout:
        return {.name = "matrix-relayout",
                .aliases = {"relayout"},
                .before = all_elements,
                .after = all_elements,
                .sentence = "{matrix} becomes {layout_after}"};
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

std::vector<Spelling<Collective>> all_spellings()
{
    std::vector<Spelling<Collective>> all;
    for (const Collective collective : all_collectives) {
        all.push_back({collective, traits(collective).name});
        for (const std::string_view alias : traits(collective).aliases)
            if (!alias.empty())
                all.push_back({collective, alias});
    }
    return all;
}

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
    static const std::vector<Spelling<Collective>> spellings = all_spellings();
    return parsed(spellings, text, "a collective");
}

bool is_reduction(Collective collective)
{
    return traits(collective).origin == Who::nobody;
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

}  // namespace dcube
