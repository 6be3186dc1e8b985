#include "web/lab/lab.hpp"

#include "base/files.hpp"
#include "base/planning.hpp"
#include "inspect/explain/pages.hpp"
#include "inspect/view/document/board.hpp"
#include "inspect/view/document/document.hpp"
#include "inspect/view/film/film.hpp"
#include "run/given.hpp"
#include "run/recording.hpp"
#include "run/report.hpp"
#include "run/report_fields.hpp"
#include "run/verdict.hpp"
#include "web/lab/answers.hpp"
#include "web/lab/own_program.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/judge.hpp>
#include <dcube/run.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <exception>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

namespace dcube::lab {

namespace {

using Results = std::map<std::string, std::string, std::less<>>;

// The results that are there also if the run failed. A document is of how it failed.
bool is_left(std::string_view result)
{
    return result == "command" || result == "report_command" || result == "document";
}

// Larger films than these would block a page for about a second; dcube view makes them.
constexpr RecordingLimits film_limits{.flights = std::uint64_t{1} << 18, .pieces = std::uint64_t{1} << 19};

// A request that is being answered.
class Asking {
public:
    Asking(const Request& request, const Surroundings& surroundings, Results& results)
        : request_(request), surroundings_(surroundings), results_(results)
    {
    }

    void answer()
    {
        say_command();
        switch (request_.what) {
        case What::run: return run();
        case What::list: return keep("list", list_of(question(), request_.wants("bounds")));
        case What::catalogue: return keep("catalogue", catalogue_json());
        case What::network: return keep("network", network_json(few_nodes(topology_of(request_.first.given))));
        case What::board: return board();
        case What::judge: return judge();
        }
    }

private:
    // A run and its results.
    struct Made {
        Question question;
        std::shared_ptr<const Entry> own{};
        const Entry* algorithm = nullptr;
        Report report{};
        std::optional<Recording> recording{};
        std::exception_ptr error{};
    };

    void keep(const std::string& name, const Json& json) { results_[name] = written(json); }

    void say_command()
    {
        std::vector<std::string> lines;
        try {
            lines = commands_of(request_);
            if (const auto line = report_command_of(request_))
                results_["report_command"] = "./dcube " + *line;
        } catch (const InvalidArgument&) {
            return;  // the error is reported where it is parsed
        }
        for (std::string& line : lines)
            line.insert(0, "./dcube ");
        if (!lines.empty())
            results_["command"] = fmt::format("{}", fmt::join(lines, "\n"));
    }

    // The command for a document, without the program's folder.
    [[nodiscard]] std::string command() const
    {
        const auto found = results_.find("command");
        return found == results_.end() ? "" : found->second.substr(2, found->second.find('\n') - 2);
    }

    const Topology& few_nodes(const Topology& topology) const
    {
        if (topology.nodes() > surroundings_.most_nodes)
            throw InvalidArgument("topology", fmt::format("{} has {} nodes: at most {} are possible here",
                                                          topology.name(), topology.nodes(), surroundings_.most_nodes));
        return topology;
    }

    [[nodiscard]] Question question(const Run& run) const
    {
        Question question = run.program ? own_question_of(run.given) : question_of(run.given);
        few_nodes(question.topology);
        return question;
    }
    [[nodiscard]] Question question() const { return question(request_.first); }

    [[nodiscard]] std::shared_ptr<const Entry> own_algorithm(const Run& run, const Question& question) const
    {
        if (!run.program)
            return nullptr;
        if (surroundings_.interpreter == nullptr)
            throw InvalidArgument("program", "programs of one's own cannot be run here");
        return algorithm_of(*run.program, question, *surroundings_.interpreter);
    }

    Made prepared(const Run& run) const
    {
        Made made{question(run)};
        const Question& asked = made.question;
        if (request_.wants("document"))
            view::require_showable(asked.topology);
        made.own = own_algorithm(run, asked);
        const Stopwatch choosing;
        made.algorithm =
            made.own ? made.own.get() : &require_algorithm(asked.topology, asked.ports, asked.problem, asked.algorithm);
        made.report.planning_seconds = choosing.seconds();
        return made;
    }

    [[nodiscard]] RunOptions run_options(const Made& made) const
    {
        RunOptions options;
        options.stop = surroundings_.stop;
        options.failing = made.question.failing;
        const std::uint64_t expected =
            made.algorithm->cost ? made.algorithm->cost(made.question.topology, made.question.problem).steps : 0;
        options.on_step = [this, expected, own = made.own != nullptr](Step step) {
            if (own)
                require_few_steps(step);
            if (surroundings_.step)
                surroundings_.step(step, expected);
        };
        return options;
    }

    void run(Made& made) const
    {
        const auto& [topology, ports, problem, name, seed, failing, free] = made.question;
        MachineOptions options;
        options.ports = ports;
        options.link = problem.link;
        options.threads = 1;
        options.watch_lent_bytes = made.own != nullptr;  // the catalogue's algorithms are tested for that
        options.memory_limit = surroundings_.memory_limit;
        Machine machine(topology, options);
        VerifiedRunOptions how;
        how.seed = seed;
        const double choosing = made.report.planning_seconds;
        if (free) {
            keep(made, attempt_free(machine, *made.algorithm, problem, seed, run_options(made), film_limits));
        } else if (request_.wants("document") || made.own) {  // which is only verified by its packets
            keep(made, attempt(machine, *made.algorithm, problem, how, run_options(made), film_limits));
        } else {
            made.report = run_verified(machine, *made.algorithm, problem, how, run_options(made));
        }
        made.report.planning_seconds += choosing;
    }

