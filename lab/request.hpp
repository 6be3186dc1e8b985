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
//   collective  "all-to-all", or a paper's name of it
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
//   machine     a machine whose tau and beta are known: "ncube2"
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

#include "collectives/problem_fields.hpp"

#include <dcube/error.hpp>
#include <dcube/faults.hpp>
#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube::lab {

enum class What : std::uint8_t { run, list, catalogue, network, board, judge };

/// A key of a question or of a run, which is an option of the program too.
struct Key {
    enum class Kind : std::uint8_t {
        text,
        texts,   ///< a text, or a list of texts or of whole numbers
        number,  ///< a whole number, or a text that says it
        exact,   ///< a number, or a text such as "5/2"
        flag,
    };

    std::string_view key;
    const char* option;  ///< null: several, or an argument
    std::string_view help;
    Kind kind = Kind::text;
    const ProblemField* field = nullptr;                  ///< of the problem, if it is one
    std::vector<std::string_view> (*values)() = nullptr;  ///< all that are possible; null where there is no list
};

/// In the order in which command lines have them.
std::span<const Key> question_keys();

/// The values of the keys that are given, as options would be given them, in the order of the keys.
using Texts = std::vector<std::pair<const Key*, std::string>>;

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

/// What is wrong with the value of a key.
struct WrongValue : InvalidArgument {
    WrongValue(std::string_view of, const std::string& why) : InvalidArgument(why), key(of) {}
    std::string key;
};

/// Throws InvalidArgument.
Request parse_request(std::string_view text);

/// One run that is asked for, or what is asked of a board, a list or a judge.
struct Question {
    Topology topology = Topology::hypercube(0);
    PortModel ports = PortModel::all;
    Problem problem{};  ///< with its links
    std::string algorithm = "auto";
    std::uint64_t seed = 1;
    std::vector<Failing> failing{};
    /// A program of one's own without a collective: it is run and not verified (Recording::free).
    bool free = false;
};

/// Throws InvalidArgument: what is missing or does not go together, as the program says it.
Question question_of(const Texts& given);
/// The same for a program of one's own, which needs no collective.
Question own_question_of(const Texts& given);
Topology topology_of(const Texts& given);

/// The command line that does the same, without the program's name: "run all-to-all --topology torus:4x4"; two of them
/// where no command makes both runs. None for what no command does.
std::vector<std::string> commands_of(const Request& request);

}  // namespace dcube::lab
