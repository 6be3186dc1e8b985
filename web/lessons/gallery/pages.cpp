#include "web/lessons/gallery/pages.hpp"

#include "web/lessons/gallery/markdown.hpp"
#include "web/lessons/gallery/plot.hpp"
#include "web/lessons/gallery/schedule.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <iterator>
#include <regex>
#include <utility>

namespace dcube::gallery {

namespace {

/// `page` with `text` in the place of `mark`, which must be there.
std::string with(std::string page, const std::string& mark, const std::string& text)
{
    const std::size_t at = page.find(mark);
    if (at == std::string::npos)
        throw InvalidArgument("the player's page has no " + mark);
    return page.replace(at, mark.size(), text);
}

std::string link_to(const Lesson& lesson, const std::string& text)
{
    return "<a href=\"" + lesson.name + ".html\">" + text + "</a>";
}

/// A lesson by its name.
const Lesson& find(const std::vector<Lesson>& all, const std::string& name)
{
    const auto found = std::ranges::find(all, name, &Lesson::name);
    if (found == all.end())
        throw InvalidArgument("there is no lesson '" + name + "'");
    return *found;
}

/// A lesson's number, from 1.
std::string number_of(const Lesson& lesson, const std::vector<Lesson>& all)
{
    return std::to_string(std::ranges::find(all, lesson.name, &Lesson::name) - all.begin() + 1);
}

/// "10 minutes, after lesson 1"
std::string circumstances(const Lesson& lesson, const std::vector<Lesson>& all)
{
    std::string text = std::to_string(lesson.minutes) + " minutes";
    for (const std::string& needed : lesson.needs)
        text += (needed == lesson.needs.front() ? ", after " : " and ") +
                link_to(find(all, needed), "lesson " + number_of(find(all, needed), all));
    return text;
}

using Blocks = std::vector<Block>;

/// The parts of a question or an exercise: the blocks before its options or hints, these, and the blocks after them.
struct Parts {
    Blocks before;
    std::vector<Choice> choices;
    Blocks behind;
};

Parts parts_of(const Blocks& blocks)
{
    Parts parts;
    const auto middle = std::ranges::find(blocks, Block::Kind::choices, &Block::kind);
    if (middle == blocks.end())
        return {.before = {}, .choices = {}, .behind = blocks};
    return {.before = Blocks(blocks.begin(), middle),
            .choices = middle->choices,
            .behind = Blocks(middle + 1, blocks.end())};
}

/// An exercise without its hints and its solution.
Blocks task_of(const Block& exercise)
{
    Blocks task;
    std::ranges::copy_if(exercise.blocks, std::back_inserter(task), [](const Block& block) {
        return block.kind != Block::Kind::choices && block.kind != Block::Kind::solution;
    });
    return task;
}

/// The blocks in an exercise's ::: solution.
Blocks solution_of(const Block& exercise)
{
    const auto found = std::ranges::find(exercise.blocks, Block::Kind::solution, &Block::kind);
    return found == exercise.blocks.end() ? Blocks{} : found->blocks;
}

/// "16", or the right options.
std::string answer_of(const Block& block)
{
    const Exercise exercise = exercise_of(block);
    if (exercise.is_done_by_run())
        return "";
    if (exercise.kind == Exercise::Kind::typed)
        return "<p>Answer: " + escaped(exercise.answer) + "</p>\n";
    std::string html;
    for (const Choice& choice : choices_of(block)->choices)
        if (choice.right)
            html += "<p>Answer: " + html_of_line(choice.text) + "</p>\n";
    return html;
}

class LessonWriter {
public:
    LessonWriter(const Films& films, std::string number) : films_(films), number_(std::move(number)) {}

    std::string body(const Blocks& blocks)
    {
        std::string html;
        for (const Block& block : blocks)
            switch (block.kind) {
            case Block::Kind::text: html += html_of(block.text); break;
            case Block::Kind::view: html += beat(block); break;
            case Block::Kind::plot: html += plot(block); break;
            case Block::Kind::ask: html += question(block); break;
            case Block::Kind::exercise: html += exercise(block); break;
            case Block::Kind::note:
                html += "<aside class=\"note\" hidden>\n" + body(block.blocks) + "</aside>\n";
                break;
            case Block::Kind::solution:
            case Block::Kind::choices: break;  // written by what they stand in
            }
        return html;
    }

