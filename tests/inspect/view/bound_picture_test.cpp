// Pictures of bounds: every bound has one, and it says what the proof says.

#include "base/arithmetic.hpp"
#include "base/exact.hpp"
#include "collectives/example.hpp"
#include "inspect/explain/pages.hpp"
#include "inspect/view/document/document.hpp"
#include "tests/inspect/view/recordings.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/played.hpp"

#include <numeric>
#include <set>
#include <span>

using namespace dcube;
using namespace dcube::explain;
using namespace test_support;

namespace {

std::uint64_t steps_of(const Proof& proof)
{
    return static_cast<std::uint64_t>(proof.value.numerator);
}

std::uint64_t packets_of(const Proof& proof)
{
    return static_cast<std::uint64_t>(proof.packets);
}

// Looks up the proof's value in its picture.
struct ReadOff {
    const Topology& topology;
    const Proof& proof;

    void operator()(const CutPicture& cut) const
    {
        REQUIRE(cut.sending.size() == topology.nodes());
        CHECK(std::set<bool>(cut.sending.begin(), cut.sending.end()).size() == 2);
        const bool among = proof.name == "few-senders";  // they may be neighbours of each other
        for (const auto& [node, port] : proof.links) {
            const bool from = cut.sending[node];
            const bool to = cut.sending[topology.neighbour(node, port)];
            CHECK((among ? from || !to : from && !to));
        }
        if (proof.name == "cut")
            CHECK(detail::ceil_div(packets_of(proof), proof.links.size()) == steps_of(proof));
    }
    void operator()(const PortsPicture& ports) const
    {
        for (const auto& [node, port] : proof.links)
            CHECK((ports.out ? node : topology.neighbour(node, port)) == ports.node);
        if (!proof.links.empty())
            CHECK(detail::ceil_div(packets_of(proof), proof.links.size()) <= steps_of(proof));
    }
    void operator()(const PartsPicture& parts) const
    {
        REQUIRE(parts.part.size() == topology.nodes());
        CHECK(std::set<int>(parts.part.begin(), parts.part.end()).size() > 2);
        for (NodeId node = 0; node < topology.nodes(); ++node)
            for (Port port = 0; port < topology.ports(node); ++port) {
                const int next = parts.part[topology.neighbour(node, port)];
                CHECK((parts.part[node] == -1 || next == -1 || next == parts.part[node]));
            }
    }
    void operator()(const DistancePicture& two) const
    {
        const std::uint64_t far = topology.distance(two.from, two.to);
        CHECK(far <= steps_of(proof));
        if (two.paths.empty())
            CHECK(far + (two.rate == 0 ? 1 : detail::ceil_div(packets_of(proof), two.rate)) - 1 == steps_of(proof));
        else
            CHECK(two.paths.front() == far);
    }
    void operator()(const GrowthPicture& growth) const
    {
        CHECK(growth.first <= steps_of(proof));
        if (!growth.most.empty()) {
            CHECK(growth.most.back() == topology.members());
            CHECK(growth.first + growth.most.size() - 2 == steps_of(proof));
        }
    }
    void operator()(const AmountPicture& amount) const
    {
        CHECK(detail::ceil_div(packets_of(proof), amount.per_step) == steps_of(proof));
        if (!amount.by_distance.empty())
            CHECK(std::accumulate(amount.by_distance.begin(), amount.by_distance.end(), std::uint64_t{0}) ==
                  packets_of(proof));
    }
    void operator()(const TimePicture& time) const
    {
        const double least = time.start_up + time.bytes + static_cast<double>(time.more) * (time.start_up + time.byte);
        CHECK(least == Approx(proof.value.to_double()));
    }
};

Json bound_of(const Topology& topology, const Problem& problem, PortModel ports = PortModel::all)
{
    const auto recording = recording_of(topology, problem, ports);
    REQUIRE(recording);
    const view::Film film(*recording);
    return Json::parse(view::document(std::span(&film, 1), "dcube view", view::Packing::deflated))
        .at("films")
        .at(0)
        .at("bound");
}

}  // namespace

TEST_CASE("pictures of bounds: every bound that has a name has one, but those of links that differ", "[view][bound]")
{
    std::set<std::string_view> kinds;
    for (const BoundText& bound : bound_texts()) {
        CAPTURE(bound.name);
        const std::optional<Proof> proof = example_proof(bound);
        REQUIRE(proof);
        if (bound.name.starts_with("timed-")) {
            CHECK_FALSE(proof->picture);
            continue;
        }
        REQUIRE(proof->picture);
        kinds.insert(kind_of(*proof->picture));
    }
    CHECK(kinds == std::set<std::string_view>{"cut", "ports", "parts", "distance", "growth", "amount", "time"});
}

TEST_CASE("pictures of bounds: the value of a proof can be read off its picture", "[view][bound]")
{
    std::set<std::string_view> kinds;
    for (const char* const network :
         {"hypercube:1", "hypercube:3", "mesh:3x5", "torus:3x4", "path:6", "star:5", "petersen"})
        for (const Collective collective : all_collectives)
            for (const PortModel ports : {PortModel::all, PortModel::one})
                for (const std::size_t packets : {1U, 3U, 20U}) {
                    const Topology topology = Topology::parse(network);
                    Problem problem = example_problem(collective, topology);
                    problem.packets = is_matrix(collective) ? 1 : packets;
                    CAPTURE(network, name(collective), name(ports), packets);
                    const Proof proof = steps_proof(topology, ports, problem);
                    REQUIRE(proof.picture.has_value() == (steps_of(proof) > 0));
                    if (proof.picture) {
                        CAPTURE(proof.name, kind_of(*proof.picture));
                        kinds.insert(kind_of(*proof.picture));
                        std::visit(ReadOff{topology, proof}, *proof.picture);
                    }
                    problem.link = {.kind = LinkKind::link_bound, .tau = {1, 2}, .beta = {10, 1}};
                    const Proof timed = time_proof(topology, problem);
                    if (timed.picture)
                        std::visit(ReadOff{topology, timed}, *timed.picture);
                }
    CHECK(kinds.size() >= 6);
}

TEST_CASE("pictures of bounds: a document has the sides of nodes, or of groups, in a few bytes", "[view][bound][slow]")
{
    const Json cube = bound_of(Topology::hypercube(4), {Collective::all_to_all, 8});
    CHECK(cube.at("picture") == Json{{"kind", "cut"}, {"must", 64}, {"sending", "ff00"}});
    CHECK(cube.at("lines").at(0).at("about") == "nodes");
    CHECK(cube.at("lines").at(1).at("about") == "links");

    const Json large = bound_of(Topology::hypercube(8), {Collective::all_to_all, 8});
    CHECK(large.at("picture") == Json{{"kind", "cut"}, {"must", 16384}, {"groups", "ff00"}});

    const Json ports = bound_of(Topology::hypercube(3), {Collective::scatter, 8});
    CHECK(ports.at("picture") == Json{{"kind", "ports"}, {"must", 7}, {"node", 0}, {"out", true}});

    for (const char* const network : {"hypercube:3", "torus:3x4", "mesh:3x5", "petersen"})
        for (const Collective collective : all_collectives) {
            const Topology topology = Topology::parse(network);
            CAPTURE(network, name(collective));
            if (const auto recording = recording_of(topology, small_problem(collective, topology))) {
                const Json bound = bound_of(topology, small_problem(collective, topology));
                if (!bound.is_null())
                    CHECK(bound.at("picture").dump().size() < 200);
            }
        }
}
