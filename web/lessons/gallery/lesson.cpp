#include "web/lessons/gallery/lesson.hpp"

#include "web/lessons/gallery/files.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <charconv>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

namespace dcube::gallery {

namespace {

std::string trimmed(const std::string& text)
{
    const std::size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(trimmed(part));
    return parts;
}

// "a: b" as two; nothing before or behind the colon is taken for text of an entry.
std::pair<std::string, std::string> halves(const std::string& text)
{
    const std::size_t colon = text.find(": ");
    if (colon == std::string::npos)
        return {trimmed(text), ""};
    return {trimmed(text.substr(0, colon)), trimmed(text.substr(colon + 2))};
}

/// "4 => Count both." as the option's text and the answer to it.
Choice choice_of(const std::string& item, bool right)
{
    constexpr std::string_view arrow = "=>";
    const std::size_t at = item.find(arrow);
    if (at == std::string::npos)
        return {.text = trimmed(item), .right = right};
    return {.text = trimmed(item.substr(0, at)), .right = right, .reply = trimmed(item.substr(at + arrow.size()))};
}

bool is_choice(const Block& exercise)
{
    return exercise.argument == "choose";
}

class Reader {
public:
    Reader(const std::string& name, const std::string& text) : stream_(text) { lesson_.name = name; }

    Lesson read()
    {
        read_entries();
        read_blocks(lesson_.blocks);
        return lesson_;
    }

private:
    [[noreturn]] void fail(const std::string& why) const
    {
        throw InvalidArgument(lesson_.name + ".md, line " + std::to_string(number_) + ": " + why);
    }

    bool next()
    {
        ++number_;
        return static_cast<bool>(std::getline(stream_, line_));
    }

    void read_entries()
    {
        if (!next() || line_ != "---")
            fail("a lesson begins with a line ---");
        std::set<std::string> found;
        while (next() && line_ != "---") {
            const auto [key, value] = halves(line_);
            take_entry(key, value);
            if (key == "picture")
                check_view(value);
            if (!found.insert(key).second)
                fail("a second " + key);
        }
        for (const char* const key : {"title", "minutes", "aim", "picture"})
            if (!found.contains(key))
                fail(std::string("the lesson has no ") + key);
    }

    void take_entry(const std::string& key, const std::string& value)
    {
        if (key == "title")
            lesson_.title = value;
        else if (key == "aim")
            lesson_.aim = value;
        else if (key == "picture")
            lesson_.picture = value;
        else if (key == "needs")
            lesson_.needs = split(value, ',');
        else if (key != "minutes")
            fail("'" + key + "': a lesson has title, minutes, needs, aim and picture");
        else if (std::from_chars(value.data(), value.data() + value.size(), lesson_.minutes).ec != std::errc())
            fail("minutes is a number");
    }

    // Reads up to the line that ends the block they are in, or to the end of the file.
    void read_blocks(std::vector<Block>& blocks, const Block* inside = nullptr)
    {
        Block text{.line = number_ + 1};
        const auto close_text = [&] {
            if (text.text.find_first_not_of('\n') != std::string::npos)
                blocks.push_back(text);
            text = {.line = number_ + 1};
        };
        bool in_code = false;
        while (next()) {
            in_code ^= line_.starts_with("```");
            if (!in_code && line_ == ":::") {
                if (inside == nullptr)
                    fail("no block is open that this could end");
                close_text();
                return;
            }
            if (!in_code && line_.starts_with("::: ")) {
                close_text();
                blocks.push_back(read_block(inside));
                text.line = number_ + 1;
            } else if (!in_code && line_.starts_with("<!-- check ")) {
                read_check();
            } else if (!in_code && begins_choice(inside)) {
                close_text();
                blocks.push_back(read_choices(*inside));
                text.line = number_ + 1;
            } else {
                if (!in_code)
                    check_things(line_);
                text.text += line_ + '\n';
            }
        }
        if (inside != nullptr)
            fail("a block is not ended by :::");
        close_text();
    }

