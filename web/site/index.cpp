#include "web/site/index.hpp"

#include "web/lessons/gallery/markdown.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace dcube::site {

namespace {

using gallery::Block;

// What a reader of the block sees at once: speakers' notes and solutions are left out.
std::string words_of(const std::vector<Block>& blocks)
{
    std::string markdown;
    for (const Block& block : blocks) {
        if (block.kind == Block::Kind::note || block.kind == Block::Kind::solution)
            continue;
        if (block.kind == Block::Kind::ask)
            markdown += block.argument + "\n\n";
        markdown += block.text + "\n\n" + words_of(block.blocks);
    }
    return markdown;
}

std::string heading_in(const std::vector<Block>& blocks)
{
    for (const Block& block : blocks)
        if (const std::size_t at = block.text.find("## "); block.kind == Block::Kind::text && at != std::string::npos)
            return text_of(gallery::rendered(block.text.substr(at, block.text.find('\n', at) - at)));
    return "";
}

// "05-total-exchange": "Lesson 5: total exchange".
std::string label_of(const gallery::Lesson& lesson)
{
    const std::size_t hyphen = std::min(lesson.name.find('-'), lesson.name.size() - 1);
    std::string words = lesson.name.substr(hyphen + 1);
    std::ranges::replace(words, '-', ' ');
    return "Lesson " + std::to_string(std::atoi(lesson.name.c_str())) + ": " + words;
}

}  // namespace

Indexed indexed(const Page& page, const Article& article)
{
    Indexed found{.file = std::string(page.file),
                  .label = std::string(page.label),
                  .group = std::string(page.group),
                  .entries = article.entries};
    for (Entry& entry : found.entries)
        if (!entry.anchor.empty())
            entry.anchor.insert(0, "#");
    return found;
}

Indexed indexed(const gallery::Lesson& lesson)
{
    Indexed found{
        .file = "lessons/" + lesson.name + ".html", .label = label_of(lesson), .group = "Lessons", .entries = {}};
    found.entries.push_back({.anchor = "", .title = lesson.title, .kind = "", .text = ""});
    std::string outside = lesson.aim + "\n\n";
    int beats = 0;
    for (const Block& block : lesson.blocks) {
        if (block.kind != Block::Kind::view) {
            outside += words_of({block});
            continue;
        }
        const std::string heading = heading_in(block.blocks);
        found.entries.push_back({.anchor = "#beat=" + std::to_string(++beats),
                                 .title = heading.empty() ? lesson.title : heading,
                                 .kind = "",
                                 .text = text_of(gallery::rendered(words_of(block.blocks)))});
    }
    found.entries.front().text = text_of(gallery::rendered(outside));
    return found;
}

Indexed indexed(const std::vector<Name>& reference)
{
    Indexed found{.file = "reference/", .label = "The C++ interface", .group = "Reference", .entries = {}};
    for (const Name& name : reference)
        found.entries.push_back(
            {.anchor = name.address, .title = name.name, .kind = name.kind, .text = name.arguments});
    return found;
}

std::string search_script(const std::vector<Indexed>& pages)
{
    nlohmann::json all = nlohmann::json::array();
    for (const Indexed& page : pages) {
        nlohmann::json entries = nlohmann::json::array();
        for (const Entry& entry : page.entries)
            entries.push_back({entry.anchor, entry.title, entry.kind, entry.text});
        all.push_back({{"file", page.file}, {"label", page.label}, {"group", page.group}, {"entries", entries}});
    }
    return "dcubeSearch(" + all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + ");\n";
}

}  // namespace dcube::site
