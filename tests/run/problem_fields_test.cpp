// A problem's fields in reports and in the first line of a trace.

#include "collectives/example.hpp"
#include "collectives/problem_fields.hpp"
#include "run/report_fields.hpp"
#include "tests/support/catch.hpp"

#include <dcube/judge.hpp>
#include <dcube/run.hpp>

#include <algorithm>
#include <optional>
#include <sstream>

using namespace dcube;

namespace {

// Sets values that differ from the defaults.
void set_unusual_values(Problem& problem)
{
    if (!is_matrix(problem.collective))
        problem.packets = 3;
    if (has_root(problem.collective))
        problem.root = 1;
    if (is_reduction(problem.collective)) {
        problem.operation = Operation::max;
        problem.type = ElementType::int16;
    }
    if (is_matrix(problem.collective))
        problem.layout = MatrixLayout::rows_striped_gray;
}

}  // namespace

TEST_CASE("problem fields: every field is a key of reports, once", "[run]")
{
    for (const ProblemField& field : problem_fields())
        CHECK(std::ranges::count(report_fields(), field.key, &ReportField::key) == 1);
}

TEST_CASE("problem fields: a trace's header is read as it was written", "[run]")
{
    const Topology topology = Topology::hypercube(2);
    for (const Collective collective : all_collectives) {
        CAPTURE(name(collective));
        Problem problem = example_problem(collective, topology);
        set_unusual_values(problem);
        std::ostringstream written;
        write_trace(written, {topology, PortModel::all, problem});
        std::istringstream in(written.str());
        const std::optional<TraceQuestion> read = question_of(in);
        REQUIRE(read);
        CHECK(read->problem.collective == collective);
        for (const ProblemField& field : problem_fields()) {
            CAPTURE(field.key);
            CHECK(value_of(field, read->problem) == value_of(field, problem));
        }
    }
}
