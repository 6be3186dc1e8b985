#pragma once
// The allocations of the whole test program with new: counted, and refused where a test asks for that. The sanitizers
// have an operator new of their own.

#ifndef DCUBE_SANITIZED

#include <cstdint>

namespace test_support {

std::uint64_t allocations();
/// One of the next, of whichever thread, throws std::bad_alloc: after `more` that do not. Takes back what was asked
/// before.
void refuse_allocation(std::uint64_t more = 0);
void refuse_no_allocation();

}  // namespace test_support

#endif
