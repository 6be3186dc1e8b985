// Planning that is stopped, and that reports its progress.

#include "tests/support/catch.hpp"

#include "base/planning.hpp"

#include <dcube/error.hpp>
#include <dcube/stop.hpp>

#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::detail;

TEST_CASE("planning: progress may be reported where nobody listens", "[base]")
{
    CHECK_NOTHROW(planning("spread", 0.5));
}

TEST_CASE("planning: progress is reported to the innermost scope, while it lives", "[base]")
{
    std::vector<std::string> told;
    const auto tell_as = [&](const std::string& who) {
        return [&told, who](const PlanningStage& stage) { told.push_back(who + " " + std::string(stage.what)); };
    };
    {
        const PlanningScope outer({}, tell_as("outer"));
        planning("a", 0);
        {
            const PlanningScope inner({}, tell_as("inner"));
            planning("b", 0.5);
        }
        planning("c", 1);
    }
    planning("d", 1);
    CHECK(told == std::vector<std::string>{"outer a", "inner b", "outer c"});
}

TEST_CASE("planning: a requested stop ends planning", "[base]")
{
    StopSource source;
    const PlanningScope scope(source.get_token());
    CHECK_NOTHROW(planning("a", 0));
    source.request_stop();
    CHECK_THROWS_AS(planning("b", 0.5), Interrupted);
}

TEST_CASE("planning: a scope around a silent one gets the progress, and its stop ends planning", "[base]")
{
    StopSource source;
    std::vector<std::string> told;
    const PlanningScope outer(source.get_token(), [&](const PlanningStage& stage) { told.emplace_back(stage.what); });
    const PlanningScope inner({});
    planning("a", 0);
    CHECK(told == std::vector<std::string>{"a"});
    source.request_stop();
    CHECK_THROWS_AS(planning("b", 0.5), Interrupted);
    CHECK(told.size() == 1);
}
