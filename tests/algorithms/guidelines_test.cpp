// No collective is slower than what others of dcube's make together that achieves the same ("self-consistent
// performance guidelines": Traff, Gropp, Thakur 2010), in steps and in time; by forecasts, without a byte moved.

#include "base/exact.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exact.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;
using detail::Exact;

namespace {

// The size of a message, by the size m that is asked about.
enum class Size : std::uint8_t {
    message,        // m
    of_all,         // N m
    share_of_node,  // m/N, rounded up
};

struct Part {
    Collective collective;
    Size size = Size::message;
};

struct Guideline {
    Part whole;
    std::vector<Part> parts;  // one after the other
};

const std::vector<Guideline>& guidelines()
{
    using enum Collective;
    using enum Size;
    static const std::vector<Guideline> all{
        {{all_reduce}, {{all_gather}}},
        {{all_reduce}, {{reduce_scatter, share_of_node}, {all_gather, share_of_node}}},
        {{all_reduce}, {{reduce}, {broadcast}}},
        {{all_reduce}, {{all_to_all, share_of_node}, {all_gather, share_of_node}}},
        {{barrier}, {{all_gather}}},
        {{barrier}, {{all_reduce}}},
        {{scan}, {{all_gather}}},
        {{scan}, {{all_to_all, share_of_node}, {all_to_all, share_of_node}}},
        {{scan}, {{exscan}}},
        {{exscan}, {{scan}}},
        {{broadcast}, {{scatter, share_of_node}, {all_gather, share_of_node}}},
        {{broadcast}, {{all_gather}}},
        {{broadcast}, {{all_reduce}}},
        {{broadcast}, {{reduce}}},
        {{reduce}, {{broadcast}}},
        {{reduce}, {{all_reduce}}},
        {{reduce}, {{reduce_scatter, share_of_node}, {gather, share_of_node}}},
        {{gather}, {{all_gather}}},
        {{gather}, {{scatter}}},
        {{scatter}, {{gather}}},
        {{scatter}, {{broadcast, of_all}}},
        {{scatter}, {{all_to_all}}},
        {{all_gather}, {{gather}, {broadcast, of_all}}},
        {{all_gather}, {{reduce_scatter}}},
        {{all_gather}, {{all_to_all}}},
        {{reduce_scatter}, {{all_gather}}},
        {{reduce_scatter}, {{all_to_all}}},
        {{reduce_scatter}, {{all_reduce, of_all}}},
        {{reduce_scatter}, {{reduce, of_all}, {scatter}}},
    };
    return all;
}

// The cost of the best algorithms, in steps or, on links that take time, in ns.
class Costs {
public:
    Costs(const Topology& topology, PortModel ports, LinkModel link = {})
        : topology_(topology), ports_(ports), link_(link)
    {
    }

    // Where links take time scans on hypercubes go by groups of bytes only, and may take a little more than a whole
    // all-gather, or than two total exchanges of parts.
    [[nodiscard]] Exact slack(Collective whole) const
    {
        return link_.bound() && topology_.is_hypercube() && is_scan(whole) ? Exact(103) / 100 : Exact(1);
    }

    // Packets, or bytes where links take time.
    Exact operator()(Collective collective, std::size_t message)
    {
        const auto known = costs_.find({collective, message});
        return known != costs_.end() ? known->second : costs_[{collective, message}] = cost(collective, message);
    }
    Exact operator()(const Part& part, std::size_t message)
    {
        const std::size_t n = topology_.members();
        switch (part.size) {
        case Size::message: break;
        case Size::of_all: message *= n; break;
        case Size::share_of_node: message = (message + n - 1) / n; break;
        }
        return (*this)(part.collective, message);
    }
    Exact operator()(const std::vector<Part>& parts, std::size_t message)
    {
        return std::accumulate(parts.begin(), parts.end(), Exact(0),
                               [&](const Exact& sum, const Part& part) { return sum + (*this)(part, message); });
    }

private:
    [[nodiscard]] Problem problem_of(Collective collective, std::size_t message) const
    {
        Problem problem{.collective = collective, .bytes = 1, .packets = message, .peer = topology_.nodes() - 1};
        if (link_.bound())
            std::swap(problem.bytes, problem.packets);
        problem.link = link_;
        if (is_barrier(collective))
            problem.bytes = 0;
        return problem;
    }
    [[nodiscard]] Exact cost(Collective collective, std::size_t message) const
    {
        const Problem problem = problem_of(collective, message);
        const Entry& algorithm = find_algorithm(topology_, ports_, problem);
        if (!link_.bound())
            return algorithm.cost(topology_, problem).steps;
        const auto time = predicted_time(algorithm, topology_, problem);
        REQUIRE(time);
        return detail::exact(time->ns);
    }

