// A plan cache where there are no files: no plan is kept.

#include "base/plan_files.hpp"

#include <dcube/plan_cache.hpp>

namespace dcube {

namespace detail {

bool keeps_plans_of(std::uint64_t)
{
    return false;
}

PlanFile::PlanFile(std::string_view, std::string_view) {}

std::optional<std::string> PlanFile::read() const
{
    return std::nullopt;
}

void PlanFile::refuse(std::string_view) const {}
void PlanFile::write(std::string_view) const {}
void PlanFile::note_read() {}
void PlanFile::note_made() {}
void remove_unfinished_plans() {}

}  // namespace detail

void set_plan_cache(const PlanCache& cache)
{
    throw InvalidArgument("plans cannot be kept in '" + cache.directory + "': this build of dcube has no files");
}

void forget_plan_cache() {}

PlanCacheUse plan_cache_use()
{
    return {};
}

}  // namespace dcube
