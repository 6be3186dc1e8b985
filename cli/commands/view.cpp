// dcube view: a run or a trace as a page that plays it, as a figure, or as text.

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "cli/arguments.hpp"
#include "cli/files/files.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/plan_options.hpp"
#include "cli/sweep.hpp"
#include "cli/text/colour.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/frames.hpp"
#include "cli/trace_options.hpp"
#include "inspect/view/document/board.hpp"
#include "inspect/view/document/document.hpp"
#include "inspect/view/film/film.hpp"
#include "inspect/view/html/page.hpp"
#include "inspect/view/svg/frame.hpp"
#include "inspect/view/words/comparison.hpp"
#include "run/recording.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace dcube::cli {

namespace {

/// The options of dcube view.
struct FilmOptions {
    explicit FilmOptions(CLI::App& app);

    TraceOptions trace;
    TuningOptions tuning;
    MachineSettings machine;
    PlanOptions plans;
    bool board = false;
    bool not_judged = false;
    std::optional<std::string> algorithm{};
    std::optional<std::string> versus{};
    std::optional<Topology> versus_network{};
};

/// A run to be recorded.
struct Scene {
    Topology topology;
    PortModel ports;
    Problem problem;
    std::string algorithm;
};

void require_few_nodes(const Scene& scene)
{
    if (scene.topology.nodes() > view::most_nodes)
        throw InvalidArgument(
            fmt::format("{} has {} nodes, and networks of at most {} can be shown: dcube view {} --dim 6 can",
                        scene.topology.name(), grouped(scene.topology.nodes()), grouped(view::most_nodes),
                        name(scene.problem.collective)));
}

/// How to treat a run that is too large to be shown in full. A figure cannot use its counts alone.
enum class Counts : std::uint8_t { suffice, are_refused };

void show_less(Counts counts, const std::string& reason, std::string_view shown)
{
    if (counts == Counts::are_refused)
        throw InvalidArgument(reason + ": there is no figure of them");
    note(fmt::format("{}: {}", reason, shown));
}

constexpr std::string_view only_counts = "only how many there are in each step is shown";
constexpr std::string_view one_node = "those of node 0's messages are shown; every node does the same";

void announce(const Scene& scene, const Entry& algorithm, Counts counts)
{
    const Detail detail = expected_detail(algorithm, scene.topology, scene.problem);
    if (detail == Detail::flights)
        return;
    show_less(counts,
              fmt::format("{} transmissions are more than can be played, {}",
                          grouped(algorithm.cost(scene.topology, scene.problem).transmissions),
                          grouped(RecordingLimits().flights)),
              detail == Detail::one_node ? one_node : only_counts);
}

Recording recorded(const Scene& scene, const MachineSettings& settings, std::uint64_t seed, Counts counts,
                   const Interrupt& interrupt)
{
    require_few_nodes(scene);
    validate(scene.problem, scene.topology);
    PlanningWatch watch(interrupt);
    const Entry& algorithm = find_algorithm(scene.topology, scene.ports, scene.problem, scene.algorithm);
    announce(scene, algorithm, counts);
    VerifiedRunOptions how;
    how.seed = seed;
    RunOptions run;
    run.stop = interrupt.token();
    if (Progress* const progress = watch.progress()) {
        progress->expect(algorithm.cost(scene.topology, scene.problem).steps);
        run.on_step = [progress](Step) { progress->step(); };
    }
    Machine machine(scene.topology, settings.only(scene.ports, scene.problem.link));
    return record(machine, algorithm, scene.problem, how, run);
}

Recording read_trace(const FilmOptions& options)
{
    Recording recording;
    try {
        options.trace.read({}, [&](std::istream& trace, const JudgeOptions& how) {
            recording = options.not_judged ? record_unjudged(trace, how) : record_trace(trace, how);
        });
    } catch (const TraceFormatError& error) {
        throw InvalidArgument(error.what());
    }
    return recording;
}

view::Film film_of(Recording recording, Counts counts)
{
    const bool playable = recording.detail != Detail::counts;
    view::Film film(std::move(recording));
    if (playable && !film.has_rows())
        show_less(counts,
                  fmt::format("the packets of {} messages in {} parts each are too many to distinguish",
                              grouped(film.messages.count()), grouped(film.parts.count())),
                  only_counts);
    return film;
}

void reject_run_options(const FilmOptions& options)
{
    reject_if(options.algorithm.has_value(),
              "--algorithm is for a run: a trace is shown as it is; --versus compares it with a run");
    reject_if(options.versus_network.has_value(), "--versus-topology is for a run: it cannot be combined with --trace");
}

Scene scene_of(const FilmOptions& options)
{
    const ProblemOptions& asked = options.trace.problem();
    std::ignore = asked.collective();  // complains first
    Scene scene{options.trace.network().only(), asked.ports(), {}, options.algorithm.value_or("auto")};
    scene.problem = asked.problem(scene.topology);
    scene.problem.link = options.trace.links().model(scene.topology, scene.ports);
    scene.problem.tuning = options.tuning.tuning(scene.problem.link, scene.topology);
    return scene;
}

Scene other_scene(const FilmOptions& options, const Scene& scene)
{
    Scene other = scene;
    other.algorithm = options.versus.value_or(scene.algorithm);
    if (options.versus_network) {
        other.topology = *options.versus_network;
        other.problem = options.trace.problem().problem(other.topology);
        other.problem.link = other.topology.links(scene.problem.link, scene.ports);
        other.problem.tuning = scene.problem.tuning;
    }
    return other;
}

FilmOptions::FilmOptions(CLI::App& app)
    : trace(app, ProblemOptions::Reductions::with_operation, TraceOptions::Links::as_traced,
            TraceOptions::Given::by_option),
      tuning(app), machine(app, Sweep::no), plans(app)
{
    add_flag(app, {"--board", "", "a board on which you schedule the packets yourself, for --html", "Problem"}, board);
    add_flag(app, {"--not-judged", "", "the trace as it is: bytes may come twice, or not at all", "Problem"},
             not_judged);
    add_text(app, {"--algorithm", "NAME", "an algorithm from dcube list [auto]", "Problem"}, algorithm);
    add_text(app, {"--versus", "ALGORITHM", "a second algorithm, side by side", "Comparison"}, versus);
    add_parsed(app, {"--versus-topology", "NETWORK", "a second network, side by side", "Comparison"}, versus_network,
               [](const std::string& given) { return Topology::parse(given); });
}

// Runs or reads one film, or two if it is to be compared. Reports on standard error which are too large to be shown in
// full. Throws InvalidArgument, and what a run or reading a trace throws.
std::vector<view::Film> films_of(const FilmOptions& options, Counts counts, const Interrupt& interrupt)
{
    std::vector<view::Film> films;
    const auto add_run = [&](const Scene& scene) {
        const std::uint64_t seed = options.trace.problem().seed();
        films.push_back(film_of(recorded(scene, options.machine, seed, counts, interrupt), counts));
    };
    if (options.trace.has_file()) {
        reject_run_options(options);
        films.push_back(film_of(read_trace(options), counts));
        if (options.versus) {
            const Recording& traced = films.front().recording;
            add_run({traced.topology, traced.ports, traced.problem, *options.versus});
        }
        return films;
    }
    const Scene scene = scene_of(options);
    add_run(scene);
    if (options.versus || options.versus_network)
        add_run(other_scene(options, scene));
    return films;
}

/// --html and --svg, and what a figure shows and how: --at to --no-legend
class ViewFiles {
public:
    explicit ViewFiles(CLI::App& app);
    ViewFiles(const ViewFiles&) = delete;
    ViewFiles& operator=(const ViewFiles&) = delete;

