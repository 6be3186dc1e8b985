// dcube explain knows every word that dcube prints: rows and columns, keys, options, values, and every technical word
// in reports and tables. What is ordinary English stands in ordinary_words.txt.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include "base/names.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/collective.hpp>
#include <dcube/elements.hpp>
#include <dcube/link.hpp>
#include <dcube/machine.hpp>
#include <dcube/matrix.hpp>
#include <dcube/permutation.hpp>
#include <dcube/topology.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace dcube;
using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

using WordSet = std::set<std::string>;

std::string as_word(std::string text)
{
    std::ranges::replace(text, ' ', '-');
    return text;
}

// Whether it is explained, in at least a line.
bool is_explained(const std::string& text)
{
    static std::map<std::string, bool> known;
    const std::string word = as_word(text);
    const auto [at, is_new] = known.try_emplace(word);
    if (is_new) {
        const Outcome outcome = executed("explain " + word);
        at->second = outcome.exit_code == 0 && outcome.out.find("\n  ") != std::string::npos;
    }
    return at->second;
}

// All of them, so that a failure names them all.
WordSet unexplained(const WordSet& words)
{
    WordSet missing;
    for (const std::string& word : words)
        if (!is_explained(word))
            missing.insert(word);
    return missing;
}

const std::vector<std::string>& reports()
{
    static const std::vector<std::string> lines{
        "run all-to-all --dim 3",
        "run all-reduce --topology ring:5 --packets 3 --channel spsc --type int16",
        "run broadcast --dim 3 --tau 1 --beta 10",
        "run scatter --dim 4 --bytes 1KiB --tau 1 --beta 10 --clock lockstep",
        "run send --dim 4 --to 9 --machine infiniband-hdr --bytes 4KiB",
        "run permute --dim 4 --permutation shuffle --ports one",
        "run matrix-transpose --dim 2 --rows 8 --cols 8 --layout submatrices",
        "run all-gather --topology torus:3x4 --without-link 0-1",
        "run reduce-scatter --dim 3 --repeat 2",
        "run broadcast --dim 3 --algorithm independent-trees --packets 4 --fail-link 0-1@2",
        "run broadcast --dim 3 --dry-run",
        "run broadcast --dim 3 --dry-run --tau 1 --beta 10",
        "run broadcast --dim 2,3",
        "run broadcast --dim 2:3 --bytes 8,64 --tau 1 --beta 10",
        "compare all-to-all --dim 3",
        "compare broadcast --dim 3 --bytes 1KiB --tau 1 --beta 10",
        "compare broadcast --dim 3 --bytes 1KiB:4KiB:x4 --tau 1 --beta 10",
        "info --dim 3",
        "info --topology torus:3x4 --without-link 0-1 --ranks 2",
        "histogram --dim 2 --bins 4 --input " DCUBE_SOURCE_DIR "/LICENSE",
        "bench broadcast --dim 2,3 --threads 1,2 --rounds 2 --max-time 0.02 --min-time 0.01 --against-each-other",
        "limits --quick --no-keep --threads 1"};
    return lines;
}

// The report of one run as long as it can be; other lines as they are.
Outcome executed_in_full(const std::string& line)
{
    const Outcome verbose = executed(line + " --verbose");
    return verbose.exit_code == 0 ? verbose : executed(line);
}

// What a line prints, without the paragraph in which bench and limits describe this computer.
const std::string& printed(const std::string& line)
{
    static std::map<std::string, std::string> all;
    const auto [at, is_new] = all.try_emplace(line);
    if (is_new) {
        const Outcome outcome = executed_in_full(line);
        CAPTURE(line, outcome.err);
        REQUIRE(outcome.exit_code == 0);
        const bool of_computer = line.starts_with("bench") || line.starts_with("limits");
        at->second = of_computer ? outcome.out.substr(outcome.out.find("\n\n")) : outcome.out;
    }
    return at->second;
}

