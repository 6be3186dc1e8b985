#pragma once
/// @file
/// The catalogue: the one table of all algorithms, with their descriptions.

#include <dcube/algorithm.hpp>
#include <dcube/link.hpp>
#include <dcube/node.hpp>
#include <dcube/problem.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup algorithm
/// @{

/// The source of an algorithm.
enum class Origin : std::uint8_t {
    paper,       ///< as it stands in the paper's section
    refinement,  ///< of the algorithm in the paper's section
    dcube,       ///< ours; the paper, where one is named, has the idea it starts from
    own,         ///< the caller's own: it is not in the catalogue
};
/// The origin as reports have it: "paper", "refinement", "dcube", "own".
std::string_view name(Origin origin);

/// The tuning parameters that an algorithm accepts.
struct Tunable {
    bool groups = false;         ///< Tuning::groups
    bool detour_groups = false;  ///< Tuning::detour_groups
    bool waves = false;          ///< Tuning::waves
    bool halvings = false;       ///< Tuning::halvings
};

/// A virtual time in ns that is known before a run.
struct PredictedTime {
    Rational ns;        ///< the time itself
    bool exact = true;  ///< a run takes just that; else it takes at most that

    friend bool operator==(const PredictedTime&, const PredictedTime&) = default;
};

/// A phase: the task of some of an algorithm's steps. Phases may overlap: some algorithms do two things side by side.
struct AlgorithmPhase {
    Step first;            ///< as in traces: the first step is 1
    Step last;             ///< the last of its steps, not before the first
    std::string name;      ///< a few words, for a time line
    std::string sentence;  ///< the task of these steps and its reason, in one sentence with this run's numbers
    /// The dimension whose links alone it uses, if it is named after one; only on hypercubes.
    std::optional<unsigned> dimension{};

    friend bool operator==(const AlgorithmPhase&, const AlgorithmPhase&) = default;
};

/// The cost of an algorithm, as its paper would write it, "ceil(m/d) + d - 1": in the letters of docs/glossary.md, and
/// g, X and q for parameters that the algorithm chooses itself.
struct CostFormula {
    std::string_view steps{};          ///< of unit links, where there is a closed form
    std::string_view transmissions{};  ///< the same
    std::string_view time{};           ///< in ns on links that take time, exact for sizes that divide
    std::string_view words{};          ///< the formula in words, where letters do not say it, or not all of it
};

/// A formula that is not the same in every case: one term for each factor of a network, or with values that a search
/// has found.
struct CaseFormula {
    /// The time of another entry of the catalogue, on the same network and links.
    struct Part {
        std::string letter;          ///< as it stands in CaseFormula::text
        std::string_view algorithm;  ///< the name of that entry
        Collective collective;       ///< the task of that entry
        std::size_t bytes;           ///< a message; 0: the part takes no time
        std::size_t groups = 0;      ///< Tuning::groups of that entry's run
    };
    std::string text;  ///< of the steps or, on links that take time, of the time
    std::map<std::string, std::uint64_t, std::less<>> letters{};  ///< values of its own letters
    std::vector<Part> parts{};                                    ///< meanings of some of its letters
    /// Why a run can take a little more or less; empty: because sizes do not divide evenly.
    std::string_view remark{};
};

/// The catalogue's description of an algorithm: its source, an explanation, its formulas and times, and how "auto" and
/// callers choose it.
struct Description {
    std::vector<std::string_view> aliases{};  ///< other names, such as the paper's
    std::string_view paper{};                 ///< paper and section
    Origin origin = Origin::paper;            ///< whose algorithm it is
    std::string_view summary{};               ///< one line
    std::string_view idea{};                  ///< its method and why it works, in a few sentences
    CostFormula formula{};                    ///< exact, but for what CostFormula::words says
    std::string_view paper_note{};  ///< the paper's statements about it, and differences; errata: docs/errata.md
    /// False: "auto" never takes it, because planning it takes long or it is there for comparison only.
    bool automatic = true;
    Tunable tunable{};  ///< the members of Problem::tuning that a caller may set

