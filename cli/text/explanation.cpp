#include "cli/text/explanation.hpp"

#include "cli/text/describe.hpp"
#include "cli/text/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dcube::cli {

namespace {

using explain::Block;
using explain::ProofLine;

constexpr std::size_t indent = 2;

std::string indented(const std::string& text)
{
    return std::string(indent, ' ') + wrapped(text, indent, indent, terminal_width());
}

std::string as_rows(const std::vector<ProofLine>& rows)
{
    std::size_t label = 0;
    for (const ProofLine& row : rows)
        label = std::max(label, row.words.size());
    const std::size_t start = indent + label + 2;
    std::string text;
    for (const ProofLine& row : rows)
        text += fmt::format("{:{}}{:<{}}  {}", "", indent, row.words, label,
                            wrapped(row.number, start, start, terminal_width()));
    return text;
}

// A command as it is; what is too long of a formula goes on a little to the right of its "=".
std::string line_text(const std::string& line)
{
    const std::size_t equals = line.find("= ");
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    if (equals == std::string::npos)
        return std::string(indent, ' ') + line + "\n";
    return std::string(indent + begin, ' ') +
           wrapped(line.substr(begin), indent + equals + 4, indent + begin, terminal_width());
}

std::string block_text(const Block& block)
{
    std::string text;
    switch (block.kind) {
    case Block::Kind::paragraph: return indented(block.lines.front());
    case Block::Kind::lines:
        for (const std::string& line : block.lines)
            text += line_text(line);
        return text;
    case Block::Kind::rows: return as_rows(block.rows);
    case Block::Kind::proof: return proof_rows(block.rows, indent);
    }
    return text;
}

// What markdown would take for marks.
std::string escaped(const std::string& text)
{
    std::string out;
    for (const char c : text) {
        if (c == '|' || c == '*' || c == '<' || c == '>')
            out += '\\';
        out += c;
    }
    return out;
}

std::string markdown_table(const Block& block)
{
    std::string text = block.kind == Block::Kind::proof ? "| because | |\n| --- | ---: |\n" : "| | |\n| --- | --- |\n";
    for (const ProofLine& row : block.rows)
        text += fmt::format("| {} | {} |\n", escaped(row.words), escaped(row.number));
    return text;
}

std::string block_markdown(const Block& block)
{
    switch (block.kind) {
    case Block::Kind::paragraph: return escaped(block.lines.front()) + "\n";
    case Block::Kind::lines: return fmt::format("```text\n{}\n```\n", fmt::join(block.lines, "\n"));
    case Block::Kind::rows:
    case Block::Kind::proof: break;
    }
    return markdown_table(block);
}

}  // namespace

std::string proof_rows(const std::vector<ProofLine>& lines, std::size_t indented_by)
{
    std::size_t number = 0;
    std::size_t words = 0;
    for (const ProofLine& line : lines) {
        number = std::max(number, line.number.size());
        words = std::max(words, line.words.size());
    }
    const std::size_t room =
        terminal_width() > indented_by + number + 22 ? terminal_width() - indented_by - number - 2 : std::size_t{20};
    words = std::min(words, room);
    std::string text;
    for (const ProofLine& line : lines) {
        std::string told = wrapped(line.words, indented_by + 2, indented_by, indented_by + words);
        told.pop_back();
        const std::size_t last = told.rfind('\n');
        const std::size_t column = last == std::string::npos ? indented_by + told.size() : told.size() - last - 1;
        text += fmt::format("{:{}}{}{:{}}{:>{}}\n", "", indented_by, told, "", indented_by + words + 2 - column,
                            line.number, number);
    }
    return text;
}

std::string page_text(const explain::Page& page, Format format)
{
    const bool marked = format == Format::markdown;
    std::string text = marked ? "# " + escaped(page.title) + "\n" : page.title + "\n";
    for (const explain::Section& section : page.sections) {
        if (!section.heading.empty())
            text += (marked ? "\n## " + escaped(section.heading) : "\n" + section.heading) + "\n";
        for (const Block& block : section.blocks)
            text += marked ? "\n" + block_markdown(block) : block_text(block);
    }
    return text;
}

}  // namespace dcube::cli
