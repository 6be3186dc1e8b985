#pragma once
// Edge colouring of bipartite multigraphs: unit operations of jobs on machines, dealt out to time steps.

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

struct ColouredEdge {
    std::uint32_t left;   // the job
    std::uint32_t right;  // the machine
};

// The largest degree of any node on either side.
std::uint32_t largest_degree(std::span<const ColouredEdge> edges);

// A colour 0 .. colours - 1 for every edge, so that no two edges of a colour share an end (Koenig's theorem; `colours`
// is at least the largest degree). Edges that come first tend to get low colours.
std::vector<std::uint32_t> colour_edges(std::span<const ColouredEdge> edges, std::uint32_t colours);

// The same for steps in time, so that few jobs are under way at once: what has begun goes on as soon as it can, the
// oldest first, and a job is begun only where a machine that must work in this step would idle; of those that serve it
// is the one with the least number.
std::vector<std::uint32_t> pack_edges(std::span<const ColouredEdge> edges, std::uint32_t steps);

}  // namespace dcube::detail
