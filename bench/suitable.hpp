#pragma once
// A problem that an entry of the catalogue can do.

#include <dcube/dcube.hpp>

#include <string>
#include <vector>

namespace bench {

struct Task {
    dcube::Topology topology;
    dcube::Problem problem;
};

/// The first of the networks that the entry is for, with an example of its collective, or else one of the special
/// cases that some entries are for: opposite corners, the identity, layouts by submatrices. Throws std::logic_error if
/// the entry can do none of them.
Task suitable_task(const dcube::Algorithm& algorithm, const std::vector<std::string>& networks);

}  // namespace bench
