#include "web/site/article.hpp"

#include "web/lessons/gallery/markdown.hpp"
#include "web/site/colouring.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <sstream>
#include <utility>

namespace dcube::site {

namespace {

namespace fs = std::filesystem;
using gallery::anchor_of;
using gallery::escaped;

// Comments are notes to programs that write the document.
std::string without_comments(const std::string& markdown)
{
    std::istringstream lines(markdown);
    std::string text;
    bool in_code = false;
    for (std::string line; std::getline(lines, line);) {
        in_code ^= line.starts_with("```");
        if (in_code || !line.starts_with("<!--"))
            text += line;
        text += '\n';
    }
    return text;
}

std::string with_letters(std::string_view html)
{
    static constexpr std::array<std::pair<std::string_view, char>, 4> references{
        {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}}};
    std::string text;
    while (!html.empty()) {
        const auto* const found =
            std::ranges::find_if(references, [&](const auto& reference) { return html.starts_with(reference.first); });
        text += found == references.end() ? html.front() : found->second;
        html.remove_prefix(found == references.end() ? 1 : found->first.size());
    }
    return text;
}

std::string in_one_line(const std::string& text)
{
    std::istringstream stream(text);
    std::string line;
    for (std::string word; stream >> word;)
        line += (line.empty() ? "" : " ") + word;
    return line;
}

std::string attribute_of(std::string_view tag, std::string_view name)
{
    const std::string begin = " " + std::string(name) + "=\"";
    const std::size_t at = tag.find(begin);
    if (at == std::string_view::npos)
        return "";
    const std::size_t from = at + begin.size();
    return std::string(tag.substr(from, tag.find('"', from) - from));
}

std::string name_of(std::string_view tag)
{
    return std::string(tag.substr(1, tag.find_first_of(" >/", 2) - 1));
}

// Whether code in a table is a message, which may be broken between its words, and no name or command, which may not.
bool is_sentence(const std::string& code)
{
    const std::size_t option = code.find(" --");
    return code.size() > 40 && (option == std::string::npos || code.find(" --", option + 1) == std::string::npos);
}

// Goes once through the HTML that the Markdown is rendered to, and dresses it: headings get anchors, tables and
// programs what is needed to scroll them, links lead to the site's pages. What is read goes into the entries.
class Dresser {
public:
    Dresser(const Page& page, std::string html, const std::function<bool(const Page&)>& exists)
        : page_(page), in_(std::move(html)), exists_(exists)
    {
        open_entry("", std::string(page.label), "");
    }

    Article dressed()
    {
        while (at_ < in_.size()) {
            const std::size_t tag = std::min(in_.find('<', at_), in_.size());
            take_text(in_.substr(at_, tag - at_));
            at_ = tag;
            if (at_ < in_.size())
                take_tag();
        }
        article_.html = std::move(out_);
        for (Entry& entry : article_.entries)
            entry.text = in_one_line(entry.text);
        return std::move(article_);
    }

private:
    void open_entry(const std::string& anchor, const std::string& title, std::string_view kind)
    {
        article_.entries.push_back({.anchor = anchor, .title = title, .kind = std::string(kind)});
        if (kind.empty())
            section_ = article_.entries.size() - 1;
    }

    void take_text(const std::string& html)
    {
        out_ += html;
        collected() += with_letters(html);
    }

    // Where text goes that is read now: a heading, a cell of a row, or the section.
    std::string& collected()
    {
        if (in_heading_)
            return heading_;
        return in_row_ ? cells_.back() : article_.entries[section_].text;
    }

    void take_tag()
    {
        const std::size_t end = in_.find('>', at_) + 1;
        const std::string tag = in_.substr(at_, end - at_);
        const std::string name = name_of(tag);
        at_ = end;
        if (name.size() == 2 && name[0] == 'h' && name != "hr")
            begin_heading();
        else if (name.size() == 3 && name.starts_with("/h") && name != "/hr")
            end_heading(name[2] - '0');
        else if (name == "pre")
            take_program();
        else if (name == "a")
            take_link(tag);
        else if (name == "img")
            take_picture(tag);
        else if (name == "code" && out_.ends_with("<td>") &&
                 is_sentence(in_.substr(at_, in_.find("</code>", at_) - at_)))
            out_ += "<code class=\"sentence\">";
        else
            take_part_of_table(name, tag);
    }

    void begin_heading()
    {
        in_heading_ = true;
        heading_.clear();
        heading_at_ = out_.size();
    }

    void end_heading(int level)
    {
        in_heading_ = false;
        const std::string anchor = unique(anchor_of(heading_));
        const std::string inner = out_.substr(heading_at_);
        const std::string digit = std::to_string(level);
        out_.erase(heading_at_);
        out_ += "<h" + digit + " id=\"" + anchor + "\">" + inner;
        if (level > 1)
            out_ += " <a class=\"anchor\" href=\"#" + anchor + "\" aria-label=\"Link to this section\">#</a>";
        out_ += "</h" + digit + ">";
        if (level == 1) {
            article_.title = heading_;
            article_.entries[section_].title = heading_;
            return;
        }
        article_.headings.push_back({.level = level, .anchor = anchor, .text = heading_});
        open_entry(anchor, heading_, "");
    }

    // As GitHub does it: a second one gets -1.
    std::string unique(const std::string& anchor)
    {
        const int before = anchors_[anchor]++;
        return before == 0 ? anchor : anchor + "-" + std::to_string(before);
    }

