#pragma once
// What runs and forecasts fill in alike.

#include <dcube/catalogue.hpp>
#include <dcube/report.hpp>

#include <chrono>
#include <string>

namespace dcube {

/// Tells how long it has been there, in seconds.
class Stopwatch {
public:
    [[nodiscard]] double seconds() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    }

private:
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// What selects the algorithm on a machine with such links, as find_algorithm() says, and names it in reports: on links
/// that take time those of the unit model are "unit:NAME".
std::string full_name(const Algorithm& algorithm, const LinkModel& link);

/// The algorithm's full name, its source, the time that it predicts, and how it cuts messages.
void name_algorithm(Report& report, const Algorithm& algorithm);

}  // namespace dcube