    [[nodiscard]] bool any() const { return html_ || svg_; }
    [[nodiscard]] bool figure() const { return svg_.has_value(); }
    /// Writes both files completely or neither, and prints their sizes on standard error. Throws InvalidArgument.
    void write(const std::vector<view::Film>& films) const;
    /// The same for a board; a figure of it is the network before the first step.
    void write_board(const TraceQuestion& question) const;

private:
    [[nodiscard]] view::FilmFigure figure_of(const view::Film& film) const;
    void read_moments(const std::string& text);
    [[nodiscard]] std::vector<view::Moment> moments_of(const view::Film& film) const;

    const CLI::App& app_;
    std::optional<std::string> html_;
    bool plain_ = false;
    std::optional<std::string> svg_;
    std::vector<std::variant<Step, Rational, std::pair<Step, Step>>> at_;  // a step, ns, or steps from one to another
    std::optional<std::uint64_t> width_mm_;
    std::optional<std::string> layout_;
    std::optional<std::uint64_t> origin_;
    bool no_legend_ = false;
};

constexpr std::uint64_t most_nodes = std::uint64_t{1} << 24;
constexpr NumberRange step_numbers{0, std::uint64_t{1} << 20};

// Whether an option has no effect on the files.
bool is_silent(const CLI::Option& option)
{
    constexpr std::string_view silent[] = {"--color", "--board", "--plan-cache"};
    return MachineSettings::has(option.get_name()) || std::ranges::find(silent, option.get_name()) != std::end(silent);
}

// The command that made the page, with files by their last names.
std::string command_line(const CLI::App& app)
{
    std::string collective;
    std::string rest;
    const std::string board = app["--board"]->count() > 0 ? " --board" : "";
    std::map<const CLI::Option*, std::size_t> taken;  // of its values
    for (const CLI::Option* const option : app.parse_order()) {
        if (is_silent(*option))
            continue;
        const std::string& value = option->results().at(taken[option]++);
        if (!option->nonpositional()) {
            collective = " " + shell_word(value);
            continue;
        }
        rest += " " + option->get_name();
        const bool is_file = option->get_type_name() == "FILE";
        if (option->get_items_expected_max() > 0)  // no flag
            rest += " " + shell_word(is_file ? last_name(value) : value);
    }
    return "dcube view" + board + collective + rest;
}

ViewFiles::ViewFiles(CLI::App& app) : app_(app)
{
    constexpr const char* heading = "Output";
    add_file(app, {"--html", "FILE", "write a page that plays it in any browser", heading}, html_, "the steps");
    add_flag(app, {"--plain", "", "the page's data uncompressed, for old browsers", heading}, plain_);
    add_file(app, {"--svg", "FILE", "write a figure, for slides and papers", heading}, svg_, "the steps");
    add_option(
        app,
        {"--at", "WHEN", "the figure's steps, 0 is before the first, or time: 3 or 1,2,4 or 1:4 or 150ns [1]", heading},
        [this](const std::string& given) { read_moments(given); });
    add_number(app, {"--width", "MM", "the figure's width in millimetres [84]", heading}, {20, 2000}, width_mm_);
    add_text(app, {"--drawing", "NAME", "the figure's layout: lattice, levels, 'cube in cube', ...", heading}, layout_);
    add_number(app, {"--origin", "NODE", "the figure shows packets of this node only", heading}, {0, most_nodes - 1},
               origin_);
    add_flag(app, {"--no-legend", "", "no text below the figure", heading}, no_legend_);
    need(app, "--plain", "--html");
    for (const char* const option : {"--at", "--width", "--drawing", "--origin", "--no-legend"})
        need(app, option, "--svg");
}

void ViewFiles::read_moments(const std::string& text)
{
    const auto step = [](const std::string& number) {
        return static_cast<Step>(parse_number("--at", number, step_numbers));
    };
    for (const std::string& one : split(text, ","))
        if (const std::size_t colon = one.find(':'); colon != std::string::npos)
            at_.emplace_back(std::pair(step(one.substr(0, colon)), step(one.substr(colon + 1))));
        else if (one.ends_with("ns"))
            at_.emplace_back(parse_rational("--at", one.substr(0, one.size() - 2)));
        else
            at_.emplace_back(step(one));
}

// "plays 512 transmissions", "plays node 0's of 5 242 880 transmissions"
std::string page_contents(const std::vector<view::Film>& films)
{
    std::uint64_t transmissions = 0;
    bool played = true;
    bool of_one_node = false;
    for (const view::Film& film : films) {
        transmissions += film.recording.transmissions;
        played = played && film.has_rows();
        of_one_node = of_one_node || film.is_of_one_node();
    }
    return fmt::format("{}{} {} transmissions", played ? "plays" : "counts",
                       played && of_one_node ? " node 0's of" : "", grouped(transmissions));
}

/// Files that are written completely or not at all; their contents are described on standard error.
class WrittenFiles {
public:
    void add(const std::string& file, const std::string& text, const std::string& what)
    {
        files_.emplace_back(file).write(text);
        contents_.push_back(fmt::format("{}: {}{}", file, size_text(text.size()), what));
    }

