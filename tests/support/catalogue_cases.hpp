#pragma once
// Every entry of the catalogue over its whole range of small parameters.

#include <dcube/dcube.hpp>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace test_support {

struct Case {
    const dcube::Entry& algorithm;
    dcube::Topology topology;
    dcube::Problem problem;
};
using VisitCase = std::function<void(const Case&)>;

std::string words(const Case& one);

// Hypercubes, and a network of each kind.
std::vector<dcube::Topology> networks(unsigned dimensions);

// Entries for the unit model: packet counts around the dimension, several roots; all that the algorithm can do. Tests
// that take long visit one in `usually`, and all in thorough tests.
void for_each_unit_case(unsigned dimensions, std::size_t usually, const VisitCase& visit);
inline void for_each_unit_case(unsigned dimensions, const VisitCase& visit)
{
    for_each_unit_case(dimensions, 1, visit);
}

// Entries for the link-bound model, on cubes of `least` to `dimensions` dimensions with messages of these sizes.
void for_each_link_bound_case(unsigned least, unsigned dimensions, std::initializer_list<std::size_t> sizes,
                              std::size_t usually, const VisitCase& visit);
inline void for_each_link_bound_case(unsigned least, unsigned dimensions, std::initializer_list<std::size_t> sizes,
                                     const VisitCase& visit)
{
    for_each_link_bound_case(least, dimensions, sizes, 1, visit);
}

}  // namespace test_support
