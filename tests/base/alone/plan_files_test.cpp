// Without files no plan is kept.

#include "base/plan_files.hpp"
#include "tests/support/catch.hpp"

#include <dcube/plan_cache.hpp>

#include <string>

using namespace dcube;

TEST_CASE("plans without files: a plan is made whenever it is asked for", "[base]")
{
    CHECK_FALSE(detail::keeps_plans_of(~std::uint64_t{0}));
    int made = 0;
    const auto ask = [&] {
        return detail::kept_in_file(
            "number", ~std::uint64_t{0}, [] { return std::string("key"); }, [&] { return ++made; },
            [](int) { return std::string(); }, [](const std::string&) { return 0; });
    };
    CHECK(ask() == 1);
    CHECK(ask() == 2);
    const PlanCacheUse use = plan_cache_use();
    CHECK(use.read + use.made + use.written + use.refused == 0);
}

TEST_CASE("plans without files: a folder for them is refused", "[base][negative]")
{
    CHECK_THROWS_WITH(set_plan_cache({.directory = "plans"}),
                      "plans cannot be kept in 'plans': this build of dcube has no files");
    CHECK_NOTHROW(forget_plan_cache());
    const detail::PlanFile file("number", "key");
    CHECK_FALSE(file.read());
    CHECK_NOTHROW(file.write("plan"));
}