    void add_figure(const std::string& file, const view::FilmFigure& figure)
    {
        add(file, figure.svg, ". " + figure.legend);
    }

    void commit()
    {
        for (NewFile& file : files_)
            file.commit();
        for (const std::string& line : contents_)
            note(line);
    }

private:
    std::list<NewFile> files_;
    std::vector<std::string> contents_;
};

void ViewFiles::write(const std::vector<view::Film>& films) const
{
    WrittenFiles files;
    if (html_)
        files.add(*html_,
                  view::film_page(films, command_line(app_), plain_ ? view::Packing::plain : view::Packing::deflated),
                  ", " + page_contents(films));
    if (svg_)
        files.add_figure(*svg_, figure_of(films.front()));
    files.commit();
}

void ViewFiles::write_board(const TraceQuestion& question) const
{
    reject_if(!any(), "--board is for a page or a figure: expected --html or --svg FILE");
    view::require_board(question);
    WrittenFiles files;
    if (html_)
        files.add(*html_, view::board_page(question, command_line(app_)), ", a board");
    if (svg_)
        files.add_figure(*svg_, figure_of(view::empty_film(question)));
    files.commit();
}

std::vector<view::Moment> ViewFiles::moments_of(const view::Film& film) const
{
    if (at_.empty())
        return {{.step = film.recording.steps == 0 ? 0U : 1U}};
    std::vector<view::Moment> moments;
    for (const auto& when : at_)
        if (const auto* const ns = std::get_if<Rational>(&when))
            moments.push_back({.tick = view::tick_at(film, *ns)});
        else if (const auto* const steps = std::get_if<std::pair<Step, Step>>(&when))
            for (const view::Moment& moment : view::steps_between(steps->first, steps->second))
                moments.push_back(moment);
        else
            moments.push_back({.step = std::get<Step>(when)});
    return moments;
}

view::FilmFigure ViewFiles::figure_of(const view::Film& film) const
{
    return view::figure(film, {.moments = moments_of(film),
                               .width_mm = static_cast<double>(width_mm_.value_or(84)),
                               .layout = layout_,
                               .origin = origin_ ? std::optional(static_cast<NodeId>(*origin_)) : std::nullopt,
                               .legend = no_legend_ ? view::Legend::left_out : view::Legend::drawn});
}

struct ViewOptions {
    explicit ViewOptions(CLI::App& app);

