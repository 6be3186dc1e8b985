// The table of a problem's fields: what is written of a field is read back, wherever it is looped over.

#include "collectives/example.hpp"
#include "collectives/problem_fields.hpp"
#include "tests/support/catch.hpp"

#include <dcube/error.hpp>

#include <set>
#include <stdexcept>
#include <string>

using namespace dcube;

TEST_CASE("problem fields: names are not used twice", "[collectives]")
{
    std::set<std::string> keys;
    for (const ProblemField& field : problem_fields()) {
        CAPTURE(field.key);
        CHECK(keys.emplace(field.key).second);
        CHECK(&problem_field(field.key) == &field);
        CHECK_FALSE(field.about.empty());
        CHECK_FALSE(words(field).empty());
        CHECK(field.least <= field.most);
        CHECK(field.most <= field.largest);  // 0 and 0 where it is no number
        CHECK((field.group == FieldGroup::tuning || !field.owners.empty()));
    }
    CHECK_THROWS_AS(problem_field("no such key"), std::out_of_range);
}

TEST_CASE("problem fields: a field that is set is read back", "[collectives]")
{
    for (const ProblemField& field : problem_fields()) {
        CAPTURE(field.key);
        Problem problem;
        if (field.is_number()) {
            field.set_number(problem, 5);
            CHECK(to_string(field.get(problem)) == "5");
        } else if (field.is_name() && field.group == FieldGroup::problem) {
            CHECK_THROWS_AS(field.set_name(problem, "no such name"), InvalidArgument);
        }
    }
    Problem problem;
    problem_field("waves").set_name(problem, "32|1");
    CHECK(problem.tuning.waves == "32|1");
    CHECK_THROWS_AS(problem_field("waves").set_name(problem, ""), InvalidArgument);
    problem.permutation = {2, 0, 1};
    CHECK(to_string(problem_field("permutation").get(problem)) == "2 0 1");
    problem_field("counts").list(problem) = {3, 0, 4};
    CHECK(to_string(problem_field("counts").get(problem)) == "3 0 4");
}

TEST_CASE("problem fields: a size that is too large is refused alike as a text and as a number",
          "[collectives][negative]")
{
    const ProblemField& bytes = problem_field("bytes");
    const NumberRange range{bytes.least, bytes.most};
    Problem problem;
    constexpr std::uint64_t too_large = std::uint64_t{1} << 63;
    const std::string refusal = "bytes 9223372036854775808 is too large: at most 2^62 bytes are allowed";
    CHECK_THROWS_WITH(set_field(bytes, too_large, range, problem), refusal);
    CHECK_THROWS_WITH(set_field(bytes, std::to_string(too_large), range, problem), refusal);
}

TEST_CASE("problem fields: a field that does not apply has no value", "[collectives]")
{
    const auto values = [](Collective collective) {
        std::string keys;
        const Problem problem = example_problem(collective, Topology::hypercube(2));
        for (const ProblemField& field : problem_fields())
            if (!to_string(value_of(field, problem)).empty())
                keys += std::string(field.key) + " ";
        return keys;
    };
    CHECK(values(Collective::all_to_all) == "bytes packets ");
    CHECK(values(Collective::broadcast) == "bytes packets root ");
    CHECK(values(Collective::send) == "bytes packets root peer ");
    CHECK(values(Collective::reduce) == "bytes packets root operation type ");
    CHECK(values(Collective::permute) == "bytes packets permutation ");
    CHECK(values(Collective::matrix_transpose) == "rows columns layout type ");
    CHECK(values(Collective::matrix_relayout) == "rows columns layout to_layout type ");
}
