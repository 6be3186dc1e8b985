// The content of a lesson's file, and the errors of files that cannot be read.

#include "tests/support/catch.hpp"
#include "web/lessons/gallery/lesson.hpp"

#include <dcube/error.hpp>

#include <string>

using namespace dcube;
using namespace dcube::gallery;

namespace {

const std::string head =
    "---\ntitle: Why?\nminutes: 10\nneeds: a, b\naim: To know.\npicture: send --dim 1 @step=1\n---\n";

std::string complaint(const std::string& text)
{
    try {
        parse_lesson("x", text);
    } catch (const InvalidArgument& wrong) {
        return wrong.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a lesson is read as entries, texts and blocks in blocks", "[lessons]")
{
    const Lesson lesson = parse_lesson("x", head + R"(
First.

::: view all-to-all --dim 3 @step=2 @colour=hops
Second.
::: ask How many?
*Four.*
:::
```text
:::
```
:::
<!-- check ./dcube list: a b; c -->
::: exercise link use 80
How much?
```sh
./dcube list
```
```text
./dcube help
```
:::
)");
    CHECK(lesson.title == "Why?");
    CHECK(lesson.minutes == 10);
    CHECK(lesson.needs == std::vector<std::string>{"a", "b"});
    CHECK(lesson.aim == "To know.");
    REQUIRE(lesson.blocks.size() == 3);
    CHECK(lesson.blocks[0].text == "\nFirst.\n\n");
    const Block& view = lesson.blocks[1];
    CHECK(view.line == 11);
    REQUIRE(view.blocks.size() == 3);
    CHECK(view.blocks[1].argument == "How many?");
    CHECK(view.blocks[1].blocks.at(0).text == "*Four.*\n");
    CHECK(view.blocks[2].text == "```text\n:::\n```\n");
    REQUIRE(lesson.checks.size() == 1);
    CHECK(lesson.checks[0].command == "./dcube list");
    CHECK(lesson.checks[0].words == std::vector<std::string>{"a b", "c"});

    const std::vector<View> views = views_of(lesson);
    REQUIRE(views.size() == 2);
    CHECK(views[0].arguments == "send --dim 1");
    CHECK(views[1].arguments == "all-to-all --dim 3");
    CHECK(views[1].state == std::map<std::string, std::string>{{"step", "2"}, {"colour", "hops"}});

    const Exercise exercise = exercise_of(blocks_of(lesson, Block::Kind::exercise).at(0));
    CHECK(exercise.words == "link use");
    CHECK(exercise.answer == "80");
    CHECK(exercise.commands == std::vector<std::string>{"./dcube list"});
}

TEST_CASE("questions and exercises have choices, hints, solutions and notes", "[lessons]")
{
    const Lesson lesson = parse_lesson("x", head + R"(
::: ask How many?
Look again.
- [ ] 3 => That is
  the diameter.
- [x] 4
Because.

- a list
:::
::: exercise steps 8
How?
- 4 => Both directions.
- 16 => Half.

::: solution
- 8 is right.
:::
:::
::: exercise choose
- [x] a
- [ ] b
:::
::: note
Wait.
:::
)");
    REQUIRE(lesson.blocks.size() == 4);
    const Block& ask = lesson.blocks[0];
    REQUIRE(ask.blocks.size() == 3);
    CHECK(ask.blocks[0].text == "Look again.\n");
    CHECK(ask.blocks[2].text == "Because.\n\n- a list\n");
    const Block* options = choices_of(ask);
    REQUIRE(options != nullptr);
    REQUIRE(options->choices.size() == 2);
    CHECK(options->choices[0].text == "3");
    CHECK(options->choices[0].reply == "That is the diameter.");
    CHECK_FALSE(options->choices[0].right);
    CHECK(options->choices[1].right);
    const Block& exercise = lesson.blocks[1];
    REQUIRE(choices_of(exercise) != nullptr);
    CHECK(choices_of(exercise)->choices[1].text == "16");
    CHECK(choices_of(exercise)->choices[1].reply == "Half.");
    CHECK(blocks_of(lesson, Block::Kind::solution).at(0).blocks.at(0).text == "- 8 is right.\n");
    CHECK_FALSE(exercise_of(exercise).kind == Exercise::Kind::choose);
    CHECK(exercise_of(lesson.blocks[2]).kind == Exercise::Kind::choose);
    CHECK(lesson.blocks[3].kind == Block::Kind::note);
}

TEST_CASE("a lesson that cannot be read is refused, with the line", "[lessons][negative]")
{
    CHECK(complaint(head).empty());
    CHECK(complaint("title: Why?\n") == "x.md, line 1: a lesson begins with a line ---");
    CHECK(complaint("---\ntitle: Why?\n---\n") == "x.md, line 3: the lesson has no minutes");
    CHECK(complaint("---\ntitle: Why?\ntitle: Who?\n---\n") == "x.md, line 3: a second title");
    CHECK(complaint("---\nauthor: me\n---\n") ==
          "x.md, line 2: 'author': a lesson has title, minutes, needs, aim and picture");
    CHECK(complaint("---\nminutes: ten\n---\n") == "x.md, line 2: minutes is a number");
    CHECK(complaint(head + "::: view send\ntext\n") == "x.md, line 10: a block is not ended by :::");
    CHECK(complaint(head + "text\n:::\n") == "x.md, line 9: no block is open that this could end");
    CHECK(complaint(head + "::: look send\n:::\n") == "x.md, line 8: '::: look send': a block is note or solution, or "
                                                      "view, plot, ask or exercise and something behind it");
    CHECK(
        complaint(head + "::: ask\n:::\n") ==
        "x.md, line 8: '::: ask': a block is note or solution, or view, plot, ask or exercise and something behind it");
    CHECK(complaint(head + "::: view send @speed=2\n:::\n") ==
          "x.md, line 8: '@speed=2': a view has @step=, @time=, @colour=, @show=, @follow=, @layout=, @node=, "
          "@link=, @bound=, @gantt=, @pull=, @predict=, @table=, @rows=, @names=, @turn=, @look=, @print=, @say=, "
          "@same= and @values=");
    for (const char* const steps : {"0", "1,", "1,2,3,4,5", "pulled", "1;2"}) {
        CAPTURE(steps);
        CHECK(complaint(head + "::: view send @print=" + steps + "\n:::\n") ==
              "x.md, line 8: '@print=" + std::string(steps) +
                  "': one to four steps, or pull, with commas: @print=pull,1,4");
    }
    CHECK(complaint(head + "::: view send @print=pull,1,12,3\n:::\n").empty());
    CHECK(complaint(head + "::: note x\n:::\n").starts_with("x.md, line 8: '::: note x': a block is note or"));
    CHECK(complaint(head + "::: solution\n:::\n") == "x.md, line 8: a solution stands in an exercise");
    CHECK(complaint(head + "- [x] 4\n") == "x.md, line 8: an option stands in a question or in an exercise");
    CHECK(complaint(head + "::: ask How many?\n- [ ] 3\n- [ ] 4\n:::\n") ==
          "x.md, line 10: a choice has two options or more, of which one is right, - [x]");
    CHECK(complaint(head + "::: ask How many?\n- [ ] 3\n- 4\n:::\n") ==
          "x.md, line 10: an option begins with - [ ] or - [x]");
    CHECK(complaint(head + "::: exercise steps 4\n- [x] 3\n:::\n") ==
          "x.md, line 9: options are for ::: exercise choose");
    CHECK(complaint(head + "::: exercise steps 4\n- 3\n:::\n") ==
          "x.md, line 9: a hint is - WRONG ANSWER => WHAT TO SAY");
    CHECK(complaint(head + "::: exercise choose\nWhich?\n:::\n") ==
          "x.md, line 10: an exercise to choose has options, - [ ] and - [x]");
    CHECK(complaint(head + "::: exercise run steps\n- steps>4 => No.\n:::\n") ==
          "x.md, line 10: 'steps': a condition is a report's key, one of = != <= < >= >, and a value: steps<=5");
    CHECK(complaint(head + "::: exercise run steps<=4\n- steps>>4 => No.\n:::\n") ==
          "x.md, line 10: 'steps>>4': a condition is a report's key, one of = != <= < >= >, and a value: steps<=5");
    CHECK(complaint(head + "::: exercise run steps<=4\n- steps>4 => No.\n:::\n") ==
          "x.md, line 10: an exercise that is done by a run has a command to begin with, and one in its solution");
    CHECK(complaint(head + "::: exercise program steps<=4\n```sh\n./dcube run\n```\n::: solution\n```sh\n./dcube "
                           "run\n```\n:::\n:::\n") ==
          "x.md, line 17: an exercise for a program, and only such a one, has ```js to begin with and in its solution");
    CHECK(complaint(head + "See [it](#nodes=5).\n") == "x.md, line 8: '#nodes=5': a thing is #bound, #play, #pull=100, "
                                                       "#node=, #link=, #dimension=, #origin=, #step= and a number, "
                                                       "#follow=0-7, #figure=2&step=3, or #step=2&light=new");
    CHECK_FALSE(complaint(head + "See [it](#figure=2).\n").empty());
    CHECK(complaint(head + "See [it](#bound), [b](#follow=0-7), [c](#origin=3), [d](#step=2), [e](#figure=2&step=3).\n")
              .empty());
    CHECK(complaint(head + "See [it](#play) and [that](#step=2&light=new).\n").empty());
    CHECK_FALSE(complaint(head + "See [it](#light=new).\n").empty());
    CHECK(complaint(head + "<!-- check ./dcube list -->\n") ==
          "x.md, line 8: a check is a command, a colon, and what it prints");
}

TEST_CASE("a slider in a view makes a run of each value", "[lessons]")
{
    const View view = view_of("broadcast --dim {d=2|*3} --groups {g=1|2|4} @step=1");
    CHECK(view.arguments == "broadcast --dim 3 --groups 1");
    CHECK(view.parameters == std::vector<Parameter>{{"d", "dim", {"2", "3"}, 1, {false, false}},
                                                    {"g", "groups", {"1", "2", "4"}, 0, {false, false, false}}});
    CHECK(view.runs == std::vector<std::string>{"broadcast --dim 2 --groups 1", "broadcast --dim 2 --groups 2",
                                                "broadcast --dim 2 --groups 4", "broadcast --dim 3 --groups 1",
                                                "broadcast --dim 3 --groups 2", "broadcast --dim 3 --groups 4"});
    const View more = view_of("send --dim {d=1|*2|+3} --bytes {m=8|+9}");
    CHECK(more.parameters[0].values == std::vector<std::string>{"1", "2", "3"});
    CHECK(more.run_in_page == std::vector<bool>{false, true, false, true, true, true});
    CHECK(view_of("send --dim 3").runs == std::vector<std::string>{"send --dim 3"});
    CHECK(view_of("all-to-all --topology torus:{n=3|*4}x4").arguments == "all-to-all --topology torus:4x4");
    for (const char* const wrong :
         {"send --dim {d=1}", "send --dim {1|2}", "send --dim {d=1|2", "send --dim {d=*1|*2}",
          "send --dim {d=1|2}{e=1|2}", "send --dim {d=+1|2}", "send --dim {d=1|2|3|4|5} --bytes {m=1|2|3|4}"}) {
        CAPTURE(wrong);
        CHECK_THROWS_AS(view_of(wrong), InvalidArgument);
    }
}
