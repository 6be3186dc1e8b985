#include "base/names.hpp"
#include "base/numbers.hpp"
#include "cli/text/bench_table.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace dcube::cli {

namespace {

using measure::ComparedCell;
using measure::Finding;

bool contains_part(const std::vector<std::string>& parts, const std::string& part)
{
    return std::ranges::find(parts, part) != parts.end();
}

// The cells' texts without the parts that all of them share, and those parts.
struct ShortTexts {
    std::string common;
    std::vector<std::string> texts;
};

ShortTexts shortened_texts(const std::vector<ComparedCell>& cells)
{
    std::vector<std::vector<std::string>> parts;
    for (const ComparedCell& one : cells)
        parts.push_back(split(text_of_file(one.cell), ", "));
    const auto in_all = [&](const std::string& part) {
        return parts.size() > 1 &&
               std::ranges::all_of(parts, [&](const auto& others) { return contains_part(others, part); });
    };
    ShortTexts result;
    for (const std::vector<std::string>& one : parts) {
        std::vector<std::string> own;
        std::vector<std::string> common;
        for (const std::string& part : one)
            (in_all(part) ? common : own).push_back(part);
        result.common = fmt::format("{}", fmt::join(common, ", "));
        result.texts.push_back(fmt::format("{}", fmt::join(own, ", ")));
    }
    return result;
}

// "slower", "equal within 2.1 %", "cannot tell".
std::string verdict_words(const ComparedCell& one)
{
    const std::string word(name(one.finding));
    if (one.equal_within)
        return fmt::format("{} within {:.1f} %", word, 100 * *one.equal_within);
    return word;
}

std::string interval_text(const ComparedCell& one)
{
    return one.interval ? fmt::format("{:.3f} .. {:.3f}", one.interval->low, one.interval->high) : "-";
}

// The parts of the cell's text that the other's lacks.
std::string difference_of(const std::string& cell, const std::string& other)
{
    const std::vector<std::string> known = split(other, ", ");
    std::vector<std::string> own = split(cell, ", ");
    std::erase_if(own, [&](const std::string& part) { return contains_part(known, part); });
    return own.empty() ? "as usual" : fmt::format("{}", fmt::join(own, ", "));
}

std::string comparison_rows(const std::vector<ComparedCell>& cells)
{
    const auto [common, names] = shortened_texts(cells);
    Table table{{{"cell", Column::Side::left},
                 {"old"},
                 {"new"},
                 {"ratio"},
                 {"95 % interval"},
                 {"verdict", Column::Side::left}}};
    for (std::size_t i = 0; i < cells.size(); ++i)
        table.add({names[i], duration_text(cells[i].old_seconds), duration_text(cells[i].new_seconds),
                   fmt::format("{:.3f}", cells[i].ratio), interval_text(cells[i]), verdict_words(cells[i])});
    return (common.empty() ? "" : common + "\n") + in_text(table);
}

std::string verdict_counts(const std::vector<ComparedCell>& cells)
{
    std::string text = counted(cells.size(), "cell");
    std::string mark = ": ";
    for (const Finding finding : {Finding::faster, Finding::slower, Finding::equal, Finding::cannot_tell}) {
        const auto count = std::ranges::count(cells, finding, &ComparedCell::finding);
        if (count == 0)
            continue;
        text += fmt::format("{}{} {}", mark, count, name(finding));
        mark = ", ";
    }
    return text + "\n";
}

// The line of doubts: each once, with the number of cells that have it.
std::string doubt_lines(const std::vector<ComparedCell>& cells)
{
    std::map<std::string, std::size_t> count;
    for (const ComparedCell& one : cells) {
        std::set<std::string> words;  // "old: busy"
        for (const std::string& doubt : one.doubts)
            words.insert(doubt.substr(0, doubt.find(':', doubt.find(':') + 1)));
        for (const std::string& word : words)
            ++count[text_of_file(word)];
    }
    std::string list;
    for (const auto& [word, many] : count)
        list += fmt::format("{}{} ({} of {})", list.empty() ? "" : ", ", word, many, cells.size());
    return list.empty() ? "" : wrapped("doubts: " + list, 2, 0, terminal_width());
}

}  // namespace

std::string bench_comparison_text(const measure::BenchComparison& comparison, const std::string& old_name,
                                  const std::string& new_name)
{
    std::string text = fmt::format("old: {}\nnew: {}\n", old_name, new_name);
    for (const measure::Difference& one : comparison.differences)
        text += wrapped(fmt::format("differs: {}: {} (old), {} (new)", one.what, text_of_file(one.old_value),
                                    text_of_file(one.new_value)),
                        2, 0, 120);
    if (!comparison.cells.empty())
        text +=
            "\n" + comparison_rows(comparison.cells) + verdict_counts(comparison.cells) + doubt_lines(comparison.cells);
    for (const auto& [whose, cells] :
         {std::pair{old_name, &comparison.only_old}, std::pair{new_name, &comparison.only_new}})
        for (const std::string& cell : *cells)
            text += wrapped(fmt::format("only in {}: {}", whose, text_of_file(cell)), 2, 0, 120);
    return text;
}

std::string rivals_text(const std::vector<measure::Rival>& rivals)
{
    if (rivals.empty())
        return "no two cells differ only in algorithm, pin, channel or threads\n";
    std::string text;
    for (auto begin = rivals.begin(); begin != rivals.end();) {
        const auto end =
            std::find_if(begin, rivals.end(), [&](const measure::Rival& one) { return one.against != begin->against; });
        const std::string against = text_of_file(begin->against);
        Table table{{{"against that", Column::Side::left},
                     {"median"},
                     {"ratio"},
                     {"95 % interval"},
                     {"verdict", Column::Side::left}}};
        for (auto one = begin; one != end; ++one)
            table.add({difference_of(text_of_file(one->cell.cell), against), duration_text(one->cell.new_seconds),
                       fmt::format("{:.3f}", one->cell.ratio), interval_text(one->cell), verdict_words(one->cell)});
        text +=
            wrapped(fmt::format("{}: {}", against, duration_text(begin->cell.old_seconds)), 2, 0, terminal_width()) +
            in_text(table);
        begin = end;
    }
    return text;
}

}  // namespace dcube::cli