    void take_program()
    {
        const std::size_t end = in_.find("</pre>", at_);
        const std::size_t begin = in_.find('>', at_) + 1;  // of <code>
        const std::string language = attribute_of(in_.substr(at_, begin - at_), "class");
        const std::string text = with_letters(in_.substr(begin, in_.find("</code>", begin) - begin));
        out_ += program_html(text, language.empty() ? "" : language.substr(std::string("language-").size()));
        collected() += text + ' ';
        at_ = end + std::string("</pre>").size();
    }

    void take_link(const std::string& tag)
    {
        const std::size_t end = in_.find("</a>", at_);
        const std::string href = attribute_of(tag, "href");
        const std::string inner = in_.substr(at_, end - at_);
        const bool is_elsewhere = href.find("://") != std::string::npos || href.starts_with("mailto:");
        if (is_elsewhere || href.starts_with("#")) {
            out_ += tag;
            return;
        }
        const auto [path, anchor] = target_of(href);
        const Page* const page = page_of(path);
        if (page == nullptr || !exists_(*page)) {
            unlinked_ = true;
            return;
        }
        out_ += "<a href=\"" + std::string(page->file) + anchor + "\">";
        if (with_letters(inner) == with_letters(href)) {  // a path says nothing here
            take_text(escaped(page->label));
            at_ = end;
        }
    }

    // "../README.md#papers" as the file of the source tree and "#papers".
    [[nodiscard]] std::pair<std::string, std::string> target_of(const std::string& href) const
    {
        const std::size_t hash = std::min(href.find('#'), href.size());
        const fs::path folder = fs::path(page_.source).parent_path();
        return {(folder / href.substr(0, hash)).lexically_normal().string(), href.substr(hash)};
    }

    void take_picture(const std::string& tag)
    {
        const std::string file = target_of(attribute_of(tag, "src")).first;
        article_.pictures.push_back(file);
        out_ += "<img src=\"pictures/" + fs::path(file).filename().string() + "\" alt=\"" + attribute_of(tag, "alt") +
                "\" loading=\"lazy\">";
    }

    void take_part_of_table(const std::string& name, const std::string& tag)
    {
        if (name == "/a" && std::exchange(unlinked_, false))
            return;
        if (name == "table")
            out_ += "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">";
        if (name == "tbody")
            in_body_ = true;
        else if (name == "/tbody")
            in_body_ = false;
        else if (name == "tr" && in_body_ && !page_.rows.kind.empty())
            begin_row();
        else if (name == "td" && in_row_)
            cells_.emplace_back();
        else if (name == "/tr" && in_row_)
            end_row();
        else if (name == "/p" || name == "/li" || name == "/td" || name == "/th" || name == "br")
            collected() += ' ';
        out_ += tag;
        if (name == "/table")
            out_ += "</div>";
    }

    void begin_row()
    {
        in_row_ = true;
        cells_.assign(1, "");  // what stands before the first cell
        row_at_ = out_.size();
    }

    // "staircase (all-to-all)": the name, and what stands before it.
    void end_row()
    {
        in_row_ = false;
        std::vector<std::string> filled;
        std::string before;
        std::string title;
        for (std::size_t i = 1; i < cells_.size(); ++i) {
            const std::string cell = in_one_line(cells_[i]);
            const auto column = static_cast<std::size_t>(page_.rows.column) + 1;
            if (i < column)
                before += (before.empty() ? "" : ", ") + cell;
            else if (i == column)
                title = cell;
            else if (!cell.empty())
                filled.push_back(cell);
        }
        if (title.empty())
            return;
        std::string anchor =
            std::string(page_.rows.kind) + "-" + anchor_of(before.empty() ? title : before + "-" + title);
        anchor = unique(anchor);
        out_.insert(row_at_ + std::string("<tr").size(), " id=\"" + anchor + "\"");
        open_entry(anchor, before.empty() ? title : title + ": " + before, page_.rows.kind);
        std::string& text = article_.entries.back().text;
        for (const std::string& cell : filled)
            text += (text.empty() ? "" : " \xc2\xb7 ") + cell;
    }

    const Page& page_;
    std::string in_;
    const std::function<bool(const Page&)>& exists_;
    Article article_{};
    std::string out_{};
    std::size_t at_ = 0;
    std::size_t section_ = 0;  // the entry that text goes to
    std::map<std::string, int> anchors_{};
    bool in_heading_ = false;
    std::string heading_{};
    std::size_t heading_at_ = 0;  // in what is written: behind it only the heading's inside
    bool unlinked_ = false;       // a link whose end is left out, too
    bool in_body_ = false;
    bool in_row_ = false;
    std::vector<std::string> cells_{};
    std::size_t row_at_ = 0;
};

}  // namespace

std::string text_of(const std::string& html)
{
    std::string text;
    bool in_mark = false;
    for (const char c : html) {
        in_mark = in_mark || c == '<';
        text += in_mark ? (c == '>' ? " " : "") : std::string(1, c);
        in_mark = in_mark && c != '>';
    }
    return in_one_line(with_letters(text));
}

Article article_of(const Page& page, const std::string& markdown, const std::function<bool(const Page&)>& exists)
{
    return Dresser(page, gallery::rendered(without_comments(markdown)), exists).dressed();
}

Article plain_article(const Page& page, const std::string& text)
{
    const std::string title(page.label);
    return {.title = title,
            .html = "<h1>" + escaped(title) + "</h1>\n" + program_html(text, "text"),
            .headings = {},
            .entries = {{.anchor = "", .title = title, .kind = "", .text = in_one_line(text)}},
            .pictures = {}};
}

}  // namespace dcube::site
