// Cgroups where the system has none.

#include "base/cgroups.hpp"

#include <limits>

namespace dcube::detail {

std::vector<Cgroup> cgroups(std::string_view /*controller*/, const std::string& /*root*/)
{
    return {};
}

double processor_quota(const std::string& /*root*/)
{
    return std::numeric_limits<double>::infinity();
}

Throttling throttling(const std::string& /*root*/)
{
    return {};
}

}  // namespace dcube::detail
