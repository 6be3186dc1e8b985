#pragma once
// The common parts of reports of runs and of forecasts.

#include <dcube/catalogue.hpp>
#include <dcube/report.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace dcube {

/// Measures the time since it was made, in seconds.
class Stopwatch {
public:
    [[nodiscard]] double seconds() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    }

private:
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// The name that selects the algorithm on a machine with such links, as find_algorithm() describes, and stands in
/// reports: on links that take time, algorithms of the unit model are "unit:NAME".
std::string full_name(const Entry& entry, const LinkModel& link);

/// Transmissions over steps times directed links; 1 where no step was needed or there is no link.
double link_utilisation(const Topology& topology, Step steps, std::uint64_t transmissions);

/// The entry's full name, its source, the time that it predicts, and how it cuts messages.
void name_algorithm(Report& report, const Entry& entry);

/// A caller's own algorithm as an entry, with no more description than its name.
Entry own_entry(const Algorithm& algorithm);

}  // namespace dcube