    Block read_block(const Block* outside)
    {
        static const std::map<std::string, Block::Kind> kinds{
            {"view", Block::Kind::view},         {"plot", Block::Kind::plot}, {"ask", Block::Kind::ask},
            {"exercise", Block::Kind::exercise}, {"note", Block::Kind::note}, {"solution", Block::Kind::solution},
        };
        const std::string head = trimmed(line_.substr(4));
        const auto kind = kinds.find(head.substr(0, head.find(' ')));
        const bool alone = kind != kinds.end() && kind->first == head;
        if (kind == kinds.end() || alone != stands_alone(kind->second))
            fail("'" + line_ +
                 "': a block is note or solution, or view, plot, ask or exercise and something behind it");
        Block block{.kind = kind->second, .argument = trimmed(head.substr(kind->first.size())), .line = number_};
        if (block.kind == Block::Kind::solution && (outside == nullptr || outside->kind != Block::Kind::exercise))
            fail("a solution stands in an exercise");
        if (block.kind == Block::Kind::view)
            check_view(block.argument);
        check_things(block.argument);
        read_blocks(block.blocks, &block);
        if (block.kind == Block::Kind::exercise)
            check_exercise(block);
        return block;
    }

    static bool stands_alone(Block::Kind kind) { return kind == Block::Kind::note || kind == Block::Kind::solution; }

    // Options are always choices; "- 4 => ..." is one in an exercise only, elsewhere it is a list.
    [[nodiscard]] bool begins_choice(const Block* inside) const
    {
        const bool option = line_.starts_with("- [ ] ") || line_.starts_with("- [x] ");
        const bool exercise = inside != nullptr && inside->kind == Block::Kind::exercise;
        if (option && !exercise && (inside == nullptr || inside->kind != Block::Kind::ask))
            fail("an option stands in a question or in an exercise");
        if (exercise && option != is_choice(*inside) && line_.starts_with("- "))
            fail(option ? "options are for ::: exercise choose" : "an exercise to choose has options, - [ ] and - [x]");
        return option || (exercise && line_.starts_with("- "));
    }

    Block read_choices(const Block& inside)
    {
        if (choices_of(inside) != nullptr)
            fail("a second list of choices");
        Block block{.kind = Block::Kind::choices, .line = number_};
        const bool options = line_.starts_with("- [");
        const std::size_t mark = options ? 6 : 2;
        do {
            if (options != (line_.starts_with("- [ ] ") || line_.starts_with("- [x] ")))
                fail("an option begins with - [ ] or - [x]");
            const bool right = options && line_[3] == 'x';
            std::string item = line_.substr(mark);
            while (stream_.peek() == ' ' && next())
                item += ' ' + trimmed(line_);
            check_things(item);
            block.choices.push_back(choice_of(item, right));
            if (!options && block.choices.back().reply.empty())
                fail("a hint is - WRONG ANSWER => WHAT TO SAY");
        } while (stream_.peek() == '-' && next());
        if (options && (block.choices.size() < 2 || std::ranges::none_of(block.choices, &Choice::right)))
            fail("a choice has two options or more, of which one is right, - [x]");
        return block;
    }

    // Links to a place in the page are words that light a thing in the figure.
    void check_things(const std::string& text) const
    {
        static const std::regex link(R"(\]\(#([^)]*)\))");
        static const std::regex thing(
            R"(bound|play|pull=100|(node|link|dimension|origin)=\d{1,6}|follow=\d*-\d*(\.\d+)?|(figure=\d{1,2}&)?step=\d{1,4}(&light=new)?)");
        for (std::sregex_iterator found(text.begin(), text.end(), link), end; found != end; ++found)
            if (!std::regex_match(found->str(1), thing))
                fail("'#" + found->str(1) +
                     "': a thing is #bound, #play, #pull=100, #node=, #link=, #dimension=, #origin=, #step= and a "
                     "number, #follow=0-7, #figure=2&step=3, or #step=2&light=new");
    }

    void check_view(const std::string& argument) const
    {
        try {
            view_of(argument);
        } catch (const InvalidArgument& wrong) {
            fail(wrong.what());
        }
    }

    void check_exercise(const Block& block) const
    {
        if (is_choice(block) && choices_of(block) == nullptr)
            fail("an exercise to choose has options, - [ ] and - [x]");
        Exercise exercise;
        try {
            exercise = exercise_of(block);
            if (exercise.is_done_by_run() && choices_of(block) != nullptr)
                for (const Choice& hint : choices_of(block)->choices)
                    conditions_of(hint.text);
        } catch (const InvalidArgument& wrong) {
            fail(wrong.what());
        }
        if (!exercise.is_done_by_run())
            return;
        if (exercise.commands.empty() || exercise.solution_commands.empty())
            fail("an exercise that is done by a run has a command to begin with, and one in its solution");
        if ((exercise.kind == Exercise::Kind::program) !=
            (!exercise.program.empty() && !exercise.solution_program.empty()))
            fail("an exercise for a program, and only such a one, has ```js to begin with and in its solution");
    }

