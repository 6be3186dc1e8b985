#pragma once
// Programs where input and output are one array (Problem::in_place).

#include <dcube/catalogue.hpp>

namespace dcube::detail {

// A program that needs them apart, given a copy of the input. It is made for the problem that out_of_place() gives.
CollectiveProgram aside(CollectiveProgram program);

}  // namespace dcube::detail
