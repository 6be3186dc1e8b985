#pragma once
// What runs and forecasts fill in alike.

#include <dcube/catalogue.hpp>
#include <dcube/report.hpp>

namespace dcube {

/// The algorithm's name, its source, and the time that it predicts.
void name_algorithm(Report& report, const Algorithm& algorithm);

}  // namespace dcube