    FilmOptions films;
    ViewFiles files;
    ColourMode colour = ColourMode::automatic;
};

ViewOptions::ViewOptions(CLI::App& app) : films(app), files(app)
{
    add_colour(app, colour);
    add_quiet(app);
    need(app, "--not-judged", "--trace");
    exclude(app, "--board", {"--trace", "--algorithm", "--versus", "--versus-topology", "--at", "--origin"});
}

void show_text(const ViewOptions& options, const std::vector<view::Film>& films)
{
    const Colour colour = choose_colour(options.colour);
    for (const view::Film& film : films) {
        print_frames(film, colour);
        if (&film != &films.back())
            print("\n" + wrapped(view::comparison_sentence(films[0].recording, films[1].recording)) + "\n");
    }
}

void validate(const ViewOptions& options)
{
    reject_if(options.files.figure() && (options.films.versus || options.films.versus_network),
              "--svg draws one run: --html FILE shows two side by side");
    reject_if(is_quiet() && !options.files.any(), "--quiet needs a file to write: --html FILE or --svg FILE");
}

int view_it(const ViewOptions& options, const Interrupt& interrupt)
{
    validate(options);
    if (options.films.board) {
        const Scene scene = scene_of(options.films);
        options.files.write_board({scene.topology, scene.ports, scene.problem});
        return 0;
    }
    options.films.plans.use();
    const detail::PlanningScope planning(interrupt.token());
    const Counts counts = options.files.figure() ? Counts::are_refused : Counts::suffice;
    const std::vector<view::Film> films = films_of(options.films, counts, interrupt);
    interrupt.check();
    options.files.write(films);
    if (!options.files.any())
        show_text(options, films);
    interrupt.check();
    if (const auto& ending = films.front().recording.ending) {
        complain(options.films.trace.before_lines() + ending->message);
        return 1;
    }
    return 0;
}

Execution define_view(CLI::App& app)
{
    const auto options = std::make_shared<ViewOptions>(app);
    return [options](const Interrupt& interrupt) { return view_it(*options, interrupt); };
}

}  // namespace

extern const Command view_command{
    .name = "view",
    .usage = "view COLLECTIVE --dim D [OPTIONS]",
    .summary = "look at a run: a page that plays it, a figure, or text",
    .footer =
        R"(Examples:
  dcube view all-to-all --dim 3
  dcube view all-to-all --dim 4 --html exchange.html
  dcube view all-to-all --dim 4 --versus dimension-exchange --html a.html
  dcube view all-to-all --dim 4 --versus-topology torus:4x4 --html b.html
  dcube view scatter --dim 4 --bytes 1KiB --machine ncube3 --html c.html
  dcube view scatter --dim 3 --svg scatter.svg --at 1:3 --width 174
  dcube run all-reduce --dim 3 --trace t.jsonl
  dcube view --trace t.jsonl --html d.html
  dcube view --board broadcast --dim 3 --html your-turn.html

Without --html or --svg the steps are printed: what each node sends over each port, as origin>target -> )"
        R"(neighbour, and what it then has.

A page is one file, which any browser plays offline. It plays at most 1 048 576 transmissions; of )"
        R"(larger runs it shows their number in each step and, of a total exchange in which all nodes do the same, node )"
        R"(0's blocks. A wrong trace is shown up to the rejected line, and the exit code is 1.)",
    .define = define_view,
    .heading = to_begin};

}  // namespace dcube::cli
