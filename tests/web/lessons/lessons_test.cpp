// The lessons of web/lessons: their commands print what they say, their answers are right, and what the player is to
// show exists. (tests/docs runs the sessions in them.)

#include "tests/docs/shown_commands.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"
#include "web/lessons/gallery/lesson.hpp"
#include "web/lessons/gallery/pages.hpp"

#include <dcube/dcube.hpp>

#include <cctype>
#include <functional>

using namespace dcube;
using namespace dcube::test;
using gallery::Block;
using gallery::Lesson;

namespace {

std::vector<Lesson> lessons()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(source_path("web/lessons")))
        if (entry.path().extension() == ".md")
            names.push_back(entry.path().stem().string());
    std::ranges::sort(names);
    std::vector<Lesson> all;
    for (const std::string& name : names)
        all.push_back(gallery::parse_lesson(name, read_text(source_path("web/lessons/" + name + ".md"))));
    return all;
}

// Words with one space between them; "3 888" is one number.
std::string normal(const std::string& text)
{
    static const std::regex gap(R"(\s+)");
    static const std::regex group(R"((\d) (?=\d\d\d(?!\d)))");
    return std::regex_replace(std::regex_replace(text, gap, " "), group, "$1");
}

// Whether the words stand in the text, and are not parts of longer ones.
bool says(const std::string& printed, const std::string& words)
{
    const std::string text = normal(" " + printed + " ");
    const std::string wanted = normal(words);
    const auto inside_word = [](char a, char b) {
        return std::isalnum(static_cast<unsigned char>(a)) != 0 && std::isalnum(static_cast<unsigned char>(b)) != 0;
    };
    for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1))
        if (!inside_word(text[at - 1], wanted.front()) && !inside_word(wanted.back(), text[at + wanted.size()]))
            return true;
    return false;
}

std::string printed_by(const std::string& line)
{
    const std::optional<Outcome> outcome = outcome_of(line.substr(0, line.find("  # ")));
    REQUIRE(outcome);
    return outcome->out + outcome->err;
}

// A report's number; one that is exact and not whole is "5/2".
double amount(const nlohmann::ordered_json& value)
{
    return value.is_string() ? parse_rational("a time", value.get<std::string>()).to_double() : value.get<double>();
}

struct Length {
    Step steps = 0;
    double ns = 0;  // 0 where every packet takes a step
};

// The length of a run that a view names; for a trace the last step that stands in it, be it right or wrong.
Length length_of(const std::string& arguments)
{
    if (!arguments.starts_with("--trace ")) {
        const nlohmann::ordered_json report = json_of("run " + arguments);
        const auto& ns = report.at("virtual_time_ns");
        return {.steps = report.at("steps"), .ns = ns.is_null() ? 0 : amount(ns)};
    }
    Length length;
    const std::string file = arguments.substr(8, arguments.find(' ', 8) - 8);
    for (const std::string& line : lines_of(read_text(source_path(file))))
        length.steps = std::max(length.steps, nlohmann::json::parse(line).value("step", Step{0}));
    return length;
}

// The program of lesson 11, on a d-cube, with its ports in rising or falling order: the sum at the last node, packets.
std::pair<std::uint32_t, std::uint64_t> all_reduce(unsigned d, bool rising)
{
    Machine machine(Topology::hypercube(d), {.watch_lent_bytes = true});
    std::vector<std::vector<std::uint32_t>> sums(std::size_t{1} << d, std::vector<std::uint32_t>(d + 1));
    const auto program = [&](Node& me) -> Task {
        std::vector<std::uint32_t>& own = sums[me.id()];
        own[0] = me.id() + 1;
        for (Port k = 0; k < d; ++k) {
            const Port port = rising ? k : d - 1 - k;
            me.send(port, own[k]);
            co_await me.next_step();
            std::uint32_t theirs = 0;
            me.receive(port, theirs);
            own[k + 1] = own[k] + theirs;
        }
    };
    const Counts counts = machine.run(program);
    return {sums.back().back(), counts.transmissions};
}

