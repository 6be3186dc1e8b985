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

// The rows of the table, each under the name of its collective.

constexpr CollectiveTraits broadcast{
    .name = "broadcast",
    .aliases = {"single-node-broadcast"},
    .origin = Who::root,
    .target = Who::nobody,
    .before = root_one,
    .after = all_one,
    .sentence = "node {root} sends {same} to every node",
};

constexpr CollectiveTraits reduce{
    .name = "reduce",
    .aliases = {"accumulation", "single-node-accumulation"},
    .origin = Who::nobody,
    .target = Who::root,
    .before = all_one,
    .after = root_one,
    .sentence = "node {root} gets {combined} in {message} of every node",
};

constexpr CollectiveTraits scatter{
    .name = "scatter",
    .aliases = {"distribute", "single-node-scatter"},
    .origin = Who::root,
    .target = Who::all,
    .before = root_many,
    .after = all_one,
    .sentence = "node {root} sends {different} to {others}",
};

constexpr CollectiveTraits gather{
    .name = "gather",
    .aliases = {"single-node-gather"},
    .origin = Who::all,
    .target = Who::root,
    .before = all_one,
    .after = root_many,
    .sentence = "node {root} gets {different} from every node",
};

constexpr CollectiveTraits all_gather{
    .name = "all-gather",
    .aliases = {"multinode-broadcast", "complete-broadcast"},
    .origin = Who::all,
    .target = Who::nobody,
    .before = all_one,
    .after = all_many,
    .sentence = "every node sends {same} to all nodes",
};

constexpr CollectiveTraits reduce_scatter{
    .name = "reduce-scatter",
    .aliases = {"multinode-accumulation", "histogram"},
    .origin = Who::nobody,
    .target = Who::all,
    .before = all_many,
    .after = all_one,
    .sentence = "every node gets {combined} in what all nodes have for it, {message} each",
};

constexpr CollectiveTraits all_reduce{
    .name = "all-reduce",
    .origin = Who::nobody,
    .target = Who::nobody,
    .before = all_one,
    .after = all_one,
    .sentence = "every node gets {combined} in all nodes' vectors of {blocks}",
};

constexpr CollectiveTraits all_to_all{
    .name = "all-to-all",
    .aliases = {"total-exchange", "complete-exchange"},
    .origin = Who::all,
    .target = Who::all,
    .before = all_many,
    .after = all_many,
    .sentence = "every node sends {different} to {others}",
};

constexpr CollectiveTraits send{
    .name = "send",
    .origin = Who::root,
    .target = Who::peer,
    .before = root_one,
    .after = peer_one,
    .sentence = "node {root} sends {message} to node {peer}",
};

constexpr CollectiveTraits exchange{
    .name = "exchange",
    .origin = Who::ends,
    .target = Who::partner,
    .before = ends_one,
    .after = ends_one,
    .sentence = "nodes {root} and {peer} send each other {message}",
};

constexpr CollectiveTraits permute{
    .name = "permute",
    .aliases = {"permuted-send"},
    .origin = Who::all,
    .target = Who::partner,
    .before = all_one,
    .after = all_one,
    .sentence = "every node sends {message} to the node that the permutation says",
};

constexpr CollectiveTraits matrix_transpose{
    .name = "matrix-transpose",
    .aliases = {"transpose"},
    .before = all_elements,
    .after = all_elements,
    .turn = Turn::transpose,
    .sentence = "{matrix} is transposed",
};

constexpr CollectiveTraits matrix_quarter_turn{
    .name = "matrix-quarter-turn",
    .aliases = {"quarter-turn"},
    .before = all_elements,
    .after = all_elements,
    .turn = Turn::quarter,
    .sentence = "{matrix} is turned by a quarter",
};

constexpr CollectiveTraits matrix_half_turn{
    .name = "matrix-half-turn",
    .aliases = {"half-turn"},
    .before = all_elements,
    .after = all_elements,
    .turn = Turn::half,
    .sentence = "{matrix} is turned by half",
};

constexpr CollectiveTraits matrix_relayout{
    .name = "matrix-relayout",
    .aliases = {"relayout"},
    .before = all_elements,
    .after = all_elements,
    .sentence = "{matrix} becomes {layout_after}",
};

// What is no collective has no name.
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
    case Collective::all_to_all: return all_to_all;
    case Collective::send: return send;
    case Collective::exchange: return exchange;
    case Collective::permute: return permute;
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
