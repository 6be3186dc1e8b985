// All-gather, all-to-all, permute, reduce-scatter and all-reduce on link-bound machines. Stout & Wagar 1990, section 5.
// m bytes a message; M bytes a vector.
//
//   all-gather      rotated           (2^d - 1) tau m/d + d beta
//   all-to-all      rotated, paper's  2^(d-1) tau m + d beta
//   permute         nothing           0                                    the identity
//                   inversion         |D| (tau ceil(m/|D|) + beta)         n -> n ^ D
//                   two-exchanges     tau m + 2 d beta                     any (COMPLETE EXCHANGE twice)
//   reduce-scatter  rotated           (1 - 2^-d) tau M/d + d beta          the all-gather backwards
//   all-reduce      halving-doubling  2(1-2^-q) tau M/d + (d-q) tau M/(d 2^q) + (d+q) beta

#include "algorithms/stout_wagar/complete.hpp"

#include "algorithms/stout_wagar/all_to_all_plan.hpp"

#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"

#include "base/arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace dcube::detail {

namespace {

Stretch in_units(const Stretch& stretch, std::size_t unit)
{
    return {stretch.offset * unit, stretch.length * unit};
}

}  // namespace

Routing gathering(const Topology& topology, const LengthOf& length_of, std::size_t unit)
{
    const unsigned d = topology.dimension();
    return {d, [=](Step k, NodeId from, Port port, Fragments& fragments) {
                const unsigned i = (port + d - k) % d;
                for (NodeId x = 0; x < bit(k); ++x) {
                    const NodeId origin = from ^ rotated(x, i, d);
                    const auto [offset, bytes] =
                        in_units(staggered_part(length_of(origin) / unit, d, i, stagger(origin, d)), unit);
                    append(fragments, {origin, offset, bytes});
                }
            }};
}

Routing rotated_exchange(const Topology& topology, std::vector<Port> dims, std::vector<NodeId> differences,
                         PieceFor piece_for)
{
    const auto n = static_cast<unsigned>(dims.size());
    std::vector<unsigned> place(topology.dimension(), n);  // of a port in dims
    for (unsigned at = 0; at < n; ++at)
        place[dims[at]] = at;
    std::vector<NodeId> done(std::size_t{n} * n);  // by rotation and stage
    for (unsigned i = 0; i < n; ++i)
        for (unsigned k = 0, mask = 0; k < n; mask |= bit(dims[(i + k++) % n]))
            done[i * n + k] = mask;
    return {n, [=, dims = std::move(dims), differences = std::move(differences),
                piece_for = std::move(piece_for)](Step k, NodeId from, Port port, Fragments& fragments) {
                if (place[port] == n)
                    return;
                const unsigned i = (place[port] + n - k) % n;
                for (const NodeId difference : differences) {
                    if (!has_bit(difference, port))
                        continue;
                    const NodeId source = from ^ (difference & done[i * n + k]);
                    const Fragment whole = piece_for(source, source ^ difference);
                    const auto [offset, bytes] = staggered_part(whole.length, n, i, stagger(difference, n));
                    append(fragments, {whole.message, whole.offset + offset, bytes});
                }
            }};
}

Routing rotated_exchange(const Topology& topology, PieceFor piece_for)
{
    std::vector<Port> dims(topology.dimension());
    std::iota(dims.begin(), dims.end(), Port{0});
    std::vector<NodeId> differences(topology.nodes() - 1);
    std::iota(differences.begin(), differences.end(), NodeId{1});
    return rotated_exchange(topology, std::move(dims), std::move(differences), std::move(piece_for));
}