// A trace of its own, judged.
std::vector<std::string> judged(const TemporaryFolder& folder)
{
    std::vector<std::string> lines;
    for (const char* const links : {"", " --tau 1 --beta 10"}) {
        const std::string file = folder.file(links[0] == '\0' ? "steps" : "times");
        REQUIRE(executed(std::string("run reduce --dim 3 --trace ") + file + links).exit_code == 0);
        for (const char* const command : {"verify ", "replay "})
            lines.push_back(command + file);
    }
    return lines;
}

bool is_number(const std::string& word)
{
    return std::ranges::any_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
}

// "link use       100.0 %": what stands before two or more spaces at a line's begin, as a row's label does.
std::string label_of(const std::string& line)
{
    const std::size_t end = line.find("  ");
    if (line.empty() || line.front() == ' ' || end == std::string::npos || end > 14)
        return "";
    const std::string label = line.substr(0, end);
    return is_number(label) ? "" : label;
}

// Labels are lower case words: no algorithm or network, which tables have there.
bool is_label(const std::string& text)
{
    return text.size() > 1 &&
           std::ranges::all_of(text, [](unsigned char c) { return std::islower(c) != 0 || c == ' '; });
}

// The cells of a line whose columns two or more spaces part.
std::vector<std::string> cells_of(const std::string& line)
{
    std::vector<std::string> cells;
    for (const std::string& cell : split(line, "  "))
        if (const std::string text = trimmed(cell); !text.empty())
            cells.push_back(text);
    return cells;
}

// "137", "2 259"; not "2 threads".
bool is_figure(const std::string& cell)
{
    return is_number(cell) && std::ranges::none_of(cell, [](unsigned char c) { return std::isalpha(c) != 0; });
}

// A line over columns: three cells or more of which none is a figure, below which a line has figures.
WordSet headings_of(const std::string& text)
{
    WordSet headings;
    const std::vector<std::string> lines = lines_of(text);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
        const std::vector<std::string> cells = cells_of(lines[i]);
        const std::vector<std::string> below = cells_of(lines[i + 1]);
        if (cells.size() < 3 || below.size() < 3 || std::ranges::any_of(cells, is_figure) ||
            std::ranges::none_of(below, is_figure))
            continue;
        for (const std::string& cell : cells)  // "1 thread", "in 2 MiB"
            if (std::isalpha(static_cast<unsigned char>(cell.front())) != 0 && !cell.starts_with("in "))
                headings.insert(cell);
    }
    return headings;
}

// "least, whole" is two words.
WordSet parted(const WordSet& texts)
{
    WordSet parts;
    for (const std::string& text : texts)
        for (const std::string& part : split(text, ", "))
            parts.insert(trimmed(part));
    return parts;
}

void add_keys(const ordered_json& record, WordSet& keys)
{
    if (record.is_object())
        for (const auto& [key, value] : record.items()) {
            keys.insert(key);
            add_keys(value, keys);
        }
    if (record.is_array())
        for (const ordered_json& value : record)
            add_keys(value, keys);
}

WordSet ordinary_words()
{
    WordSet words;
    std::ifstream file(DCUBE_SOURCE_DIR "/tests/cli/ordinary_words.txt");
    for (std::string word; file >> word;)
        words.insert(word);
    return words;
}

// Letters, and hyphens between them; what has digits, or stands in quotation marks or a formula, is no word.
WordSet words_of(const std::string& text)
{
    WordSet words;
    for (const std::string& line : lines_of(text)) {
        std::string word;
        for (const char c : line + ' ') {
            const auto letter = static_cast<unsigned char>(c);
            if (std::isspace(letter) == 0 && std::string_view("()[],;:|\"").find(c) == std::string_view::npos) {
                word += c;
                continue;
            }
            while (!word.empty() && (word.back() == '.' || word.back() == '-'))
                word.pop_back();
            const bool is_word = word.size() > 1 && std::ranges::all_of(word, [](unsigned char one) {
                                     return std::isalpha(one) != 0 || one == '-' || one == '\'';
                                 });
            const bool marks = word.find_first_not_of("sfbtlau") == std::string::npos;  // the letters of bench's doubts
            if (is_word && !marks && std::isalpha(static_cast<unsigned char>(word.front())) != 0)
                words.insert(word);
            word.clear();
        }
    }
    return words;
}

