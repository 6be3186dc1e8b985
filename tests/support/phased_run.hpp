#pragma once
// A traced run beside the phases of its algorithm, for tests of their claims.

#include "tests/support/catalogue_cases.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <bit>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace test_support {

// The largest cubes whose phases are followed.
inline constexpr unsigned most_dimensions = smaller(5U, 4U);

// The distance of two nodes of a cube.
inline unsigned distance(dcube::NodeId a, dcube::NodeId b)
{
    return static_cast<unsigned>(std::popcount(a ^ b));
}

struct PhasedSend {
    dcube::Step step;
    dcube::NodeId from;
    dcube::NodeId to;
    dcube::Port port;
    std::vector<dcube::Piece> pieces;
    std::string phase;  // the one that the sender noted
};
using WhichSent = std::function<bool(const PhasedSend&)>;

struct Steps {
    dcube::Step first;
    dcube::Step last;

    friend bool operator==(const Steps&, const Steps&) = default;
};
std::ostream& operator<<(std::ostream& out, const Steps& steps);

struct PhasedRun {
    std::vector<dcube::AlgorithmPhase> phases;
    std::vector<PhasedSend> sent;  // by step
    dcube::Report report;

    // The steps of the phase with this name; the test fails if there is none.
    [[nodiscard]] Steps steps_of(std::string_view phase) const;
    // The steps from the first to the last with such a transmission.
    [[nodiscard]] Steps steps_with(const WhichSent& which) const;
    [[nodiscard]] std::vector<PhasedSend> during(const dcube::AlgorithmPhase& phase) const;
};

PhasedRun phased_run(const Case& one);

// A run of an entry of the catalogue by name, all ports unless the algorithm is for one.
PhasedRun phased_run(const dcube::Topology& topology, const dcube::Problem& problem, std::string_view algorithm);

// The number in a name behind `before`, if the name begins so, after the name of a part ("scatter: ").
std::optional<unsigned> number_after(std::string_view name, std::string_view before);

// The contributors of every sum, by node and byte of the vector, followed through the run. Calls `visit` with the
// contributors in each transmission, before it arrives.
using VisitSum = std::function<void(const PhasedSend& sent, const std::set<dcube::NodeId>& terms)>;
void follow_sums(const PhasedRun& run, const dcube::Topology& topology, std::size_t bytes, const VisitSum& visit);

}  // namespace test_support