namespace {

std::size_t message_bytes(const Problem& problem)
{
    return problem.bytes * problem.packets;
}

Routing all_to_all(const Topology& topology, const Problem& problem)
{
    const std::uint64_t n = topology.nodes();
    return rotated_exchange(topology, [n, bytes = message_bytes(problem)](NodeId source, NodeId target) {
        return Fragment{source * n + target, 0, bytes};
    });
}

// The paper's own form: every node is the root of a DISTRIBUTE 1.
Routing distributing_everywhere(const Topology& topology, const Problem& problem)
{
    const std::uint64_t n = topology.nodes();
    const Routing one = rotating_distribution(topology, [bytes = message_bytes(problem)](NodeId) { return bytes; });
    return {one.stages, [one, n](Step stage, NodeId from, Port port, Fragments& fragments) {
                Fragments of_root;
                for (NodeId x = 0; x < n; ++x) {  // where `from` stands, seen from each root
                    of_root.clear();
                    one.packet(stage, x, port, of_root);
                    const NodeId root = from ^ x;
                    for (const Fragment& fragment : of_root)
                        append(fragments, {root * n + (fragment.message ^ root), fragment.offset, fragment.length});
                }
            }};
}

// ---- Permutations ----

// The mask D if every node n sends to n ^ D.
std::optional<NodeId> xor_mask(const Problem& problem)
{
    for (NodeId node = 0; node < problem.permutation.size(); ++node)
        if ((problem.permutation[node] ^ node) != problem.permutation[0])
            return std::nullopt;
    return problem.permutation[0];
}

Routing inversion(const Topology& topology, const Problem& problem)
{
    const NodeId mask = *xor_mask(problem);
    return rotated_exchange(topology, one_positions(mask), {mask},
                            [bytes = message_bytes(problem)](NodeId source, NodeId) {
                                return Fragment{source, 0, bytes};
                            });
}

// Packet b of every message goes to node b; then node b has one packet for every destination.
Routing two_exchanges(const Topology& topology, const Problem& problem)
{
    const std::size_t n = topology.nodes();
    const std::size_t bytes = message_bytes(problem);
    std::vector<NodeId> origin_of(n);
    for (NodeId node = 0; node < n; ++node)
        origin_of[problem.permutation[node]] = node;
    const auto packet = [n, bytes](NodeId origin, NodeId b) {
        const auto [offset, length] = balanced_part(bytes, n, b);
        return Fragment{origin, offset, length};
    };
    return followed_by(rotated_exchange(topology, packet),
                       rotated_exchange(topology, [packet, origin_of = std::move(origin_of)](NodeId b, NodeId target) {
                           return packet(origin_of[target], b);
                       }));
}

// ---- All-reduce ----

// Part r of the vector in rotation r: q times half of what a node holds goes over the next dimension and is added
// there; then whole sums are exchanged over the other dimensions; then the halves come back.
class HalvingDoubling {
public:
    HalvingDoubling(const Topology& topology, const Problem& problem, unsigned halvings)
        : d_(topology.dimension()), q_(halvings), unit_(size_of(problem.type)), units_(message_bytes(problem) / unit_)
    {
    }

    [[nodiscard]] Step stages() const { return d_ + q_; }
    [[nodiscard]] Step halvings() const { return q_; }
    [[nodiscard]] unsigned exchanges() const { return d_ - q_; }

    void packet(Step stage, NodeId from, Port port, Fragments& fragments) const
    {
        const Step k = stage < d_ ? stage : d_ + q_ - 1 - stage;  // dimension r + k
        const unsigned r = (port + d_ - k) % d_;
        const bool halving = stage < q_;
        // A halving gives away the partner's half of k + 1 halvings, a doubling its own.
        Stretch held = balanced_part(units_, d_, r);
        for (Step s = 0; s < std::min(k + 1, q_); ++s) {
            const bool other = halving && s == k;
            const Stretch half = balanced_part(held.length, 2, has_bit(from, (r + s) % d_) != other ? 1 : 0);
            held = {held.offset + half.offset, half.length};
        }
        append(fragments, {0, held.offset * unit_, held.length * unit_});
    }

private:
    unsigned d_;
    unsigned q_;
    std::size_t unit_;
    std::size_t units_;
};

Exact halving_doubling_time(unsigned d, unsigned q, const Exact& bytes, const LinkCosts& costs)
{
    const Exact share = costs.tau * bytes / d;
    const Exact least = Exact(1) / (Integer(1) << q);
    return 2 * (1 - least) * share + (d - q) * share * least + costs.beta * (d + q);
}

// T is convex in q.
unsigned best_halvings(unsigned d, const Exact& bytes, const LinkCosts& costs)
{
    unsigned q = 0;
    while (q < d && halving_doubling_time(d, q + 1, bytes, costs) < halving_doubling_time(d, q, bytes, costs))
        ++q;
    return q;
}

unsigned halvings_for(const Topology& topology, const Problem& problem)
{
    const unsigned d = topology.dimension();
    const unsigned best = best_halvings(d, message_bytes(problem), LinkCosts(problem.link));
    return std::min(d, problem.tuning.halvings.value_or(best));
}

// ---- Entries ----

Algorithm entry(Collective collective, std::string_view name, std::vector<std::string_view> aliases,
                std::string_view paper, std::string_view summary,
                std::function<Exact(unsigned d, const Problem&, const LinkCosts&)> time,
                std::function<Routing(const Topology&, const Problem&)> route)
{
    Algorithm head = titled(collective, name, std::move(aliases), paper, summary);
    head.time = in_ns([time = std::move(time)](const Topology& topology, const Problem& problem) {
        return time(topology.dimension(), problem, LinkCosts(problem.link));
    });
    return routed(std::move(head), std::move(route));
}

Exact exchange_time(unsigned d, const Exact& bytes, const LinkCosts& costs)
{
    return costs.tau * bytes * bit(d - 1) + costs.beta * d;
}

// The complete exchange runs from a plan of its own.
Algorithm compiled(Algorithm algorithm)
{
    algorithm.prepare = [](const Topology& topology, const Problem& problem) -> CollectiveProgram {
        const auto plan = std::make_shared<const ExchangePlan>(topology.dimension(), message_bytes(problem));
        return [plan](Node& me, NodeData data) { return exchange_completely(me, *plan, data); };
    };
    return algorithm;
}

std::vector<Algorithm> permutations()
{
    constexpr Collective permute = Collective::permute;
    Algorithm nothing = entry(
        permute, "nothing", {}, "Stout & Wagar 1990, permuted send", "the identity moves nothing",
        [](unsigned, const Problem&, const LinkCosts&) { return Exact(0); },
        [](const Topology&, const Problem&) {
            return Routing{0, [](Step, NodeId, Port, Fragments&) {}};
        });
    nothing.obstacle = [](const Topology&, const Problem& problem) {
        return xor_mask(problem) == NodeId{0} ? std::string() : "it is for the identity";
    };
    Algorithm inverting = entry(
        permute, "inversion", {"INV", "xor"}, "Stout & Wagar 1990, inversion",
        "n -> n ^ D: a part of every message over each rotation of D's dimensions",
        [](unsigned, const Problem& problem, const LinkCosts& costs) {
            const auto n = static_cast<unsigned>(std::popcount(*xor_mask(problem)));
            return costs.packets(n, ceil_div(message_bytes(problem), n));
        },
        inversion);
    inverting.obstacle = [](const Topology&, const Problem& problem) {
        return xor_mask(problem).value_or(0) != 0 ? std::string() : "it is for permutations n -> n ^ D with D > 0";
    };
    return {std::move(nothing), std::move(inverting),
            entry(
                permute, "two-exchanges", {"PS", "PERMUTED SEND"}, "Stout & Wagar 1990, permuted send",
                "each message scattered over all nodes, then collected: two all-to-alls",
                [](unsigned d, const Problem& problem, const LinkCosts& costs) {
                    return costs.tau * message_bytes(problem) + 2 * costs.beta * d;
                },
                two_exchanges)};
}

}  // namespace