    /// The documents of all beats so far, in the order of their numbers.
    [[nodiscard]] std::string data() const
    {
        std::string html;
        for (std::size_t i = 0; i < runs_.size(); ++i)
            html += "<script type=\"application/json\" class=\"dcube-data\" id=\"view-" + std::to_string(i) + "\">" +
                    films_.document(runs_[i]) + "</script>\n";
        return html;
    }

private:
    std::string beat(const Block& block)
    {
        const View view = view_of(block.argument);
        const std::string number = std::to_string(++beats_);
        std::string html =
            "<section class=\"beat\" id=\"beat-" + number + "\" data-view=\"" + document(view.arguments) + "\"";
        if (view.parameters.empty())
            html += " data-request=\"" + escaped(films_.request(view.arguments)) + "\"";
        else
            html += sliders(view);
        for (const auto& [key, value] : view.state)
            if (key != "step" || !view.state.contains("time"))
                html += " data-" + key + "=\"" + escaped(value) + "\"";
        const View still = still_of(view);
        return html + ">\n" + body(block.blocks) + "<figure class=\"still\">" + films_.figure(still, Captions::below) +
               "<figcaption>Figure " + number_ + "." + number + ": " + caption(still.arguments) +
               "</figcaption></figure>\n" + table(view) + "</section>\n";
    }

    /// What stands in the text: of a network that grows, the last of its sizes.
    static View still_of(const View& view)
    {
        View still = view;
        if (const auto look = view.state.find("look"); look != view.state.end() && look->second == "network")
            for (std::size_t run = 0; run < view.runs.size(); ++run)
                if (!view.run_in_page[run])
                    still.arguments = view.runs[run];
        return still;
    }

    /// The schedule that the page shows as a table, for readers without scripts.
    [[nodiscard]] std::string table(const View& view) const
    {
        if (!view.state.contains("table"))
            return {};
        return "<noscript>\n" + schedule_table(view, films_.trace(view.arguments)) + "</noscript>\n";
    }

    /// What a run is, in words: the title of its film, as it stands in the document.
    std::string caption(const std::string& arguments)
    {
        const std::string title = between(films_.document(arguments), "\"title\":\"", "\",");
        const std::string board = arguments.starts_with("--board ") ? " Draw the packets of each step into it." : "";
        return escaped(title) + "." + board;
    }

    /// The number of a run's document.
    std::string document(const std::string& arguments)
    {
        const auto known = std::ranges::find(runs_, arguments);
        const auto number = known - runs_.begin();
        if (known == runs_.end())
            runs_.push_back(arguments);
        return std::to_string(number);
    }

    /// The sliders for the page: names, options and values, and the documents and requests of all runs; "-" where the
    /// page has no film.
    std::string sliders(const View& view)
    {
        std::string names;
        for (const Parameter& parameter : view.parameters) {
            names.append(names.empty() ? "" : " ").append(parameter.name).append(":").append(parameter.option);
            for (std::size_t i = 0; i < parameter.values.size(); ++i)
                names.append(i == 0 ? "=" : "|").append(parameter.values[i]);
        }
        std::string documents;
        std::string requests;
        for (std::size_t i = 0; i < view.runs.size(); ++i) {
            documents.append(i == 0 ? "" : " ").append(view.run_in_page[i] ? "-" : document(view.runs[i]));
            requests.append(i == 0 ? "[" : ",").append(films_.request(view.runs[i]));
        }
        return " data-sliders=\"" + escaped(names) + "\" data-documents=\"" + documents + "\" data-requests=\"" +
               escaped(requests + "]") + "\"";
    }

