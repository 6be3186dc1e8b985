#pragma once
// Requests: what a page asks of dcube, as one JSON object. Its keys are those of a report (dcube list fields) wherever
// a report has one, and so are the names of values; what is asked is read as the program reads its options, so that
// both refuse the same with the same words. A key that nobody knows is refused, and so is one that is written twice, a
// value of another type, a number that does not fit, and an object in which others are nested more than three deep. A
// key whose value is null counts as left out.
//
//   what        "run" (which is meant if it is left out), "list", "catalogue", "network", "board" or "judge"
//   results     of "run": those that are wanted, of "report", "document" and "explain"; ["report"].
//               Of "list": ["bounds"] if the lower bounds are wanted too, which may take a search.
//
// The question, for all but "catalogue"; "network" only needs the topology:
//
//   collective  "all-to-all", or another name of it: a paper's, or one of MPI or NCCL
//   topology    "hypercube:4" if it is left out; "graph:NAME" is a graph of `graph`
//   faults      links and nodes that the network lacks: "0-1,9"
//   graph       {"NAME": the text of a graph's file}: the only files that there are
//   ports       "all" or "one"
//   bytes, packets, root, peer, permutation, rows, columns, layout, to_layout, operation, type
//               of the problem, as options take them: 64, "64" or "4KiB"; a permutation is a name or a list of nodes.
//               Those that do not apply to the collective are refused.
//   in_place    true: one array a node
//   link_model  "unit" or "link-bound"; which it is follows from the next three
//   tau_ns_per_byte, beta_ns
//               numbers, or texts such as "5/2": links take time
//   machine     a machine whose tau and beta are known: "ncube3"
//   clock       of links that take time: "data-driven" or "lockstep"
//   groups, detour_groups, waves, halvings
//               what an algorithm for links that take time is to choose
//
// How a run does it:
//
//   algorithm   "auto" if it is left out
//   program     {"name": "mine", "source": "..."}: a program of one's own in place of an algorithm. Without a
//               collective it is run and not verified: `bytes`, `packets` and `type` say what every node has as input,
//               and as room for output
//   seed        of the data; 1
//   failing     links and nodes that fail while it runs: "0-1@3,5@2", or a list of such texts
//   versus      a second run, of "run" only: an object with the keys of the question and of the run that differ. null
//               there takes a key away, so that {"program": null} compares a program with an algorithm. Both are of one
//               collective.
//
// For "judge" only:
//
//   trace       the lines that dcube verify reads. Their first line may say what it is a trace of; if the request has
//               a collective too, the first line must not contradict it.

#include "run/question.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::lab {

enum class What : std::uint8_t { run, list, catalogue, network, board, judge };

/// A program of one's own.
struct OwnProgram {
    std::string name;
    std::string source;
};

/// What is given of one run.
struct Run {
    Texts given{};
    std::optional<OwnProgram> program{};
};

struct Request {
    What what = What::run;
    std::vector<std::string> results{};
    Run first{};
    std::optional<Run> versus{};  ///< all of the second run, not only what differs
    std::map<std::string, std::string, std::less<>> graphs{};
    std::string trace{};

    [[nodiscard]] bool wants(std::string_view result) const;
};

/// Throws InvalidArgument.
Request parse_request(std::string_view text);

/// The command line that does the same, without the program's name: "run all-to-all --topology torus:4x4"; two of them
/// where no command makes both runs. None for what no command does.
std::vector<std::string> commands_of(const Request& request);

}  // namespace dcube::lab