std::vector<Algorithm> complete_family()
{
    const auto all_to_all_time = [](unsigned d, const Problem& problem, const LinkCosts& costs) {
        return exchange_time(d, message_bytes(problem), costs);
    };
    std::vector<Algorithm> all{
        entry(
            Collective::all_gather, "rotated", {"AG", "COMPLETE BROADCAST"}, "Stout & Wagar 1990, complete broadcast",
            "d parts of every message, each doubling in its own order of links",
            [](unsigned d, const Problem& problem, const LinkCosts& costs) {
                return costs.tau * (bit(d) - 1) * message_bytes(problem) / d + costs.beta * d;
            },
            [](const Topology& topology, const Problem& problem) {
                return gathering(
                    topology, [bytes = message_bytes(problem)](NodeId) { return bytes; }, 1);
            }),
        compiled(entry(Collective::all_to_all, "rotated", {"A2A", "COMPLETE EXCHANGE rotated"},
                       "Stout & Wagar 1990, complete exchange", "d parts of every message, one packet a link and stage",
                       all_to_all_time, all_to_all)),
        entry(Collective::all_to_all, "distribute-everywhere", {"COMPLETE EXCHANGE"},
              "Stout & Wagar 1990, complete exchange", "every node is the root of a farthest-first scatter",
              all_to_all_time, distributing_everywhere),
        entry(
            Collective::reduce_scatter, "rotated", {"RS", "HISTOGRAM"}, "Stout & Wagar 1990, histogram",
            "the all-gather backwards, sums on the way",
            [](unsigned d, const Problem& problem, const LinkCosts& costs) {
                return costs.tau * (bit(d) - 1) * message_bytes(problem) / d + costs.beta * d;
            },
            [](const Topology& topology, const Problem& problem) {
                return reversed(
                    gathering(
                        topology, [bytes = message_bytes(problem)](NodeId) { return bytes; }, size_of(problem.type)),
                    true);
            }),
        entry(
            Collective::all_reduce, "halving-doubling", {"AR"},
            "Stout & Wagar 1990, histogram and complete broadcast, with full exchanges between",
            "q halvings, d - q full exchanges, q doublings, in d rotations",
            [](unsigned d, const Problem& problem, const LinkCosts& costs) {
                const unsigned q = halvings_for(Topology::hypercube(d), problem);
                return halving_doubling_time(d, q, message_bytes(problem), costs);
            },
            [](const Topology& topology, const Problem& problem) {
                const HalvingDoubling plan(topology, problem, halvings_for(topology, problem));
                return Routing{plan.stages(),
                               [plan](Step stage, NodeId from, Port port, Fragments& fragments) {
                                   plan.packet(stage, from, port, fragments);
                               },
                               topology.dimension(), plan.halvings(), plan.exchanges() % 2 == 1};
            }),
    };
    for (Algorithm& algorithm : permutations())
        all.push_back(std::move(algorithm));
    return all;
}

}  // namespace dcube::detail