    /// Its numbers are a table, which the page's slider reads, too.
    std::string plot(const Block& block)
    {
        static const std::regex multiplied(R"((^|\s)--bytes\s+\S*:x\d)");
        const bool logarithmic = std::regex_search(block.argument, multiplied);
        const Plot made = plot_of(films_.comparison(block.argument), logarithmic ? Axes::logarithmic : Axes::linear);
        return "<figure class=\"plot\" data-unit=\"" + made.unit + "\">\n" +
               svg_of(made, "dcube compare " + block.argument) + "<figcaption>\n" + body(block.blocks) +
               "<p><code>./dcube compare " + escaped(block.argument) +
               "</code></p></figcaption>\n<details><summary>The numbers</summary>\n" + table_of(made) +
               "</details>\n</figure>\n";
    }

    std::string question(const Block& block)
    {
        const auto [before, choices, behind] = parts_of(block.blocks);
        const std::string answer = behind.empty() ? "" : body(behind);
        if (choices.empty())
            return "<details class=\"ask\"><summary>" + html_of_line(block.argument) + "</summary>\n" + answer +
                   "</details>\n";
        return "<fieldset class=\"vote\"><legend>" + html_of_line(block.argument) + "</legend>\n" + body(before) +
               options(choices, "vote-" + std::to_string(++votes_)) +
               (answer.empty() ? ""
                               : "<details class=\"answer\"><summary>Answer</summary>\n" + answer + "</details>\n") +
               "</fieldset>\n";
    }

    /// A list of options. With one right option, one is chosen; with several, all of them are looked for.
    static std::string options(const std::vector<Choice>& choices, const std::string& name, bool several = false)
    {
        std::string html = "<ul class=\"options\">\n";
        for (const Choice& choice : choices)
            html += std::string("<li class=\"") + (choice.right ? "right" : "wrong") + "\"><label><input type=\"" +
                    (several ? "checkbox" : "radio") + "\" name=\"" + name + "\"> <span>" + html_of_line(choice.text) +
                    "</span></label><p class=\"reply\">" + html_of_line(choice.reply) + "</p></li>\n";
        return html + "</ul>\n";
    }

    static std::string hints(const std::vector<Choice>& choices)
    {
        std::string html;
        for (const Choice& hint : choices)
            html += "<li data-answer=\"" + escaped(hint.text) + "\">" + html_of_line(hint.reply) + "</li>\n";
        return html.empty() ? html : "<ul class=\"hints\" hidden>\n" + html + "</ul>\n";
    }

    std::string exercise(const Block& block)
    {
        const Exercise exercise = exercise_of(block);
        const std::string number = std::to_string(++exercises_);
        const std::vector<Choice> choices =
            choices_of(block) == nullptr ? std::vector<Choice>{} : choices_of(block)->choices;
        std::string entry;
        std::string wanted = " data-answer=\"" + escaped(exercise.answer) + "\"";
        switch (exercise.kind) {
        case Exercise::Kind::typed:
            entry = "<p class=\"entry\"" + run_here(exercise) + "><label for=\"answer-" + number +
                    "\">Your answer</label> <input id=\"answer-" + number +
                    "\" autocomplete=\"off\"> <button>Check</button></p>\n" + hints(choices);
            break;
        case Exercise::Kind::choose:
            entry = options(choices, "exercise-" + number, std::ranges::count(choices, true, &Choice::right) > 1) +
                    "<p class=\"entry\"><button>Check</button></p>\n";
            break;
        case Exercise::Kind::run:
        case Exercise::Kind::program:
            entry = "<p class=\"entry\"><button type=\"button\">Try it</button></p>\n" + hints(choices);
            wanted = done_by_run(exercise, block);
            break;
        }
        const std::string tag = exercise.is_done_by_run() ? "section" : "form";  // a lab has a form of its own
        return "<" + tag + " class=\"exercise\" id=\"exercise-" + number + "\"" + wanted + ">\n<h3>Exercise " +
               number_ + "." + number + "</h3>\n" + body(task_of(block)) + entry +
               "<details class=\"answer\"><summary>Show the solution</summary>\n" + answer_of(block) +
               body(solution_of(block)) + "</details>\n</" + tag + ">\n";
    }

