#include "demos/gallery/lesson.hpp"

#include <dcube/error.hpp>

#include <charconv>
#include <set>
#include <sstream>

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

    // Up to the line that ends the block they are in, or to the end of the file.
    void read_blocks(std::vector<Block>& blocks)
    {
        const bool outside = &blocks == &lesson_.blocks;
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
                if (outside)
                    fail("no block is open that this could end");
                close_text();
                return;
            }
            if (!in_code && line_.starts_with("::: ")) {
                close_text();
                blocks.push_back(read_block());
                text.line = number_ + 1;
            } else if (!in_code && line_.starts_with("<!-- check ")) {
                read_check();
            } else {
                text.text += line_ + '\n';
            }
        }
        if (!outside)
            fail("a block is not ended by :::");
        close_text();
    }

    Block read_block()
    {
        static const std::map<std::string, Block::Kind> kinds{
            {"view", Block::Kind::view}, {"ask", Block::Kind::ask}, {"exercise", Block::Kind::exercise}};
        const std::string head = trimmed(line_.substr(4));
        const auto kind = kinds.find(head.substr(0, head.find(' ')));
        if (kind == kinds.end() || kind->first == head)
            fail("'" + line_ + "': a block is view, ask or exercise, and something behind it");
        Block block{.kind = kind->second, .argument = trimmed(head.substr(kind->first.size())), .line = number_};
        if (block.kind == Block::Kind::view)
            check_view(block.argument);
        read_blocks(block.blocks);
        return block;
    }

    void check_view(const std::string& argument) const
    {
        try {
            view_of(argument);
        } catch (const InvalidArgument& wrong) {
            fail(wrong.what());
        }
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

}  // namespace

Lesson parse_lesson(const std::string& name, const std::string& text)
{
    return Reader(name, text).read();
}

View view_of(const std::string& argument)
{
    static const std::set<std::string> keys{"step", "time", "colour", "show", "follow", "layout"};
    View view;
    std::istringstream words(argument);
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        if (!word.starts_with('@') || equals == std::string::npos) {  // an argument may be @FILE
            view.arguments += (view.arguments.empty() ? "" : " ") + word;
            continue;
        }
        const std::string key = word.substr(1, equals - 1);
        if (!keys.contains(key) || equals + 1 >= word.size())
            throw InvalidArgument("'" + word + "': a view has @step=, @time=, @colour=, @show=, @follow= and @layout=");
        view.state[key] = word.substr(equals + 1);
    }
    return view;
}

Exercise exercise_of(const Block& block)
{
    const std::size_t space = block.argument.rfind(' ');
    Exercise exercise{.words = space == std::string::npos ? "" : block.argument.substr(0, space),
                      .answer = block.argument.substr(space == std::string::npos ? 0 : space + 1),
                      .commands = {}};
    for (const Block& part : block.blocks) {
        std::istringstream text(part.text);
        bool in_commands = false;
        for (std::string line; std::getline(text, line);)
            if (line.starts_with("```"))
                in_commands = line == "```sh";
            else if (in_commands)
                exercise.commands.push_back(line);
    }
    return exercise;
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

}  // namespace dcube::gallery
