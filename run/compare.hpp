#pragma once
// The algorithms of one problem, one after the other on the same machine: which are tried, in which order they are
// shown, and why some are left out.

#include <dcube/catalogue.hpp>
#include <dcube/link.hpp>
#include <dcube/machine.hpp>
#include <dcube/problem.hpp>
#include <dcube/report.hpp>
#include <dcube/run.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dcube {

struct Candidate {
    std::string name;        ///< in full, as find_algorithm() takes it
    const Entry* algorithm;  ///< null: there is an obstacle
    std::string obstacle;    ///< keys in it stand as mention() writes them
};

/// The algorithms of these names; none, or "all", are those of the catalogue that were made for the network, except
/// those for links of another kind that take no time here.
std::vector<Candidate> candidates(const Topology& topology, PortModel ports, const Problem& problem,
                                  std::span<const std::string> names = {});

/// The result of a candidate.
struct Tried {
    std::optional<Report> report{};  ///< of a verified run
    std::string obstacle{};          ///< why there is none, with keys as mention() writes them
};

/// Runs it, on the machine's links. `expect` is given the steps that it will take, where they are known. All ranks do
/// this together. Throws what run_verified throws, but for InvalidArgument and want of memory, which are obstacles.
Tried try_out(Machine& machine, const Candidate& candidate, const Problem& problem, const VerifiedRunOptions& how,
              const RunOptions& options, const std::function<void(std::uint64_t)>& expect = {});

/// Whether the first run is better than the other, of the same problem: it took less time or, on links of the unit
/// model, fewer steps, then transmissions.
bool is_better(const Report& one, const Report& other);

}  // namespace dcube
