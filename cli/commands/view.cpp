// dcube view: a run or a trace to be looked at, as a page that plays it, or as text.

#include "cli/commands/view_files.hpp"
#include "cli/commands/view_films.hpp"
#include "cli/output.hpp"
#include "cli/text/colour.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/frames.hpp"
#include "cli/text/raw_terminal.hpp"
#include "cli/text/terminal.hpp"
#include "view/words/comparison.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dcube::cli {

namespace {

struct ViewOptions {
    explicit ViewOptions(CLI::App& app);

    FilmOptions films;
    ViewFiles files;
    bool text = false;
    bool step = false;
    std::optional<ColourMode> colour{};
};

ViewOptions::ViewOptions(CLI::App& app) : films(app), files(app)
{
    constexpr const char* heading = "Output";
    add_flag(app, {"--text", "", "print what each step does; the default", heading}, text);
    add_flag(app, {"--step", "", "the same, step by step with the arrow keys", heading}, step);
    add_colour(app, colour);
}

// All frames, an empty line between them; before the first step there is nothing to be seen.
void print_frames(Frames& frames)
{
    for (Step step = 1; step <= frames.steps(); ++step)
        print(frames.at(step) + "\n");
    print(frames.at(frames.steps() + 1));
}

void step_through(Frames& frames, const Interrupt& interrupt)
{
    RawTerminal terminal;
    Step now = 0;
    for (Key key = Key::start; key != Key::quit; key = terminal.wait(interrupt.token())) {
        switch (key) {
        case Key::forward: now = std::min(now + 1, frames.steps() + 1); break;
        case Key::back: now = now == 0 ? 0 : now - 1; break;
        case Key::start: now = 0; break;
        case Key::end: now = frames.steps() + 1; break;
        case Key::again:
        case Key::quit: break;
        }
        terminal.show(frames.at(now) + "\nright, left: a step   home, end   q: quit\n");
    }
}

void show_text(const ViewOptions& options, const std::vector<view::Film>& films, const Interrupt& interrupt)
{
    const Colour colour = choose_colour(options.colour.value_or(ColourMode::automatic));
    for (const view::Film& film : films) {
        Frames frames(film, terminal_width(), colour);
        if (options.step)
            step_through(frames, interrupt);
        else
            print_frames(frames);
        if (&film != &films.back())
            print("\n" + wrapped(view::comparison_sentence(films[0].recording, films[1].recording)) + "\n");
    }
}

void validate(const ViewOptions& options)
{
    const bool two = options.films.versus || options.films.versus_network;
    options.files.validate(two ? 2 : 1);
    if (options.text && options.step)
        throw InvalidArgument("--text and --step cannot be used together");
    if (options.step && two)
        throw InvalidArgument("--step shows one run: --html FILE shows two side by side, --text one after the other");
}

int view_it(const ViewOptions& options)
{
    validate(options);
    options.films.plans.use();
    const Interrupt interrupt;
    const detail::PlanningScope planning(interrupt.token());
    const std::vector<view::Film> films = films_of(options.films, interrupt);
    interrupt.check();
    options.files.write(films);
    if (options.text || options.step || !options.files.any())
        show_text(options, films, interrupt);
    interrupt.check();
    if (const auto& rejection = films.front().recording.rejection) {
        complain(rejection->message);
        return 1;
    }
    return 0;
}

std::function<int()> define_view(CLI::App& app)
{
    const auto options = std::make_shared<ViewOptions>(app);
    return [options] { return view_it(*options); };
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
  dcube view scatter --dim 4 --bytes 1KiB --machine ncube2 --html c.html
  dcube view scatter --dim 3 --svg scatter.svg --steps 1:3 --width 174
  dcube run all-reduce --dim 3 --trace t.jsonl
  dcube view --trace t.jsonl --html d.html

Without --html the steps are printed: what each node sends over each port, as origin>target -> neighbour, and )"
        R"(what it then has.

A page is one file, which any browser plays, without a network. It plays at most 1 048 576 transmissions; of )"
        R"(larger runs it shows how many there are in each step. A trace that is wrong is shown up to the line that )"
        R"(is rejected, and the exit code is 1.)",
    .define = define_view};

}  // namespace dcube::cli
