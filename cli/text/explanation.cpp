#include "cli/text/explanation.hpp"

#include "base/lines.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace dcube::cli {

namespace {

using explain::Block;
using explain::ProofLine;

constexpr std::size_t page_indent = 2;

std::string indented(const std::string& text)
{
    return std::string(page_indent, ' ') + wrapped(text, page_indent, page_indent, terminal_width());
}

// The lines of a wrapped text, at least one.
std::vector<std::string> lines_or_blank(const std::string& text, std::size_t width, std::size_t first)
{
    return text.empty() ? std::vector<std::string>(1) : in_lines(text, width, first);
}

// Words and the values beside them; a value that is too long for one line takes several.
std::string as_rows(const std::vector<ProofLine>& rows)
{
    std::size_t label = 0;
    for (const ProofLine& row : rows)
        label = std::max(label, row.words.size());
    const std::size_t room = terminal_width() - std::min(terminal_width(), page_indent + label + 2);
    Table table{{{"", Column::Side::left}, {"", Column::Side::left}}};
    for (const ProofLine& row : rows) {
        const std::vector<std::string> number = lines_or_blank(row.number, room, room);
        for (std::size_t i = 0; i < number.size(); ++i)
            table.add({i == 0 ? row.words : "", number[i]});
    }
    return in_text(table, page_indent);
}

// A command or a formula. A formula that is too long is continued a little to the right of its "=".
std::string line_text(const std::string& line)
{
    const std::size_t equals = line.find("= ");
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    if (equals == std::string::npos)
        return std::string(page_indent, ' ') + line + "\n";
    return std::string(page_indent + begin, ' ') +
           wrapped(line.substr(begin), page_indent + equals + 4, page_indent + begin, terminal_width());
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
    case Block::Kind::proof: return proof_rows(block.rows, page_indent);
    }
    return text;
}

// Escapes the characters that Markdown would take for markup.
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
    const bool proof = block.kind == Block::Kind::proof;
    Table table{{{proof ? "because" : "", Column::Side::left}, {"", proof ? Column::Side::right : Column::Side::left}}};
    for (const ProofLine& row : block.rows)
        table.add({escaped(row.words), escaped(row.number)});
    return in_markdown(table);
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
    Table table{{{"", Column::Side::left, words}, {""}}};
    for (const ProofLine& line : lines) {
        const std::vector<std::string> told = lines_or_blank(line.words, words - 2, words);
        for (std::size_t i = 0; i < told.size(); ++i)
            table.add({(i == 0 ? "" : "  ") + told[i], i + 1 == told.size() ? line.number : ""});
    }
    return in_text(table, indented_by);
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
