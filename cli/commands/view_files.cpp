#include "cli/commands/view_files.hpp"

#include "cli/files/files.hpp"
#include "cli/output.hpp"
#include "cli/sweep.hpp"
#include "cli/text/numbers.hpp"
#include "view/html/page.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace dcube::cli {

namespace {

constexpr std::uint64_t most_nodes = std::uint64_t{1} << 24;
constexpr NumberRange step_numbers{0, std::uint64_t{1} << 20};

// An option that changes nothing of what is seen.
bool is_silent(const std::string& option)
{
    constexpr std::string_view silent[] = {"--threads", "--pin",  "--channel", "--capacity",
                                           "--text",    "--step", "--color"};
    return std::ranges::find(silent, option) != std::end(silent);
}

std::string word(const std::string& text)
{
    return text.find_first_of(" *$&|;<>(){}\"'\\`?#~!") == std::string::npos ? text : fmt::format("'{}'", text);
}

// The command that made the page, with files by their last names.
std::string command_line(const CLI::App& app)
{
    std::string collective;
    std::string rest;
    for (const CLI::Option* const option : app.parse_order()) {
        const std::string name = option->get_name();
        if (is_silent(name))
            continue;
        const std::string value = option->results().front();
        if (!option->nonpositional()) {
            collective = " " + word(value);
            continue;
        }
        rest += " " + name;
        const bool is_file = name == "--html" || name == "--svg" || name == "--trace";
        if (name != "--plain" && name != "--no-legend")  // flags
            rest += " " + word(is_file ? std::filesystem::path(value).filename().string() : value);
    }
    return "dcube view" + collective + rest;
}

void require(bool sensible, const char* otherwise)
{
    if (!sensible)
        throw InvalidArgument(otherwise);
}

}  // namespace

ViewFiles::ViewFiles(CLI::App& app) : app_(app)
{
    constexpr const char* heading = "Output";
    add_text(app, {"--html", "FILE", "write a page that plays it in any browser", heading}, html_);
    add_flag(app, {"--plain", "", "the page's data uncompressed, for old browsers", heading}, plain_);
    add_text(app, {"--svg", "FILE", "write a figure, for slides and papers", heading}, svg_);
    add_option(app,
               {"--at", "WHEN", "the figure's step, 0 is before the first, or time: 3 or 1,2,4 or 150ns [1]", heading},
               [this](const std::string& given) { read_moments(given); });
    add_option(app, {"--steps", "A:B", "the figure's steps, in a strip", heading},
               [this](const std::string& given) { read_steps(given); });
    add_number(app, {"--width", "MM", "the figure's width in millimetres [84]", heading}, {20, 2000}, width_mm_);
    add_text(app, {"--drawing", "NAME", "the figure's layout: lattice, levels, 'cube in cube', ..", heading}, layout_);
    add_number(app, {"--origin", "NODE", "the figure shows packets of this node only", heading}, {0, most_nodes - 1},
               origin_);
    add_flag(app, {"--no-legend", "", "the figure without text below it", heading}, no_legend_);
}

void ViewFiles::read_moments(const std::string& text)
{
    std::istringstream stream(text);
    for (std::string one; std::getline(stream, one, ',');)
        if (one.ends_with("ns"))
            at_.emplace_back(parse_rational("--at", one.substr(0, one.size() - 2)));
        else
            at_.emplace_back(static_cast<Step>(parse_number("--at", one, step_numbers)));
    if (at_.empty())
        throw InvalidArgument("--at: expected a step or a time, e.g. --at 3 or --at 150ns");
}

void ViewFiles::read_steps(const std::string& text)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
        throw InvalidArgument(fmt::format("--steps {}: expected two steps, e.g. --steps 1:4", text.substr(0, 40)));
    const auto step = [](const std::string& number) {
        return static_cast<Step>(parse_number("--steps", number, step_numbers));
    };
    steps_ = {step(text.substr(0, colon)), step(text.substr(colon + 1))};
}

void ViewFiles::validate(std::size_t films) const
{
    require(html_ || !plain_, "--plain is for a page: --html FILE writes one");
    require(svg_ || !asks_for_figure(), "--at, --steps, --width, --drawing, --origin and --no-legend are for a figure: "
                                        "--svg FILE writes one");
    require(at_.empty() || !steps_, "--at and --steps cannot be used together");
    require(!svg_ || films == 1, "--svg draws one run: --html FILE shows two side by side");
}

bool ViewFiles::asks_for_figure() const
{
    return !at_.empty() || steps_ || width_mm_ || layout_ || origin_ || no_legend_;
}

void ViewFiles::write(const std::vector<view::Film>& films) const
{
    if (html_)
        write_page(films);
    if (svg_)
        write_figure(films.front());
}

void ViewFiles::write_page(const std::vector<view::Film>& films) const
{
    NewFile file(*html_);
    const std::string page =
        view::film_page(films, command_line(app_), plain_ ? view::Packing::plain : view::Packing::deflated);
    file.write(page);
    file.commit();
    std::uint64_t transmissions = 0;
    bool played = true;
    for (const view::Film& film : films) {
        transmissions += film.recording.transmissions;
        played = played && film.has_rows();
    }
    complain(fmt::format("{}: {}, {} {} transmissions", *html_, size_text(page.size()), played ? "plays" : "counts",
                         grouped(transmissions)));
}

std::vector<view::Moment> ViewFiles::moments_of(const view::Film& film) const
{
    if (steps_)
        return view::steps_between(steps_->first, steps_->second);
    if (at_.empty())
        return {{.step = 1}};
    std::vector<view::Moment> moments;
    for (const auto& when : at_)
        if (const auto* const ns = std::get_if<Rational>(&when))
            moments.push_back({.tick = view::tick_at(film, *ns)});
        else
            moments.push_back({.step = std::get<Step>(when)});
    return moments;
}

void ViewFiles::write_figure(const view::Film& film) const
{
    NewFile file(*svg_);
    const view::FilmFigure made =
        view::figure(film, {.moments = moments_of(film),
                            .width_mm = static_cast<double>(width_mm_.value_or(84)),
                            .layout = layout_,
                            .origin = origin_ ? std::optional(static_cast<NodeId>(*origin_)) : std::nullopt,
                            .legend = no_legend_ ? view::Legend::left_out : view::Legend::drawn});
    file.write(made.svg);
    file.commit();
    complain(fmt::format("{}: {}. {}", *svg_, size_text(made.svg.size()), made.legend));
}

}  // namespace dcube::cli
