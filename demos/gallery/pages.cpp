#include "demos/gallery/pages.hpp"

#include "demos/gallery/markdown.hpp"

#include <dcube/error.hpp>

#include <algorithm>
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

/// Markdown of one line, for where a paragraph may not stand.
std::string line_of(const std::string& markdown)
{
    const std::string html = html_of(markdown);  // <p>...</p> and the end of the line
    return html.size() < 8 ? html : html.substr(3, html.size() - 8);
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

/// "10 minutes, after What is a hypercube?"
std::string circumstances(const Lesson& lesson, const std::vector<Lesson>& all)
{
    std::string text = std::to_string(lesson.minutes) + " minutes";
    for (const std::string& needed : lesson.needs)
        text += (needed == lesson.needs.front() ? ", after " : " and ") +
                link_to(find(all, needed), escaped(find(all, needed).title));
    return text;
}

class LessonWriter {
public:
    explicit LessonWriter(const Films& films) : films_(films) {}

    std::string body(const std::vector<Block>& blocks)
    {
        std::string html;
        for (const Block& block : blocks)
            switch (block.kind) {
            case Block::Kind::text: html += html_of(block.text); break;
            case Block::Kind::view: html += beat(block); break;
            case Block::Kind::ask: html += question(block); break;
            case Block::Kind::exercise: html += exercise(block); break;
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
        const auto known = std::ranges::find(runs_, view.arguments);
        const auto number = known - runs_.begin();
        if (known == runs_.end())
            runs_.push_back(view.arguments);
        std::string html = "<section class=\"beat\" data-view=\"" + std::to_string(number) + "\"";
        for (const auto& [key, value] : view.state)
            if (key != "step" || !view.state.contains("time"))
                html += " data-" + key + "=\"" + escaped(value) + "\"";
        return html + ">\n" + body(block.blocks) + "<figure class=\"still\">" + films_.figure(view, Captions::below) +
               "<figcaption><code>./dcube view " + escaped(view.arguments) +
               " --html FILE</code></figcaption></figure>\n</section>\n";
    }

    std::string question(const Block& block)
    {
        return "<details class=\"ask\"><summary>" + line_of(block.argument) + "</summary>\n" + body(block.blocks) +
               "</details>\n";
    }

    std::string exercise(const Block& block)
    {
        const std::string answer = escaped(exercise_of(block).answer);
        const std::string id = "answer-" + std::to_string(++exercises_);
        return "<form class=\"exercise\" data-answer=\"" + answer + "\">\n" + body(block.blocks) +
               "<p class=\"entry\"><label for=\"" + id + "\">Your answer</label> <input id=\"" + id +
               "\" autocomplete=\"off\"> <button>Check</button></p>\n<details "
               "class=\"answer\"><summary>Answer</summary>" +
               answer + "</details>\n</form>\n";
    }

    const Films& films_;
    std::vector<std::string> runs_;  // by their number in the page
    int exercises_ = 0;
};

/// Beside the player's colours.
constexpr const char* index_style = R"(
body { margin: 0; background: var(--background); color: var(--ink); font: 17px/1.5 Inter, system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1100px; margin: 0 auto; padding: 24px 20px 60px; }
h1 { font-size: clamp(28px, 4vw, 42px); line-height: 1.15; margin: .4em 0; }
main > p { max-width: 62ch; color: var(--muted); }
.cards { list-style: none; counter-reset: lesson; padding: 0; display: grid; gap: 18px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr)); }
.card { counter-increment: lesson; display: flex; flex-direction: column; border: 1px solid var(--link); border-radius: 10px; overflow: hidden; background: var(--panel); position: relative; }
.card figure { margin: 0; padding: 14px; background: #fff; display: flex; justify-content: center; }
.card figure svg { width: 100%; height: 190px; color: #000; }
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

}  // namespace

std::string between(const std::string& page, const std::string& begin, const std::string& end)
{
    const std::size_t at = page.find(begin);
    const std::size_t stop = at == std::string::npos ? at : page.find(end, at + begin.size());
    if (stop == std::string::npos)
        throw InvalidArgument("the player's page has no " + begin + " with " + end + " behind it");
    return page.substr(at + begin.size(), stop - at - begin.size());
}

std::string lesson_page(const Lesson& lesson, const std::vector<Lesson>& all, const std::string& player,
                        const Films& films)
{
    LessonWriter writer(films);
    const auto number = std::ranges::find(all, lesson.name, &Lesson::name) - all.begin() + 1;
    const std::string text = "<article class=\"text\">\n<nav><a href=\"index.html\">All lessons</a> <span>" +
                             std::to_string(number) + " of " + std::to_string(all.size()) + "</span></nav>\n<h1>" +
                             escaped(lesson.title) + "</h1>\n<p class=\"about\">" + circumstances(lesson, all) +
                             "</p>\n<p class=\"aim\">" + escaped(lesson.aim) + "</p>\n" + writer.body(lesson.blocks) +
                             neighbours(lesson, all) + "</article>\n";
    std::string page = with(player, "<title>dcube</title>", "<title>" + escaped(lesson.title) + "</title>");
    page = with(page, "<!--dcube:static-->", text);
    return with(page, "<!--dcube:data-->", writer.data());
}

std::string index_page(const std::vector<Lesson>& all, const std::string& player, const Films& films)
{
    std::string cards;
    for (const Lesson& lesson : all)
        cards += "<li class=\"card\">\n<figure aria-hidden=\"true\">" +
                 films.figure(view_of(lesson.picture), Captions::none) + "</figure>\n<div><h2>" +
                 link_to(lesson, escaped(lesson.title)) + "</h2>\n<p class=\"aim\">" + escaped(lesson.aim) +
                 "</p>\n<p class=\"about\">" + circumstances(lesson, all) + "</p></div>\n</li>\n";
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n<title>dcube: lessons</title>\n<style>" +
           style_of_index(player) +
           "</style>\n</head>\n<body>\n<main>\n<h1>How do many computers talk at once?</h1>\n"
           "<p>Lessons of ten minutes. In each you watch real runs of a machine of virtual nodes, packet by packet, "
           "and "
           "find out why no algorithm is faster. They build on each other; the first needs no knowledge.</p>\n"
           "<ol class=\"cards\">\n" +
           cards + "</ol>\n</main>\n</body>\n</html>\n";
}

}  // namespace dcube::gallery
