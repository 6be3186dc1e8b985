#pragma once
/// Lesson: the content of a file of web/lessons, as a tree.
///
/// A lesson begins with lines `key: value` between two lines `---`. What follows is Markdown, with blocks that begin
/// with `::: NAME ...`, end with `:::`, and may be nested:
///
///     ::: view all-to-all --dim 3 @step=2      a beat: from here on the player shows this run, in this step
///     ::: ask How many steps at least?         a question; the block is its answer, folded
///     - [ ] 3 => That is the diameter.         a vote: options to choose from, the right ones with an x, and the
///     - [x] 4                                  reply to those who chose it. Text before the options belongs to the
///       => Yes: a cut needs 4.                 question, text behind them is the answer
///     ::: exercise steps 8                     the last word is the answer, those before it stand before it in
///                                              the output of the block's commands
///     - 4 => Count both directions.            in an exercise: the reply to a wrong answer
///     ::: exercise choose                      a choice, with options as in a vote; with several right ones, all of
///                                              them are to be found
///     ::: exercise run steps<=5 topology=ring:6
///                                              done by a run in the page, whose report is to have these values (=, !=,
///                                              <=, <, >=, > and a report's keys). The form opens with the last
///                                              ./dcube command of the exercise; that of the solution must do it
///     - steps>8 => Twice the bound.            there: the reply to a run that does not do it, by its report, or by
///     - error=rule => Read the rule.           the kind of its error
///     ::: exercise program steps<=3            the same for a program of one's own, in place of an algorithm. The
///                                              block has the text that it begins with, ```js, and the solution one
///                                              that does it
///     ::: solution                             in an exercise: how one finds the answer
///     ::: note                                 the lecturer's note; only slides show it (N)
///
///     ::: plot broadcast --dim 3 --bytes 6:450:+6 --tau 1 --beta 100 --algorithm rotated,pipelined
///                                              the output of `dcube compare`, drawn over the message's size: a line
///                                              for each algorithm, with the places where the best one changes. Both
///                                              axes are logarithmic where sizes are multiplied (2KiB:256KiB:x2), both
///                                              are linear where something is added. The block is its caption
///
/// In a view's arguments {g=1|2|*4|6} is a slider named g: the run is made once for each value, which takes the place
/// of the braces, and the reader chooses among them. The star marks the value that is shown first, and in print;
/// without one it is the first. A value with a plus, {d=2|*3|4|+5}, has no film in the page: it is run there when it is
/// chosen. There may be several sliders, with 16 films together at most:
///
///     ::: view broadcast --dim {d=2|*3|4} --bytes 192 --tau 1 --beta 10 --algorithm pipelined --groups {g=1|2|*4|6}
///
/// A view's state can be @step, @time, @colour, @show, @follow, @layout, @node, @link, @bound, @gantt, @pull, @predict,
/// @table, @rows, @names, @turn, @look, @print, @same, @values;
/// @bound=later keeps the bound, and how long the run is, back until a question of the beat is answered;
/// @table=1, 2, 3 is the schedule as a table (ports and steps, packets and steps, packets and ports), @turn=2 marks the
/// second of its patterns, where it has such; @rows=steps gives the first kind a row for each step, and
/// @names=right,left,the_bridge names the ports, and packets by them or by what node 0 sends; @look=network shows the
/// network alone, without a run's words and data, and lets its first slider grow by itself; @look=bits is the same with
/// the bits of a cube's nodes in their boxes; @values=5,3,0,4 are numbers that the nodes add up, which stand in the
/// boxes in place of the shares; @same=1 is a board on which everybody does the same; @print=2,3,4 has the steps that a
/// printed lesson shows side by side, one to four, where pull is the network pulled apart before step 1.
///
/// An option or a hint goes on in the lines below that begin with two spaces.
///
/// A link to #bound, #node=5, #link=3, #follow=0-7, #dimension=2 or #origin=3 is a word in the colour of that thing,
/// and lights it in the figure: `[the cut](#bound)`. A link to #pull=100 pulls the network apart into the picture of
/// its bound when it is clicked, and lets it go back; one to #step=2 shows that step (#step=2&light=new greys the
/// packets that bring nothing new), one to #figure=4&step=2 the fourth figure of the lesson, in that step, and one to
/// #play plays the figure from its beginning. What the reply to a wrong option names first is shown with the reply.
///
/// A line `<!-- check COMMAND: WORDS; WORDS -->` is no part of the lesson: it lists words that the command prints.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace dcube::gallery {