    Topology topology_;
    PortModel ports_;
    LinkModel link_;
    std::map<std::pair<Collective, std::size_t>, Exact> costs_;
};

constexpr Collective compared[] = {Collective::broadcast,  Collective::reduce,     Collective::scatter,
                                   Collective::gather,     Collective::all_gather, Collective::reduce_scatter,
                                   Collective::all_reduce, Collective::all_to_all};

std::string words(const Guideline& guideline)
{
    const auto text = [](const Part& part) {
        constexpr std::string_view sizes[] = {"m", "N m", "m/N"};
        return fmt::format("{}({})", name(part.collective), sizes[static_cast<std::size_t>(part.size)]);
    };
    std::string all = text(guideline.whole) + " <= " + text(guideline.parts.front());
    for (std::size_t i = 1; i < guideline.parts.size(); ++i)
        all += " + " + text(guideline.parts[i]);
    return all;
}

const std::vector<std::string>& compared_networks()
{
    static const std::vector<std::string> all{
        "hypercube:1",
        "hypercube:2",
        "hypercube:3",
        "hypercube:4",
        "hypercube:3 without 0-1",
        "ring:3",
        "ring:4",
        "ring:5",
        "ring:8",
        "path:2",
        "path:5",
        "torus:3x3",
        "torus:4x3",
        "torus:4x4",
        "mesh:3x3",
        "mesh:2x5",
        "ghc:2x4",
        "ghc:3x4",
        "ghc:4x4",
        "complete:3",
        "complete:5",
        "complete:8",
        "petersen",
        "star:3",
        "pancake:3",
        "star:4",
        "ccc:3",
        "ring:5*path:4",
        "circulant:9,1,3",
        "circulant:13,1,5",
        "petersen*path:2",
        "hypercube:4 without 0-1,9",
        "hypercube:3 without 7",
        "complete:6 without 0-1",
        "torus:3x3 without 4",
    };
    return all;
}

// Returns the number of comparisons.
std::size_t compare(Costs& costs, const std::vector<std::size_t>& messages)
{
    std::size_t comparisons = 0;
    for (const std::size_t m : messages)
        for (const Guideline& guideline : guidelines()) {
            CAPTURE(words(guideline), m);
            CHECK(costs(guideline.whole, m) <= costs.slack(guideline.whole.collective) * costs(guideline.parts, m));
            ++comparisons;
        }
    for (const Collective collective : compared)
        for (const std::size_t a : messages)
            for (const std::size_t b : messages) {
                CAPTURE(name(collective), a, b);
                if (a < b)
                    CHECK(costs(collective, a) <= costs(collective, b));
                comparisons += a < b ? 1 : 0;
            }
    return comparisons;
}

}  // namespace

TEST_CASE("guidelines: no collective takes more steps than others that achieve the same",
          "[algorithms][guidelines][long]")
{
    std::size_t comparisons = 0;
    Sample sample(7, 3);
    for (const std::string& network : compared_networks()) {
        if (!sample.takes_next())
            continue;
        const Topology topology = Topology::parse(network);
        const std::vector<std::size_t> messages{1, 2, 5, topology.members()};
        Costs one(topology, PortModel::one);
        Costs all(topology, PortModel::all);
        for (Costs* const costs : {&one, &all}) {
            CAPTURE(network, costs == &one ? "one port" : "all ports");
            comparisons += compare(*costs, messages);
        }
        for (const Collective collective : compared)
            for (const std::size_t m : messages) {
                CAPTURE(network, name(collective), m);
                CHECK(all(collective, m) <= one(collective, m));
                ++comparisons;
            }
    }
    CHECK(comparisons > smaller(8'000U, 2'000U, 800U));
}