    void read_check()
    {
        if (!line_.ends_with(" -->"))
            fail("a check is one line and ends with -->");
        const auto [command, words] = halves(line_.substr(11, line_.size() - 11 - 4));
        if (words.empty())
            fail("a check is a command, a colon, and what it prints");
        lesson_.checks.push_back({command, split(words, ';')});
    }

    std::istringstream stream_;
    std::string line_;
    int number_ = 0;
    Lesson lesson_;
};

void collect(const std::vector<Block>& blocks, Block::Kind kind, std::vector<Block>& found)
{
    for (const Block& block : blocks) {
        if (block.kind == kind)
            found.push_back(block);
        collect(block.blocks, kind, found);
    }
}

// The slider in "{g=1|2|*4}", which stands behind an option.
Parameter parameter_of(const std::string& text, const std::string& option)
{
    static const std::regex form(R"(([a-z]+)=([*+]?[^|*+{}]+(\|[*+]?[^|*+{}]+)+))");
    std::smatch parts;
    if (!std::regex_match(text, parts, form) || std::ranges::count(text, '*') > 1)
        throw InvalidArgument("'{" + text +
                              "}': a slider is {g=1|2|*4|+8}, a name in small letters and two values or more, of "
                              "which a star may mark one, and a plus those that are run in the page");
    Parameter parameter{.name = parts[1],
                        .option = option.substr(std::min(option.find_first_not_of('-'), option.size())),
                        .values = split(parts[2], '|')};
    for (std::size_t i = 0; i < parameter.values.size(); ++i) {
        std::string& value = parameter.values[i];
        parameter.run_in_page.push_back(value.starts_with('+'));
        if (value.starts_with('*'))
            parameter.first = i;
        if (value.starts_with('*') || value.starts_with('+'))
            value.erase(0, 1);
    }
    if (parameter.run_in_page[parameter.first])
        throw InvalidArgument("'{" + text + "}': the value that is shown first has its film in the page: no plus");
    return parameter;
}

// A word behind all arguments so far; with a slider in it, one for each value.
void append_word(View& view, const std::string& word, const std::string& option)
{
    constexpr std::size_t most_runs = 16;
    const std::size_t open = word.find('{');
    const std::size_t close = word.find('}');
    const std::string space = view.arguments.empty() ? "" : " ";
    if (open == std::string::npos) {
        view.arguments += space + word;
        for (std::string& run : view.runs)
            run += space + word;
        return;
    }
    if (close == std::string::npos || close < open || word.find('{', open + 1) != std::string::npos)
        throw InvalidArgument("'" + word + "': a slider is {g=1|2|*4}, without spaces");
    const Parameter parameter = parameter_of(word.substr(open + 1, close - open - 1), option);
    const auto with = [&](const std::string& value) {
        return space + word.substr(0, open) + value + word.substr(close + 1);
    };
    view.arguments += with(parameter.values[parameter.first]);
    std::vector<std::string> runs;
    std::vector<bool> run_in_page;
    for (std::size_t run = 0; run < view.runs.size(); ++run)
        for (std::size_t i = 0; i < parameter.values.size(); ++i) {
            runs.push_back(view.runs[run] + with(parameter.values[i]));
            run_in_page.push_back(view.run_in_page[run] || parameter.run_in_page[i]);
        }
    const auto films = static_cast<std::size_t>(std::ranges::count(run_in_page, false));
    if (films > most_runs)
        throw InvalidArgument("a view's sliders make " + std::to_string(films) + " runs; " + std::to_string(most_runs) +
                              " are allowed");
    view.runs = std::move(runs);
    view.run_in_page = std::move(run_in_page);
    view.parameters.push_back(parameter);
}

// The page draws what it is given, so a slip would be found on paper only.
void check_print(const std::string& value)
{
    static const std::regex form("(pull|[1-9][0-9]*)(,(pull|[1-9][0-9]*)){0,3}");
    if (!std::regex_match(value, form))
        throw InvalidArgument("'@print=" + value + "': one to four steps, or pull, with commas: @print=pull,1,4");
}

}  // namespace

Lesson parse_lesson(const std::string& name, const std::string& text)
{
    return Reader(name, text).read();
}

View view_of(const std::string& argument)
{
    static const std::set<std::string> keys{"step",  "time",  "colour", "show",  "follow",  "layout", "node",
                                            "link",  "bound", "gantt",  "pull",  "predict", "table",  "rows",
                                            "names", "turn",  "look",   "print", "say",     "same",   "values"};
    View view;
    view.runs.emplace_back();
    view.run_in_page.push_back(false);
    std::istringstream words(argument);
    std::string option;  // the word before
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        if (!word.starts_with('@') || equals == std::string::npos) {  // an argument may be @FILE
            append_word(view, word, option);
            option = word;
            continue;
        }
        const std::string key = word.substr(1, equals - 1);
        if (!keys.contains(key) || equals + 1 >= word.size())
            throw InvalidArgument("'" + word +
                                  "': a view has @step=, @time=, @colour=, @show=, @follow=, @layout=, @node=, @link=, "
                                  "@bound=, @gantt=, @pull=, @predict=, @table=, @rows=, @names=, @turn=, @look=, "
                                  "@print=, @say=, @same= and @values=");
        view.state[key] = word.substr(equals + 1);
        if (key == "print")
            check_print(view.state[key]);
    }
    return view;
}