Step steps_if_odd_nodes_begin()
{
    Machine machine(Topology::hypercube(3));
    const std::vector<NodeId> numbers{0, 1, 2, 3, 4, 5, 6, 7};
    return machine
        .run([&](Node& me) -> Task {
            NodeId theirs = 0;
            if (me.id() % 2 == 1)
                me.send(0, numbers[me.id()]);
            co_await me.arrival(0);
            me.receive(0, theirs);
            if (me.id() % 2 == 0)
                me.send(0, numbers[me.id()]);
        })
        .steps;
}

}  // namespace

TEST_CASE("lessons: each is a question, is short, and needs lessons that come before it", "[lessons]")
{
    std::set<std::string> before;
    for (const Lesson& lesson : lessons()) {
        CAPTURE(lesson.name);
        CHECK(std::stoul(lesson.name) == before.size() + 1);
        CHECK(lesson.title.ends_with("?"));
        CHECK(lesson.aim.ends_with("."));
        CHECK(lesson.minutes <= 15);
        for (const std::string& needed : lesson.needs)
            CHECK(before.contains(needed));
        before.insert(lesson.name);
        CHECK(blocks_of(lesson, Block::Kind::view).size() >= 3);
    }
    CHECK(before.size() == 17);
}

TEST_CASE("lessons: each can be taught: votes with replies, notes for every beat, exercises with reasons and solutions",
          "[lessons]")
{
    const auto holds = [](const Block& block, Block::Kind kind) {
        return std::ranges::any_of(block.blocks, [&](const Block& part) { return part.kind == kind; });
    };
    for (const Lesson& lesson : lessons()) {
        std::size_t votes = 0;
        for (const Block& question : blocks_of(lesson, Block::Kind::ask)) {
            const Block* const options = gallery::choices_of(question);
            if (options == nullptr)
                continue;
            ++votes;
            CAPTURE(lesson.name, question.argument);
            for (const gallery::Choice& option : options->choices)
                CHECK((option.right || !option.reply.empty()));
        }
        std::size_t chosen = 0;
        const std::vector<Block> exercises = blocks_of(lesson, Block::Kind::exercise);
        for (const Block& exercise : exercises) {
            CAPTURE(lesson.name, exercise.argument, exercise.line);
            CHECK(holds(exercise, Block::Kind::solution));
            const Block* const choices = gallery::choices_of(exercise);
            REQUIRE(choices != nullptr);
            const gallery::Exercise read = gallery::exercise_of(exercise);
            chosen += read.kind == gallery::Exercise::Kind::choose ? 1 : 0;
            for (const gallery::Choice& choice : choices->choices)
                CHECK((choice.right || (!choice.reply.empty() && choice.text != read.answer)));
        }
        CAPTURE(lesson.name);
        CHECK(votes >= 2);
        CHECK(exercises.size() >= 4);
        CHECK(chosen >= 2);
        for (const Block& beat : blocks_of(lesson, Block::Kind::view)) {
            CAPTURE(beat.argument);
            CHECK(holds(beat, Block::Kind::note));
        }
    }
}

TEST_CASE("lessons: runs that the player shows are possible, and as long as their beats say", "[lessons]")
{
    static const std::set<std::string> colours{"origin", "target", "hops", "dimension", "phase", "age", "group"};
    const ExampleFolder folder;
    for (const Lesson& lesson : lessons())
        for (const gallery::View& view : gallery::views_of(lesson)) {
            CAPTURE(lesson.name, view.arguments);
            if (view.arguments.starts_with("--board")) {  // it has no steps yet
                CHECK(executed("view " + view.arguments + " --svg " + TemporaryFolder().file("b.svg")).exit_code == 0);
                continue;
            }
            const Length length = length_of(view.arguments);
            for (const std::string& run : view.runs)
                CHECK_NOTHROW(length_of(run));
            REQUIRE(view.state.contains("step"));
            CHECK(std::stoul(view.state.at("step")) <= length.steps);
            CHECK(view.state.contains("time") == (length.ns > 0));
            if (view.state.contains("time"))
                CHECK(std::stod(view.state.at("time")) <= length.ns);
            if (view.state.contains("colour"))
                CHECK(colours.contains(view.state.at("colour")));
        }
}