// As a dictionary has it: "packets" is packet, "node's" is node.
std::vector<std::string> forms_of(const std::string& word)
{
    std::vector<std::string> forms{word};
    const auto without = [&](std::string_view ending, std::string_view instead) {
        if (word.ends_with(ending))
            forms.push_back(word.substr(0, word.size() - ending.size()) + std::string(instead));
    };
    without("'s", "");
    without("'", "");
    without("s'", "");
    without("s", "");
    without("es", "");
    without("ies", "y");
    return forms;
}

bool is_known(const std::string& word, const WordSet& ordinary)
{
    for (std::string form : forms_of(word)) {
        std::string lower = form;
        std::ranges::transform(lower, lower.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (ordinary.contains(lower) || is_explained(form))
            return true;
    }
    const std::vector<std::string> parts = split(word, "-");  // "list-scheduling"
    return parts.size() > 1 &&
           std::ranges::all_of(parts, [&](const std::string& part) { return is_known(part, ordinary); });
}

}  // namespace

TEST_CASE("explain: what is no word of dcube's is not explained, nor ordinary", "[cli][explain]")
{
    const WordSet ordinary = ordinary_words();
    for (const char* const word : {"frobnicate", "wormhole", "quorum-latch"}) {
        CAPTURE(word);
        CHECK_FALSE(is_explained(word));
        CHECK_FALSE(is_known(word, ordinary));
    }
    CHECK(is_known("packets", ordinary));
    CHECK_THAT(executed("explain link-usage").err, Catch::Contains("did you mean link use?"));
}

TEST_CASE("explain: every option of every command, and every value that is listed in its help", "[cli][explain][long]")
{
    WordSet words;
    for (const std::string& command : commands_of_dcube()) {
        words.insert(command);
        for (const HelpedOption& option : options_of(command)) {
            words.insert(option.name);
            words.insert(option.name.substr(2));
        }
    }
    CHECK(words.size() > 200);
    std::string help;  // in one line
    for (const char* const command : {"run", "bench", "export", "list", "completion", "view", "explain"})
        help += std::regex_replace(executed(std::string(command) + " --help").out, std::regex("\n +"), " ");
    const auto add = [&](const char* pattern, std::string_view separator) {
        const std::regex values(pattern);
        for (std::sregex_iterator found(help.begin(), help.end(), values), end; found != end; ++found)
            for (std::string& value : split((*found)[1].str(), separator))
                words.insert(std::move(value));
    };
    add(R"( ([a-z-]+(?:\|[a-z-]+)+)(?=\s))", "|");
    add(R"( ((?:[a-z-]+, )+[a-z-]+) \[[a-z-]+\])", ", ");
    for (const char* const value : {"compact", "spsc", "csv", "chrome", "zsh", "bench-fields"})
        CHECK(words.contains(value));
    CHECK(unexplained(words) == WordSet{});
}

TEST_CASE("explain: every name that an option takes", "[cli][explain][long]")
{
    WordSet words;
    const auto add_all = [&]<class Value>(Value) {
        for (unsigned char i = 0; name(static_cast<Value>(i)) != "unknown"; ++i)
            words.emplace(name(static_cast<Value>(i)));
    };
    add_all(ElementType{});
    add_all(Operation{});
    add_all(MatrixLayout{});
    for (const auto kind : {ChannelKind::slots, ChannelKind::spsc})
        words.emplace(name(kind));
    for (const auto pinning : {Pinning::none, Pinning::compact, Pinning::scatter})
        words.emplace(name(pinning));
    for (const auto kind : {LinkKind::unit, LinkKind::link_bound})
        words.emplace(name(kind));
    for (const auto clock : {LinkClock::data_driven, LinkClock::lockstep})
        words.emplace(name(clock));
    for (const auto ports : {PortModel::all, PortModel::one})
        words.emplace(name(ports));
    for (const std::string_view permutation : permutation_names())
        words.emplace(permutation.substr(0, permutation.find(':')));
    for (const std::string_view network : network_examples())
        words.emplace(network.substr(0, network.find(':')));
    for (const MachinePreset& machine : machine_presets())
        words.emplace(machine.name);
    for (const Collective collective : all_collectives) {
        words.emplace(name(collective));
        for (const std::string_view alias : traits(collective).aliases)
            if (!alias.empty())
                words.emplace(alias);
    }
    CHECK(words.size() > 70);
    CHECK(unexplained(words) == WordSet{});
}

