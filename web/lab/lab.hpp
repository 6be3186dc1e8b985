#pragma once
// The lab: collectives, boards, judgements and lists for a page, asked for in JSON (request.hpp) and answered in JSON.
//
// Results, by name:
//
//   report, versus   of "run": the reports of dcube run --format json. There are no warm runs: wall_seconds is of the
//                    only one.
//   document         of "run": the document that a page plays (inspect/view/document/document.hpp), a film or two side
//                    by side, with columns that are not deflated. For runs with more than 2^18 transmissions it has
//                    only their number in each step: "columns" is null. Of one run that failed by a broken rule, an
//                    exception of the program or a wrong result, it is there, too, and ends in that event.
//   explain          of "run": the page of dcube run --explain:
//                    {"title": text, "sections": [{"heading": text, "blocks": [block, ...]}, ...]}, where a block is
//                    {"kind": "paragraph" or "lines", "lines": [text, ...]} or
//                    {"kind": "rows" or "proof", "rows": [[words, number], ...]}. A paragraph has one line, to be
//                    wrapped; lines are shown as they are.
//   command          of "run" and "board": the command line that does the same, text. It is there also if the run
//                    failed. Left out where there is none.
//   report_command   of "run" where `command` makes the film of one run: the command line that prints the report.
//   list             of "list": {"collective": .., "topology": .., "best": the name that "auto" takes or null,
//                    "algorithms": [{"name", "paper", "origin", "idea", "summary", "ports", "link_model", "possible":
//                    true or false, "why": null or why not, "steps", "transmissions", "time_ns": null or what it
//                    takes}, ...], "bounds": null or {"steps": {"value", "reason"}, "transmissions": {..}} or, on links
//                    that take time, {"time_ns": {..}}}. "name" is as `algorithm` takes it. Steps and times that only a
//                    long search knows are null.
//   catalogue        of "catalogue": see catalogue.cpp, which is the list itself.
//   network          of "network": {"topology", "title": "4-cube", "nodes", "links": both directions as one, "missing":
//                    "0-1,9" or null, "dimensions", "ports": the most of a node}.
//                    A wrong topology is an error.
//   board            of "board": the document of a board.
//   judge            of "judge": the record of dcube verify --format json: "accepted", and for a trace that is not,
//                    "line" (null: all of it) and "reason"; the counts, bounds and "best_algorithm" of one that is. A
//                    trace that is not accepted is no error.
//   error            if a request failed: {"kind": see below, "message": one line, in which keys have their own names,
//                    "rule", "step", "node", "port": null where an error has none, "packet": null or {"sender",
//                    "step"} of the packet whose bytes were changed or that was never received, "key": the key of the
//                    request that it is about, or null, "why": the message without that key of a request that is
//                    refused, else null: texts and {"key": ..}, for which a form has labels, "subject": whether that
//                    message goes on from the key ("is missing"), else null, "run": 1 if it is the second run's, else
//                    0, "exit": dcube's exit code}. Kinds:
//                    "input"         the request is not possible, or memory does not suffice; exit 2
//                    "rule"          a program broke a rule of the machine; exit 1
//                    "deadlock"      the rule is that all nodes wait for each other
//                    "verification"  nodes do not hold what they should; exit 1
//                    "impossible"    a program of one's own is below a bound, or its nodes hold what no packet has
//                                    brought them; exit 1
//                    "program"       a program of one's own threw, in that step at that node; exit 1
//                    "memory"        there was not enough in the middle of a run; exit 2
//                    "interrupted"   it was stopped; exit 130
//                    "internal"      an error in dcube; exit 1

#include "web/lab/request.hpp"

#include <dcube/machine.hpp>
#include <dcube/stop.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace dcube::lab {

class Interpreter;

/// The surroundings of a lab. All may be left out.
struct Surroundings {
    /// Called while a plan is searched for: the stage, and the part of it that is done, 0 to 1.
    std::function<void(std::string_view what, double done)> planning{};
    /// Called after each step of a run, with the expected number of steps; 0: not known.
    std::function<void(Step step, std::uint64_t expected)> step{};
    StopToken stop{};
    Interpreter* interpreter = nullptr;  ///< of programs of one's own, which are refused without one
    std::size_t memory_limit = 0;        ///< bytes of a machine; 0: all memory
    NodeId most_nodes = ~NodeId{0};      ///< of a network
};

/// Keeps nothing from one request to the next but the results.
class Lab {
public:
    explicit Lab(Surroundings surroundings = {});

    /// Answers the request; true unless there is an error, which is a result too. Throws nothing (exceptions that an
    /// interpreter of a page throws past C++ pass, and leave a lab that is of no use any more).
    bool ask(std::string_view request);

    /// A result of the last request; null if it has no such result.
    [[nodiscard]] const std::string* result(std::string_view name) const;
    [[nodiscard]] const std::map<std::string, std::string, std::less<>>& results() const { return results_; }

private:
    Surroundings surroundings_;
    std::map<std::string, std::string, std::less<>> results_;
};

}  // namespace dcube::lab