TEST_CASE("lessons: words that bring another figure name one that is there, and a step that it has", "[lessons]")
{
    static const std::regex link(R"(\]\(#(?:figure=(\d+)&)?step=(\d+)(?:&light=new)?\))");
    const ExampleFolder folder;
    int found = 0;
    for (const Lesson& lesson : lessons()) {
        const std::vector<Block> beats = blocks_of(lesson, Block::Kind::view);
        const auto check = [&](std::string text, std::size_t beat) {
            for (std::smatch parts; std::regex_search(text, parts, link); text = parts.suffix()) {
                CAPTURE(lesson.name, parts.str());
                const std::size_t number = parts[1].matched ? std::stoul(parts[1]) : beat;
                REQUIRE(number >= 1);
                REQUIRE(number <= beats.size());
                const std::string run = gallery::view_of(beats[number - 1].argument).arguments;
                const std::size_t steps =
                    run.starts_with("--board") ? 0 : length_of(run).steps;  // a board has none yet
                CHECK(std::stoul(parts[2]) <= steps);
                ++found;
            }
        };
        const std::function<void(const std::vector<Block>&, std::size_t)> walk = [&](const auto& blocks,
                                                                                     std::size_t beat) {
            for (const Block& block : blocks) {
                check(block.text, beat);
                for (const gallery::Choice& choice : block.choices)
                    check(choice.reply, beat);
                const auto own = std::ranges::find(beats, block.line, &Block::line);
                walk(block.blocks,
                     block.kind == Block::Kind::view ? static_cast<std::size_t>(own - beats.begin()) + 1 : beat);
            }
        };
        walk(lesson.blocks, 0);
    }
    CHECK(found >= 15);
}

TEST_CASE("lessons: the text of a session is what its commands print", "[lessons]")
{
    const ExampleFolder folder;
    for (const Lesson& lesson : lessons())
        for (const gallery::Check& check : lesson.checks) {
            const std::string printed = printed_by(check.command);
            for (const std::string& words : check.words) {
                CAPTURE(lesson.name, check.command, words, printed);
                CHECK(says(printed, words));
            }
        }
}

TEST_CASE("lessons: the answers to exercises are what the commands print", "[lessons]")
{
    const ExampleFolder folder;
    for (const Lesson& lesson : lessons())
        for (const Block& block : blocks_of(lesson, Block::Kind::exercise)) {
            const gallery::Exercise exercise = gallery::exercise_of(block);
            std::string printed;
            for (const std::string& command : exercise.commands)
                printed += printed_by(command);
            CAPTURE(lesson.name, exercise.words, exercise.answer, printed);
            if (!exercise.commands.empty() && exercise.kind == gallery::Exercise::Kind::typed)
                CHECK(says(printed, exercise.words + " " + exercise.answer));
        }
}

// Whether a report says it, as the page decides it.
bool holds(const gallery::Condition& condition, const nlohmann::ordered_json& report)
{
    const auto found = report.find(condition.key);
    REQUIRE(found != report.end());
    if (found->is_number() || condition.key.ends_with("_ns")) {
        const double a = amount(*found);
        const double b = std::stod(condition.value);
        return condition.relation == "="    ? a == b
               : condition.relation == "!=" ? a != b
               : condition.relation == "<=" ? a <= b
               : condition.relation == "<"  ? a < b
               : condition.relation == ">=" ? a >= b
                                            : a > b;
    }
    const std::string text = found->is_string() ? found->get<std::string>() : found->dump();
    return (text == condition.value) == (condition.relation == "=");
}

