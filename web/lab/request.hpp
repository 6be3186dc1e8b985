#pragma once
// Requests of a page to dcube, each one JSON object: the keys of a question (run/question.hpp), with numbers,
// texts, lists and true or false as values, and the keys below. An unknown key is refused, and so is one that
// is written twice, a value of another type, a number that does not fit, and an object in which others are nested more
// than three deep. A key whose value is null counts as left out.
//
//   what        "run" (which is meant if it is left out), "list", "catalogue", "network", "board" or "judge". All but
//               "catalogue" take a question; "network" only needs the topology.
//   results     of "run": those that are wanted, of "report", "document" and "explain"; ["report"].
//               Of "list": ["bounds"] if the lower bounds are wanted too, which may take a search.
//   graph       {"NAME": the text of a graph's file}: the only files that there are; the topology "graph:NAME" is one
//   program     {"name": "mine", "source": "..."}: a program of one's own in place of an algorithm. Without a
//               collective it is run and not verified: `bytes`, `packets` and `type` say what every node has as input,
//               and as room for output
//   versus      a second run, of "run" only: an object with the keys of the question and of the run that differ. null
//               there takes a key away, so that {"program": null} compares a program with an algorithm. Both are of one
//               collective.
//   trace       of "judge": the lines that dcube verify reads. Their first line may say what it is a trace of; if the
//               request has a collective too, the first line must not contradict it.

#include "run/question.hpp"

#include <cstdint>
#include <exception>
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

/// The given values of one run.
struct Run {
    GivenValues given{};
    std::optional<OwnProgram> program{};
};

struct Request {
    What what = What::run;
    std::vector<std::string> results{};
    Run first{};
    std::optional<Run> versus{};  ///< all of the second run, not only the differences
    std::map<std::string, std::string, std::less<>> graphs{};
    std::string trace{};

    [[nodiscard]] bool wants(std::string_view result) const;
};

/// Thrown in place of an error in the second run.
struct SecondRunFailed {
    std::exception_ptr error;
};

/// Calls make(), for the second run.
template <class Make>
auto in_second_run(const Make& make)
{
    try {
        return make();
    } catch (const std::exception&) {
        throw SecondRunFailed{std::current_exception()};
    }
}

/// Throws InvalidArgument, or SecondRunFailed with one.
Request parse_request(std::string_view text);

/// The command line that does the same, without the program's name: "run all-to-all --topology torus:4x4"; two of them
/// where no command makes both runs. None where no command does the same.
std::vector<std::string> commands_of(const Request& request);
/// Where that makes the film of one run, the command line that prints its report; else none.
std::optional<std::string> report_command_of(const Request& request);

}  // namespace dcube::lab
