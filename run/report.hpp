#pragma once
// What runs and forecasts fill in alike.

#include <dcube/catalogue.hpp>
#include <dcube/report.hpp>

#include <string>

namespace dcube {

/// What selects the algorithm on a machine with such links, as find_algorithm() says, and names it in reports: on links
/// that take time those of the unit model are "unit:NAME".
std::string full_name(const Algorithm& algorithm, const LinkModel& link);

/// The algorithm's full name, its source, and the time that it predicts.
void name_algorithm(Report& report, const Algorithm& algorithm);

}  // namespace dcube
