#pragma once
/// Lesson: what stands in a file of demos/lessons, as a tree.
///
/// A lesson begins with lines `key: value` between two lines `---`. What follows is Markdown, with blocks that begin
/// with `::: NAME ...`, end with `:::`, and may be nested:
///
///     ::: view all-to-all --dim 3 @step=2      from here on the player shows this run, in this step
///     ::: ask How many steps at least?         a question; what the block holds is its answer, folded
///     ::: exercise steps 8                     the last word is the answer, those before it stand before it in
///                                              what the block's commands print
///
/// A line `<!-- check COMMAND: WORDS; WORDS -->` is no part of the lesson: it says which words the command prints.

#include <map>
#include <string>
#include <vector>

namespace dcube::gallery {

struct Block {
    enum class Kind { text, view, ask, exercise };
    Kind kind = Kind::text;
    std::string argument{};       ///< what stands behind the name
    std::string text{};           ///< of a text: Markdown
    std::vector<Block> blocks{};  ///< of the others: what they hold
    int line = 0;                 ///< where it begins in its file, from 1
};

struct Check {
    std::string command;
    std::vector<std::string> words;
};

struct Lesson {
    std::string name;  ///< of the file, without its folder and ".md": 05-total-exchange
    std::string title;
    int minutes = 0;
    std::vector<std::string> needs;  ///< names of other lessons
    std::string aim;
    std::string picture;  ///< the run of its picture, as of a view
    std::vector<Block> blocks;
    std::vector<Check> checks;
};

/// What a view shows: arguments of `dcube view`, and the player's state: the step (of the figure, too), the time in ns
/// where links take time, colour, show, follow, layout.
struct View {
    std::string arguments;
    std::map<std::string, std::string> state;
};

struct Exercise {
    std::string words;  ///< before the answer in what the commands print; may be empty
    std::string answer;
    std::vector<std::string> commands;  ///< none: the answer is found without dcube
};

/// Throws InvalidArgument, which names the file and the line, if it is no lesson.
Lesson parse_lesson(const std::string& name, const std::string& text);

/// Throws InvalidArgument if it is none.
View view_of(const std::string& argument);
Exercise exercise_of(const Block& block);

/// All views of a lesson in their order, its picture first.
std::vector<View> views_of(const Lesson& lesson);
/// All blocks of that kind, also those in others, in their order.
std::vector<Block> blocks_of(const Lesson& lesson, Block::Kind kind);

}  // namespace dcube::gallery