TEST_CASE("guidelines: no collective takes more time than others that achieve the same",
          "[algorithms][guidelines][link-bound][long]")
{
    std::size_t comparisons = 0;
    Sample sample(7, 3);
    for (const std::string& network : compared_networks())
        for (const LinkModel& link : {link_bound(1, 1000), link_bound(3, 10)}) {
            if (!sample.takes_next())
                continue;
            Costs costs(Topology::parse(network), PortModel::all, link);
            CAPTURE(network, to_string(link.tau), to_string(link.beta));
            comparisons += compare(costs, {1, 100});
        }
    CHECK(comparisons > smaller(3'000U, 800U, 300U));
}

namespace {

constexpr Collective of_counts[] = {Collective::scatter, Collective::gather, Collective::all_gather,
                                    Collective::reduce_scatter, Collective::all_to_all};

std::uint64_t steps_of_counts(const Topology& topology, PortModel ports, Collective collective,
                              const std::vector<std::uint32_t>& counts)
{
    Problem problem{.collective = collective, .bytes = 1, .root = topology.member(0)};
    problem.counts = counts;
    return find_algorithm(topology, ports, problem).cost(topology, problem).steps;
}

// As many packets in every message between members as there are in any.
std::vector<std::uint32_t> all_as_long(std::vector<std::uint32_t> counts, Collective collective,
                                       const Topology& topology)
{
    const std::uint32_t most = std::ranges::max(counts);
    const bool pairs = collective == Collective::all_to_all;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto from = static_cast<NodeId>(pairs ? i / topology.nodes() : i);
        const auto to = static_cast<NodeId>(pairs ? i % topology.nodes() : i);
        if (topology.is_member(from) && topology.is_member(to))
            counts[i] = most;
    }
    return counts;
}

}  // namespace

TEST_CASE("guidelines: messages of different lengths take no more steps than if all were as long as the longest, and "
          "messages of one length no more than the same ones as counts",
          "[algorithms][guidelines][uneven][long]")
{
    std::size_t comparisons = 0;
    Sample sample(7, 3);
    for (const std::string& network : compared_networks())
        for (const PortModel ports : {PortModel::all, PortModel::one}) {
            if (!sample.takes_next())
                continue;
            const Topology topology = Topology::parse(network);
            Costs costs(topology, ports);
            for (const Collective collective : of_counts)
                for (const char* const law : {"zipf:1:1", "poisson:1", "sparse:1/4:1"}) {
                    CAPTURE(network, name(ports), name(collective), law);
                    const std::vector<std::uint32_t> counts = counts_by_law(law, collective, topology, 1);
                    const std::uint32_t most = std::ranges::max(counts);
                    if (most == 0)
                        continue;
                    const std::uint64_t longest =
                        steps_of_counts(topology, ports, collective, all_as_long(counts, collective, topology));
                    CHECK(steps_of_counts(topology, ports, collective, counts) <= longest);
                    // With one port two searches may end a step apart.
                    if (!topology.lacks_nodes())  // else the root of messages of one length may be missing
                        CHECK(costs(collective, most) <= longest + (ports == PortModel::one ? 1 : 0));
                    ++comparisons;
                }
        }
    CHECK(comparisons > smaller(800U, 200U, 80U));
}

namespace {

// The same network, but nothing says which one it is: edges in a text, of nodes that are numbered anew.
Topology anonymous(const Topology& named, std::uint64_t seed)
{
    std::vector<NodeId> number(named.nodes());
    std::iota(number.begin(), number.end(), NodeId{0});
    if (seed > 0)
        Random(seed).shuffle(number);
    std::string edges;
    for (NodeId node = 0; node < named.nodes(); ++node)
        for (Port port = 0; port < named.ports(node); ++port)
            if (const NodeId other = named.neighbour(node, port); node < other)
                edges += fmt::format("{} {}\n", number[node], number[other]);
    return Topology::product({Graph::from_text("anonymous", edges)});
}

void check_lists_of_edges()
{
    Sample sample(7, 3);
    for (const char* const network : {"hypercube:2", "hypercube:3", "hypercube:4", "ring:5", "ring:8", "torus:3x3",
                                      "torus:4x3", "torus:4x4", "mesh:3x3", "ghc:3x4", "complete:5", "complete:8"})
        for (const std::uint64_t seed : {0U, 5U})
            for (const PortModel ports : {PortModel::all, PortModel::one}) {
                if (!sample.takes_next())
                    continue;
                const Topology named = Topology::parse(network);
                Costs by_name(named, ports);
                Costs by_edges(anonymous(named, seed), ports);
                for (const Collective collective : compared)
                    for (const std::size_t m : std::vector<std::size_t>{1, 2, named.nodes()}) {
                        if (has_root(collective) && seed > 0)
                            continue;  // node 0 may be another one
                        CAPTURE(network, seed, name(ports), name(collective), m);
                        CHECK(by_edges(collective, m) <= by_name(collective, m));
                    }
            }
}

}  // namespace

TEST_CASE("guidelines: a network takes no more steps as a list of edges than by its name",
          "[algorithms][guidelines][long]")
{
    check_lists_of_edges();
}