    /// Closed form of the virtual time in ns on a link-bound machine (problem.link), as the paper has it: exact for
    /// sizes that divide; empty for algorithms of the unit model. predicted_time() gives the time of a run at any size.
    std::function<std::optional<Rational>(const Topology&, const Problem&)> time =
        [](const Topology&, const Problem&) -> std::optional<Rational> { return std::nullopt; };
    /// The virtual time of a run there, at any size and on any clock, found by going through its packets without their
    /// bytes and kept for the next time; empty where that is too much work. Ask predicted_time().
    std::function<std::optional<Rational>(const Topology&, const Problem&)> run_time{};
    /// An upper bound of a run's time there, at any size. None: the closed form is one, and for the unit model every
    /// step takes at most as long as a packet.
    std::function<std::optional<Rational>(const Topology&, const Problem&)> time_limit{};
    /// A lower bound of a run's time there, at any size, in ns, which is found with little work: algorithms that cannot
    /// be the fastest are not gone through. None: only the lower bound of the problem is known.
    std::function<Rational(const Topology&, const Problem&)> time_floor{};
    /// The formula of one case, where it is not the same in all; none where `formula` says all. Not for one node.
    std::function<std::optional<CaseFormula>(const Topology&, const Problem&)> case_formula =
        [](const Topology&, const Problem&) -> std::optional<CaseFormula> { return std::nullopt; };
    /// The approximate number of elementary operations that making the plan takes; 0 where there is nothing to search,
    /// and then Algorithm::cost takes no time either. Where it is large, it and Algorithm::prepare make the same plan
    /// once and keep it.
    std::function<std::uint64_t(const Topology&, const Problem&)> planning_work = [](const Topology&, const Problem&) {
        return std::uint64_t{0};
    };
    /// The most packets that a node has received, has to send on, and does not keep, between any two steps on unit
    /// links; empty where finding that is too much work. None: it is not known.
    std::function<std::optional<std::uint64_t>(const Topology&, const Problem&)> in_transit{};
    /// Its phases in words, by first step; together they cover all steps in which something is sent. Empty if nothing
    /// is sent, or if a caller's algorithm has none.
    std::function<std::vector<AlgorithmPhase>(const Topology&, const Problem&)> phases =
        [](const Topology&, const Problem&) { return std::vector<AlgorithmPhase>(); };
};

/// An algorithm of the catalogue with its description. Both parts are written in braces of their own:
/// `Entry{{.collective = .., .name = ..}, {.paper = ..}}`.
struct Entry : Algorithm, Description {};

/// The time of a run of the algorithm on a link-bound machine (problem.link); empty if known only after a run.
std::optional<PredictedTime> predicted_time(const Entry& entry, const Topology& topology, const Problem& problem);

/// How every message is cut on links that take time, if an algorithm of the unit model, which needs packets of one
/// size, chooses the number of packets: the number with the least virtual time among those that were tried.
struct MessageCut {
    std::size_t packets;       ///< of a message
    std::size_t bytes;         ///< of each of them but the last, which has what is left
    Rational ns;               ///< the time of a run
    std::uint64_t link_bytes;  ///< bytes that cross links in it
};
/// How the algorithm cuts messages for this problem. Empty where messages go as the problem says, or as an algorithm
/// that was made for such links cuts them.
std::optional<MessageCut> chosen_cut(const Entry& entry, const Topology& topology, const Problem& problem);

/// Bytes that cross links in a run; empty if known only after a run.
std::optional<std::uint64_t> predicted_link_bytes(const Entry& entry, const Topology& topology, const Problem& problem);

/// The key of a choice in the tuning that the algorithm does not offer and so ignores ("groups", "waves"); empty if
/// there is none.
std::string_view ignored_choice(const Entry& entry, const Tuning& tuning);

/// All algorithms, collective by collective, simple ones first.
std::span<const Entry> catalogue();

/// True of an algorithm that was made for one port on links that take time, on hypercubes whose nodes may use all
/// ports: others take less there. "auto" does not take it, and comparisons leave it out.
bool leaves_ports_idle(const Algorithm& algorithm, const Topology& topology, PortModel ports);

/// Puts an algorithm of the caller's own beside the catalogue's, for as long as the process runs: find_algorithm()
/// finds it by its name, and so do all calls and commands that take one. "auto" never takes it. It needs a cost and a
/// program, which algorithm_of() makes of a schedule; what its name points at must last. Not while other threads use
/// algorithms. Throws InvalidArgument where one of them is missing, or the collective has an algorithm of that name.
const Entry& add_algorithm(Algorithm own);
/// The same with a description, as dcube explain shows it; its origin becomes Origin::own.
const Entry& add_algorithm(Entry own);

/// The catalogue's algorithms for a collective, and those that were added.
std::vector<const Entry*> algorithms_for(Collective collective);

/// The algorithm of that name or alias. "auto" is the best that can do it: the one with the fewest steps (then
/// transmissions), or on link-bound machines the one of least predicted time, whatever model it was made for. On a
/// link-bound machine a name selects the link-bound algorithm if there is one, else the unit-model one; "unit:NAME"
/// selects the unit-model one. "@FILE" is the schedule in that file, which stands there as a trace does (judge.hpp); it
/// is judged by the problem before anything is run. Throws InvalidArgument: no such name (and which there are), or it
/// cannot do this problem (and why).
const Entry& find_algorithm(const Topology& topology, PortModel ports, const Problem& problem,
                            std::string_view name = "auto");

/// @}

}  // namespace dcube
#pragma GCC visibility pop