TEST_CASE("lessons: a run that an exercise asks for is that of its solution, and not the one it begins with",
          "[lessons]")
{
    std::set<std::string> with_run;
    std::set<std::string> with_program;
    for (const Lesson& lesson : lessons())
        for (const Block& block : blocks_of(lesson, Block::Kind::exercise)) {
            const gallery::Exercise exercise = gallery::exercise_of(block);
            if (!exercise.is_done_by_run())
                continue;
            CAPTURE(lesson.name, block.argument);
            (exercise.kind == gallery::Exercise::Kind::run ? with_run : with_program).insert(lesson.name);
            const auto done_by = [&](const std::string& command) {
                const nlohmann::ordered_json report =
                    json_of("run " + command.substr(std::string("./dcube run ").size()));
                return std::ranges::all_of(exercise.wanted, [&](const gallery::Condition& one) {
                    CAPTURE(one.key);
                    return holds(one, report);
                });
            };
            CHECK(done_by(exercise.solution_commands.back()));
            if (exercise.kind == gallery::Exercise::Kind::run)
                CHECK_FALSE(done_by(exercise.commands.back()));
            for (const gallery::Choice& hint : gallery::choices_of(block)->choices)
                CHECK_NOTHROW(gallery::conditions_of(hint.text));
        }
    CHECK(with_run.size() >= 6);
    CHECK(with_program.size() >= 3);
}

TEST_CASE("lessons: a lab that replaces a film opens with the same question", "[lessons]")
{
    const ExampleFolder folder;
    const auto printed = [](const std::string& line) {
        const Outcome outcome = executed(line);
        CHECK(outcome.exit_code == 0);
        return outcome.out;
    };
    const auto file = [](const std::string& name) { return read_text(source_path(name)); };
    for (const Lesson& lesson : lessons())
        for (const gallery::View& view : gallery::views_of(lesson))
            for (const std::string& run : view.runs) {
                CAPTURE(lesson.name, run);
                const nlohmann::json request = nlohmann::json::parse(gallery::request_of(run, printed, file));
                CHECK(request.contains("collective"));
                CHECK(request.contains("topology"));
                CHECK_FALSE(request.contains("dcube_trace"));
                CHECK(request.contains("tau_ns_per_byte") == (run.find("--tau") != std::string::npos));
                if (run.starts_with("--"))
                    continue;
                CHECK(run.find(request.at("collective").get<std::string>()) == 0);
                CHECK(request.contains("algorithm") == (run.find("--algorithm") != std::string::npos));
                CHECK(request.contains("faults") == (run.find("--without-") != std::string::npos));
            }
}

TEST_CASE("lessons: the answers of exercises that change a program are what the changed program gives", "[lessons]")
{
    std::map<std::string, std::vector<std::string>> answers;
    for (const Lesson& lesson : lessons())
        for (const Block& block : blocks_of(lesson, Block::Kind::exercise))
            if (const gallery::Exercise exercise = gallery::exercise_of(block);
                exercise.commands.empty() && exercise.kind == gallery::Exercise::Kind::typed)
                answers[lesson.name].push_back(exercise.answer);
    const auto [sum, packets] = all_reduce(4, true);
    CHECK(answers == std::map<std::string, std::vector<std::string>>{
                         {"11-your-own-all-reduce",
                          {std::to_string(sum), std::to_string(packets), std::to_string(all_reduce(3, false).first)}},
                         {"12-deadlock", {std::to_string(steps_if_odd_nodes_begin())}}});
}

TEST_CASE("lessons: words are found where they stand alone", "[lessons]")
{
    CHECK(says("steps   8 (optimal)", "steps 8"));
    CHECK(says("virtual time\n 8 400 ns", "virtual time 8400"));
    CHECK(says("1 000 ns", "1 000 ns"));
    CHECK_FALSE(says("steps 80", "steps 8"));
    CHECK_FALSE(says("substeps 8", "steps 8"));
    CHECK_FALSE(says("steps 8 400", "steps 8"));
    CHECK_FALSE(says("", "steps"));
}
