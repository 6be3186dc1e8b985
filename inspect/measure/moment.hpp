#pragma once
// The state of the machine at moments of a benchmark: what explains that all cells became slower or faster at once.

#include "inspect/measure/experiment.hpp"
#include "inspect/measure/team.hpp"

#include <memory>

namespace dcube::measure {

/// Looks at the machine for about a millisecond each time.
class MomentWatch {
public:
    MomentWatch();

    /// The quickest of many handovers of a line between the first and the last processor that this process may use,
    /// which is empty where there is only one; and the first processor's frequency, where the system says it.
    Moment operator()();

private:
    std::unique_ptr<Team> team_;
};

}  // namespace dcube::measure