    // A run that failed leaves its film, too, which ends in that event.
    static void keep(Made& made, Attempt attempt)
    {
        made.recording = std::move(attempt.recording);
        made.error = attempt.error;
        if (!made.error)
            made.report = *made.recording->report;
    }

    void run()
    {
        std::vector<Made> all;
        all.push_back(prepared(request_.first));
        if (request_.versus)
            all.push_back(in_second_run([&] { return prepared(*request_.versus); }));
        if (request_.wants("report") || request_.wants("document")) {
            run_and_film(all, all.front());
            if (request_.versus)
                in_second_run([&] { run_and_film(all, all.back()); });
        }
        if (request_.wants("report")) {
            keep("report", report_json(all.front()));
            if (all.size() > 1)
                keep("versus", report_json(all.back()));
        }
        if (request_.wants("document"))
            results_["document"] = document(all);
        if (request_.wants("explain"))
            keep("explain", explanation(all.front()));
    }

    // Throws what the run has thrown, when its film is there.
    void run_and_film(const std::vector<Made>& all, Made& made)
    {
        run(made);
        if (!made.error)
            return;
        if (request_.wants("document") && all.size() == 1)
            results_["document"] = document(made);
        std::rethrow_exception(made.error);
    }

    // The report. A free run has no collective, so the keys that concern one are null.
    [[nodiscard]] static Json report_json(const Made& made)
    {
        Json record = record_of(made.report);
        if (made.question.free)
            for (const ReportEntry& entry : report_entries())
                if (needs_collective(entry) && stands_in(entry, RecordKind::report))
                    record[std::string(entry.key)] = nullptr;
        return record;
    }

    [[nodiscard]] std::string document(std::vector<Made>& all) const
    {
        std::vector<view::Film> films;
        for (Made& made : all)
            films.emplace_back(*std::move(made.recording));
        return view::document(films, command(), view::Packing::plain);
    }
    [[nodiscard]] std::string document(Made& made) const
    {
        const view::Film film(*std::move(made.recording));
        return view::document({&film, 1}, command(), view::Packing::plain);
    }

    [[nodiscard]] static Json explanation(const Made& made)
    {
        if (made.own)
            throw InvalidArgument("program", "there is no explanation of a program of one's own");
        const Question& asked = made.question;
        return page_json(explain::run_page(*made.algorithm, {asked.topology, asked.ports, asked.problem}));
    }

    void board()
    {
        const Question asked = question();
        results_["board"] = view::board_document({asked.topology, asked.ports, asked.problem}, command());
    }

    [[nodiscard]] bool has_question() const
    {
        for (const auto& [key, text] : request_.first.given)
            if (key->key == "collective")
                return true;
        return false;
    }

    // The question by which the trace is judged: its header's, which must match that of the request.
    [[nodiscard]] TraceQuestion judged_by(const std::optional<TraceQuestion>& header) const
    {
        if (!header && !has_question())
            throw InvalidArgument(
                "trace", "", fmt::format("has no header: give {} and {}", mention("collective"), mention("topology")));
        if (header)
            few_nodes(header->topology);
        if (!has_question())
            return *header;
        const Question asked = question();
        const TraceQuestion said{asked.topology, asked.ports, asked.problem, asked.failing};
        if (!header)
            return said;
        if (const std::string other = difference(*header, said); !other.empty())
            throw InvalidArgument("trace",
                                  fmt::format("the request contradicts its header, which has {}", other.substr(0, 80)));
        return *header;
    }

    void judge()
    {
        std::istringstream trace(request_.trace);
        std::optional<TraceQuestion> asked;
        JudgeOptions how;
        how.question = [&](const std::optional<TraceQuestion>& header) {
            asked = judged_by(header);
            return *asked;
        };
        try {
            const Verdict verdict = judge_trace(trace, how);
            keep("judge", verdict_record(*asked, verdict));
        } catch (const TraceError& error) {
            keep("judge", rejection_record(asked, error));
        }
    }

    const Request& request_;
    const Surroundings& surroundings_;
    Results& results_;
};

}  // namespace

Lab::Lab(Surroundings surroundings) : surroundings_(std::move(surroundings)) {}

bool Lab::ask(std::string_view text)
{
    try {
        results_.clear();
        try {
            const Request request = parse_request(text);
            const detail::GivenFiles files(request.graphs);
            const detail::PlanningScope planning(surroundings_.stop, [this](const detail::PlanningStage& stage) {
                if (surroundings_.planning && !stage.what.empty())
                    surroundings_.planning(stage.what, stage.done);
            });
            Asking(request, surroundings_, results_).answer();
            return true;
        } catch (...) {
            std::erase_if(results_, [](const auto& result) { return !is_left(result.first); });
            results_["error"] = written(error_json(std::current_exception()));
        }
    } catch (...) {  // not even for the words of an error is there memory
    }
    return false;
}

const std::string* Lab::result(std::string_view name) const
{
    const auto found = results_.find(name);
    return found == results_.end() ? nullptr : &found->second;
}

}  // namespace dcube::lab