TEST_CASE("explain: every key of JSON and CSV", "[cli][explain][long]")
{
    WordSet keys;
    for (const std::string& line : reports()) {
        const Outcome outcome = executed(line + " --format json");
        if (outcome.exit_code == 0)
            add_keys(ordered_json::parse(outcome.out), keys);
        const Outcome csv = executed(line + " --format csv");
        if (csv.exit_code == 0)
            for (const std::string& key : split(lines_of(csv.out).front(), ","))
                keys.insert(key);
    }
    const TemporaryFolder folder;
    for (const std::string& line : judged(folder))
        add_keys(json_of(line), keys);
    for (const char* const trace : {"steps", "times"})
        for (const std::string& line : lines_of(read_text(folder.file(trace))))
            add_keys(ordered_json::parse(line), keys);
    for (const char* const list : {"list", "list machines", "list fields", "list bench-fields", "list trace-fields"})
        add_keys(json_of(list), keys);
    CHECK(keys.size() > 150);
    WordSet missing = unexplained(keys);
    CHECK(missing == WordSet{});
}

TEST_CASE("explain: every row of reports and every column of tables", "[cli][explain][long]")
{
    WordSet labels;
    WordSet headings;
    const TemporaryFolder folder;
    std::vector<std::string> lines = reports();
    std::ranges::move(judged(folder), std::back_inserter(lines));
    for (const std::string& line : lines) {
        for (const std::string& one : lines_of(printed(line)))
            if (const std::string label = label_of(one); is_label(label))
                labels.insert(label);
        headings.merge(headings_of(printed(line)));
    }
    for (const char* const label :
         {"steps", "link use", "virtual time", "wall time", "verdict", "diameter", "working set"})
        CHECK(labels.contains(label));
    for (const char* const heading : {"ratio", "virtual ns", "median", "ns each"})
        CHECK(headings.contains(heading));
    CHECK(unexplained(parted(labels)) == WordSet{});
    CHECK(unexplained(parted(headings)) == WordSet{});
}

TEST_CASE("explain: every word of reports and tables is ordinary English, or explained", "[cli][explain][long]")
{
    const WordSet ordinary = ordinary_words();
    CHECK(ordinary.size() > 100);
    WordSet missing;
    const TemporaryFolder folder;
    std::vector<std::string> lines = reports();
    std::ranges::move(judged(folder), std::back_inserter(lines));
    for (const std::string& line : lines)
        for (const std::string& word : words_of(printed(line)))
            if (!is_known(word, ordinary))
                missing.insert(word);
    INFO("a technical word goes into docs/glossary.md, an ordinary one into tests/cli/ordinary_words.txt");
    CHECK(missing == WordSet{});
}

TEST_CASE("explain: the list of ordinary words is sorted, and has none that dcube explains", "[cli][explain][long]")
{
    std::vector<std::string> words;
    std::ifstream file(DCUBE_SOURCE_DIR "/tests/cli/ordinary_words.txt");
    for (std::string word; file >> word;)
        words.push_back(word);
    CHECK(std::ranges::is_sorted(words));
    CHECK(std::ranges::adjacent_find(words) == words.end());
    WordSet explained;
    for (const std::string& word : words)
        if (is_explained(word))
            explained.insert(word);
    CHECK(explained == WordSet{});
}