    /// The form's first content, and the conditions that a run has to meet; the solution's request is for tests.
    [[nodiscard]] std::string done_by_run(const Exercise& exercise, const Block& block) const
    {
        const std::string words = block.argument.substr(block.argument.find(' ') + 1);
        return std::string(" data-by=\"") + (exercise.kind == Exercise::Kind::run ? "run" : "program") +
               "\" data-wanted=\"" + escaped(words) + "\" data-request=\"" +
               escaped(request_of_command(exercise.commands.back())) + "\" data-solved=\"" +
               escaped(request_of_command(exercise.solution_commands.back())) + "\"";
    }

    /// The request of the command that prints the answer, where the page can make that run.
    [[nodiscard]] std::string run_here(const Exercise& exercise) const
    {
        if (exercise.commands.empty() || !films_.request)
            return {};
        try {
            return " data-request=\"" + escaped(request_of_command(exercise.commands.back())) + "\"";
        } catch (const InvalidArgument&) {
            return {};  // a command of another kind, which a terminal runs
        }
    }

    /// "./dcube run all-to-all --dim 3" as a request.
    [[nodiscard]] std::string request_of_command(const std::string& command) const
    {
        static const std::regex form(R"(\./dcube (run|view|compare) (.*))");
        std::smatch parts;
        if (!std::regex_match(command, parts, form))
            throw InvalidArgument("'" + command + "': an exercise that is done by a run has ./dcube run ...");
        return films_.request ? films_.request(parts[2]) : "{}";  // sheets need none
    }

