#pragma once
// Schedules as Python lists: entries (step, from, to) or (step, from, to, blocks), and dicts as lines of traces.

#include "python/src/bind.hpp"

#include <dcube/judge.hpp>
#include <dcube/problem.hpp>
#include <dcube/schedule.hpp>
#include <dcube/trace.hpp>

#include <span>
#include <string>
#include <vector>

namespace dcube::python {

/// The transmissions of a list's entries, for the judge.
class Entries {
public:
    /// Throws TraceError (Python's, with index and entry) for an entry that cannot be understood. Holds the list.
    Entries(py::list entries, const Problem& problem);

    [[nodiscard]] std::span<const Transmission> list() const { return list_; }
    /// Raises the judge's error as Python's, with the entry.
    [[noreturn]] void raise(const TraceError& error) const;

private:
    py::list entries_;
    std::vector<Piece> pieces_;
    std::vector<Transmission> list_;
};

/// A schedule as an algorithm, with the name that it points to.
struct ScheduleAlgorithm {
    std::string name;
    Entry algorithm;
};

/// Judges the entries and makes an algorithm of them. Throws TraceError (Python's).
std::unique_ptr<const ScheduleAlgorithm> algorithm_of(const Entries& entries, const Question& question,
                                                      std::string name);

}  // namespace dcube::python