std::vector<Condition> conditions_of(const std::string& text)
{
    static const std::regex form(R"(([a-z][a-z_]*)(<=|>=|!=|=|<|>)([^\s=<>!]+))");
    std::vector<Condition> conditions;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        std::smatch parts;
        if (!std::regex_match(word, parts, form))
            throw InvalidArgument("'" + word +
                                  "': a condition is a report's key, one of = != <= < >= >, and a value: steps<=5");
        conditions.push_back({parts[1], parts[2], parts[3]});
    }
    if (conditions.empty())
        throw InvalidArgument("a condition is missing: steps<=5");
    return conditions;
}

namespace {

// The commands and the program in the fences of texts.
struct Fences {
    std::vector<std::string> commands{};
    std::string program{};
};

Fences fences_of(const std::vector<Block>& blocks)
{
    Fences fences;
    for (const Block& part : blocks) {
        std::istringstream text(part.text);
        std::string inside;
        for (std::string line; std::getline(text, line);)
            if (line.starts_with("```"))
                inside = inside.empty() ? line : "";
            else if (inside == "```sh")
                fences.commands.push_back(line);
            else if (inside == "```js")
                fences.program += line + '\n';
    }
    return fences;
}

}  // namespace

Exercise exercise_of(const Block& block)
{
    const std::string& argument = block.argument;
    Fences own = fences_of(block.blocks);
    Exercise exercise{.words = {}, .answer = {}, .commands = std::move(own.commands)};
    if (is_choice(block)) {
        exercise.kind = Exercise::Kind::choose;
        return exercise;
    }
    for (const auto& [word, kind] :
         {std::pair{"run ", Exercise::Kind::run}, std::pair{"program ", Exercise::Kind::program}})
        if (argument.starts_with(word)) {
            exercise.kind = kind;
            exercise.wanted = conditions_of(argument.substr(argument.find(' ')));
            exercise.program = std::move(own.program);
            for (const Block& part : block.blocks)
                if (part.kind == Block::Kind::solution) {
                    Fences solution = fences_of(part.blocks);
                    exercise.solution_commands = std::move(solution.commands);
                    exercise.solution_program = std::move(solution.program);
                }
            return exercise;
        }
    const std::size_t space = argument.rfind(' ');
    exercise.words = space == std::string::npos ? "" : argument.substr(0, space);
    exercise.answer = argument.substr(space == std::string::npos ? 0 : space + 1);
    return exercise;
}

const Block* choices_of(const Block& block)
{
    const auto found = std::ranges::find(block.blocks, Block::Kind::choices, &Block::kind);
    return found == block.blocks.end() ? nullptr : &*found;
}

std::vector<View> views_of(const Lesson& lesson)
{
    std::vector<View> views{view_of(lesson.picture)};
    for (const Block& block : blocks_of(lesson, Block::Kind::view))
        views.push_back(view_of(block.argument));
    return views;
}

std::vector<Block> blocks_of(const Lesson& lesson, Block::Kind kind)
{
    std::vector<Block> found;
    collect(lesson.blocks, kind, found);
    return found;
}

std::vector<Lesson> read_lessons(const std::filesystem::path& folder)
{
    std::vector<Lesson> lessons;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".md")
            lessons.push_back(parse_lesson(entry.path().stem().string(), read_file(entry.path())));
    std::ranges::sort(lessons, {}, &Lesson::name);
    return lessons;
}

}  // namespace dcube::gallery