    const Films& films_;
    std::string number_;             // the lesson's
    std::vector<std::string> runs_;  // by their number in the page
    int beats_ = 0;
    int votes_ = 0;
    int exercises_ = 0;
};

/// A sheet of exercises: for paper first.
constexpr const char* sheet_style = R"(
body { max-width: 72ch; margin: 24px auto; padding: 0 20px; color: #16191d; background: #fff; font: 16px/1.5 Inter, system-ui, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 28px; }
h2 { font-size: 20px; margin: 2em 0 .5em; break-after: avoid; }
h3 { font-size: 16px; margin: 1.5em 0 .3em; break-after: avoid; }
section { break-inside: avoid; }
p { margin: .5em 0; }
pre { background: #f6f7f9; padding: 8px 12px; overflow-wrap: anywhere; white-space: pre-wrap; }
code, pre { font: 13.5px/1.4 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.options { list-style: "\2610\00a0\00a0"; }
.solution { border-left: 3px solid #1b7f4b; padding-left: 14px; }
.thing { color: inherit; text-decoration: none; }
table { border-collapse: collapse; }
th, td { padding: 2px 14px 2px 0; text-align: left; border-bottom: 1px solid #dde2e8; }
@media print { body { font-size: 10.5pt; margin: 0; max-width: none; padding: 0; } pre, code { font-size: 9pt; } }
)";

/// An exercise on a sheet; what belongs to a screen is left out.
std::string on_sheet(const Block& block, const std::string& number, LessonWriter& writer, Solutions solutions)
{
    std::string html = "<section>\n<h3>Exercise " + number + "</h3>\n" + writer.body(task_of(block));
    if (exercise_of(block).kind == Exercise::Kind::choose) {
        html += "<ul class=\"options\">\n";
        for (const Choice& choice : choices_of(block)->choices)
            html += "<li>" + html_of_line(choice.text) + "</li>\n";
        html += "</ul>\n";
    }
    if (solutions == Solutions::below)
        html += "<div class=\"solution\">\n" + answer_of(block) + writer.body(solution_of(block)) + "</div>\n";
    return html + "</section>\n";
}

/// Styles in addition to the player's colours.
constexpr const char* index_style = R"(
body { margin: 0; background: var(--background); color: var(--ink); font: 17px/1.5 Inter, system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1100px; margin: 0 auto; padding: 24px 20px 60px; }
h1 { font-size: clamp(28px, 4vw, 42px); line-height: 1.15; margin: .4em 0; text-wrap: balance; }
main > p { max-width: 62ch; color: var(--muted); }
main > p a { color: var(--select); }
.opening { display: block; width: 100%; height: min(56vh, 460px); border: 0; }
.cards { list-style: none; counter-reset: lesson; padding: 0; display: grid; gap: 18px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr)); }
.card { counter-increment: lesson; display: flex; flex-direction: column; border: 1px solid var(--link); border-radius: 10px; overflow: hidden; background: var(--panel); position: relative; }
.card figure { margin: 0; padding: 14px; background: #fff; display: flex; justify-content: center; }
.card figure svg { width: 100%; height: 190px; color: #000; }
@media (prefers-color-scheme: dark) { .card figure { background: var(--background); } .card figure svg { filter: invert(.93) hue-rotate(180deg); } }
.card div { padding: 14px 18px 16px; }
.card h2 { font-size: 19px; line-height: 1.3; margin: 0 0 .4em; }
.card h2::before { content: counter(lesson) ". "; color: var(--muted); }
.card h2 a { color: var(--ink); text-decoration: none; }
.card h2 a::after { content: ""; position: absolute; inset: 0; }
.card:hover { border-color: var(--select); }
.card:focus-within { outline: 3px solid var(--select); outline-offset: 2px; }
.card p { margin: .3em 0 0; }
.card .about { color: var(--muted); font-size: 14.5px; }
.card .about a { position: relative; color: var(--select); }
)";

/// The list of lessons has no script: its theme is what the browser prefers.
std::string style_of_index(const std::string& player)
{
    return ":root{" + between(player, ":root{", "}") + "}\n@media (prefers-color-scheme: dark) { :root{" +
           between(player, ":root[data-theme=dark]{", "}") + "} }" + index_style;
}

std::string page_without_script(const std::string& title, const std::string& style, const std::string& body,
                                const std::string& allowed = "")
{
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'" +
           allowed +
           "\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
           title + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n<main>\n" + body +
           "</main>\n</body>\n</html>\n";
}

/// Links to the lessons before and behind this one.
std::string neighbours(const Lesson& lesson, const std::vector<Lesson>& all)
{
    const auto here = std::ranges::find(all, lesson.name, &Lesson::name);
    std::string html = "<nav class=\"neighbours\" aria-label=\"lessons before and behind\">";
    if (here != all.begin())
        html += "<p>Before: " + link_to(here[-1], escaped(here[-1].title)) + "</p>";
    if (here + 1 < all.end())
        html += "<p>Next: " + link_to(here[1], escaped(here[1].title)) + "</p>";
    return html + "</nav>\n";
}

/// The page may load lab.js from its own folder (browsers take 'self' for that on a disk, too), compile the module in
/// it, and start workers from its texts.
std::string with_lab_allowed(const std::string& page)
{
    const std::string scripts = "script-src " + between(page, "script-src ", ";") + ";";
    return with(page, scripts,
                scripts.substr(0, scripts.size() - 1) + " 'self' 'wasm-unsafe-eval' blob:; worker-src blob:;");
}

/// Where the lessons are part of the site, `docs/optimality.md` is a link to the document there.
std::string with_documents_linked(const std::string& text, const std::string& home)
{
    static const std::regex document(R"(<code>docs/([a-z-]+)\.md</code>)");
    if (home.empty())
        return text;
    const std::string folder = home.substr(0, home.rfind('/') + 1);
    return std::regex_replace(text, document, "<a href=\"" + escaped(folder) + "docs/$1.html\">$&</a>");
}

}  // namespace

std::string request_of(const std::string& arguments, const std::function<std::string(const std::string&)>& printed,
                       const std::function<std::string(const std::string&)>& file)
{
    const auto behind = [&](const std::string& word) {
        return arguments.starts_with(word) ? arguments.substr(word.size()) : std::string();
    };
    if (const std::string trace = behind("--trace "); !trace.empty()) {
        const std::string text = file(trace.substr(0, trace.find(' ')));
        const std::string version = "{\"dcube_trace\":1,";
        if (!text.starts_with(version))
            throw InvalidArgument(trace + ": a trace in a lesson says in its first line what it is of");
        return "{" + text.substr(version.size(), text.find('\n') - version.size());
    }
    const std::string board = behind("--board ");
    const std::string text = printed("lab " + (board.empty() ? arguments : board) + " --print-request");
    return text.substr(0, text.find('\n'));
}

std::string between(const std::string& page, const std::string& begin, const std::string& end)
{
    const std::size_t at = page.find(begin);
    const std::size_t stop = at == std::string::npos ? at : page.find(end, at + begin.size());
    if (stop == std::string::npos)
        throw InvalidArgument("the player's page has no " + begin + " with " + end + " behind it");
    return page.substr(at + begin.size(), stop - at - begin.size());
}

std::string lesson_page(const Lesson& lesson, const std::vector<Lesson>& all, const std::string& player,
                        const Films& films, const std::string& home)
{
    const std::string number = number_of(lesson, all);
    LessonWriter writer(films, number);
    const std::string text = "<article class=\"text\" data-lesson=\"" + number +
                             "\">\n<nav><a href=\"index.html\">All lessons</a> <span>" + number + " of " +
                             std::to_string(all.size()) + "</span></nav>\n<h1>" + escaped(lesson.title) +
                             "</h1>\n<p class=\"about\">" + circumstances(lesson, all) + "</p>\n" +
                             writer.body(lesson.blocks) + "<h2>What you can do now</h2>\n<p class=\"aim\">" +
                             escaped(lesson.aim) + "</p>\n" + neighbours(lesson, all) + "</article>\n";
    std::string page = with(player, "<title>dcube</title>", "<title>" + escaped(lesson.title) + "</title>");
    page = with(page, "<!--dcube:static-->", with_documents_linked(text, home));
    return with_lab_allowed(with(page, "<!--dcube:data-->", writer.data()));
}

std::string exercises_page(const std::vector<Lesson>& all, Solutions solutions)
{
    const char* const title = solutions == Solutions::below ? "Exercises with their solutions" : "Exercises";
    const Films no_films;  // an exercise has no figure
    std::string html;
    for (const Lesson& lesson : all) {
        const std::string number = number_of(lesson, all);
        LessonWriter writer(no_films, number);
        html += "<h2>" + number + ". " + escaped(lesson.title) + "</h2>\n";
        int count = 0;
        for (const Block& block : blocks_of(lesson, Block::Kind::exercise))
            html += on_sheet(block, number + "." + std::to_string(++count), writer, solutions);
    }
    return page_without_script(std::string("dcube: ") + title, sheet_style,
                               std::string("<h1>") + title + "</h1>\n" + html);
}

namespace {

/// The first lesson's page as a frame in which a cube grows, and then the blocks of its last figure flow.
std::string opening(const Lesson& first)
{
    return "<iframe class=\"opening\" title=\"a cube doubles, blocks flow over it, and it is pulled apart\" src=\"" +
           first.name + ".html?embed#opening=" + std::to_string(blocks_of(first, Block::Kind::view).size()) +
           "\"></iframe>\n";
}

}  // namespace

std::string index_page(const std::vector<Lesson>& all, const std::string& player, const Films& films,
                       const std::string& home)
{
    const std::string back =
        home.empty() ? "" : "<p class=\"home\"><a href=\"" + escaped(home) + "\">dcube: all documents</a></p>\n";
    std::string cards;
    for (const Lesson& lesson : all)
        cards += "<li class=\"card\">\n<figure aria-hidden=\"true\">" +
                 films.figure(view_of(lesson.picture), Captions::none) + "</figure>\n<div><h2>" +
                 link_to(lesson, escaped(lesson.title)) + "</h2>\n<p class=\"about\">" + circumstances(lesson, all) +
                 "</p></div>\n</li>\n";
    return page_without_script(
        "dcube: lessons", style_of_index(player),
        back + "<h1>How can a thousand computers all talk at once?</h1>\n" + opening(all.front()) +
            "<p>Seventeen lessons of ten to fifteen minutes. In each of them you watch real runs on a machine of "
            "virtual nodes, "
            "packet by packet, make schedules of your own, and find out why no algorithm can be faster. They build on "
            "one "
            "another, and the first assumes nothing. To teach a lesson as slides, press P in it.</p>\n"
            "<p>Every run can be changed: <b>Try it</b> runs dcube in the page. "
            "<a href=\"lab.html\">The lab</a> is a page for nothing else: any collective on any network, and programs "
            "of "
            "your own.</p>\n"
            "<ol class=\"cards\">\n" +
            cards + "</ol>\n",
        "; frame-src 'self'");
}

}  // namespace dcube::gallery
