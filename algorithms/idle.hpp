#pragma once
// Problems in which nothing is to be moved: messages of 0 bytes.

#include <dcube/catalogue.hpp>

namespace dcube::detail {

// The entry without steps and plan where moves_nothing(): its functions are called only for messages that have bytes.
// (program_of() does the same for its program.)
Entry idle_on_nothing(Entry entry);

}  // namespace dcube::detail