/// An option of a vote, or a wrong answer with its hint. Markdown of one line.
struct Choice {
    std::string text;
    bool right = false;
    std::string reply{};  ///< to who chose it; may be empty
};

struct Block {
    enum class Kind { text, view, plot, ask, exercise, note, solution, choices };
    Kind kind = Kind::text;
    std::string argument{};         ///< the text behind the name
    std::string text{};             ///< text: Markdown
    std::vector<Choice> choices{};  ///< choices; they stand in a question or an exercise
    std::vector<Block> blocks{};    ///< the other kinds: the blocks inside
    int line = 0;                   ///< where it begins in its file, from 1
};

struct Check {
    std::string command;
    std::vector<std::string> words;
};

struct Lesson {
    std::string name;  ///< the file's, without its folder and ".md": 05-total-exchange
    std::string title;
    int minutes = 0;
    std::vector<std::string> needs;  ///< names of other lessons
    std::string aim;                 ///< what the reader can do in the end, "Count what each link has to carry."
    std::string picture;             ///< the run of its picture, as of a view
    std::vector<Block> blocks;
    std::vector<Check> checks;
};

/// A slider of a view: {g=1|2|*4}.
struct Parameter {
    std::string name;
    std::string option;  ///< it stands behind: groups of --groups
    std::vector<std::string> values;
    std::size_t first = 0;            ///< which value is shown first
    std::vector<bool> run_in_page{};  ///< by value: whether the page has no film for it

    friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// A view: arguments of `dcube view`, and the player's state: the step (the figure's, too), the time in ns where links
/// take time, colour, show, follow, layout.
struct View {
    std::string arguments;  ///< with the first values of its parameters
    std::map<std::string, std::string> state;
    std::vector<Parameter> parameters{};
    /// The arguments of all runs: for each value of the first parameter those of all values of the second, and so on.
    std::vector<std::string> runs{};
    std::vector<bool> run_in_page{};  ///< by run: whether the page has no film for it
};

/// A condition that a report has to meet: "steps<=5".
struct Condition {
    std::string key;
    std::string relation;  ///< =, !=, <=, <, >= or >
    std::string value;

    friend bool operator==(const Condition&, const Condition&) = default;
};

struct Exercise {
    enum class Kind {
        typed,    ///< an answer in words
        choose,   ///< among options
        run,      ///< done by a run
        program,  ///< done by a program of one's own
    };
    Kind kind = Kind::typed;
    std::string words;                  ///< before the answer in what the commands print; may be empty
    std::string answer;                 ///< empty if it is chosen
    std::vector<std::string> commands;  ///< none: the answer is found without dcube
    std::vector<Condition> wanted{};    ///< of a run or a program
    std::string program{};              ///< the text to begin with
    std::vector<std::string> solution_commands{};
    std::string solution_program{};

    [[nodiscard]] bool is_done_by_run() const { return kind == Kind::run || kind == Kind::program; }
};

/// Throws InvalidArgument, which names the file and the line, if it is no lesson.
Lesson parse_lesson(const std::string& name, const std::string& text);
/// All lessons of a folder, in the order of their names.
std::vector<Lesson> read_lessons(const std::filesystem::path& folder);

/// Throws InvalidArgument if it is none.
View view_of(const std::string& argument);
/// Conditions between blanks. Throws InvalidArgument if they are none.
std::vector<Condition> conditions_of(const std::string& text);
Exercise exercise_of(const Block& block);

/// The options of a question or an exercise, or the hints of one; nullptr if it has none.
const Block* choices_of(const Block& block);

/// All views of a lesson in their order, its picture first.
std::vector<View> views_of(const Lesson& lesson);
/// All blocks of that kind, nested ones included, in their order.
std::vector<Block> blocks_of(const Lesson& lesson, Block::Kind kind);

}  // namespace dcube::gallery
