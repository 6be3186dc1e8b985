#pragma once
// The module dcube.wasm that the program puts into pages.

#include <string>

namespace dcube::cli {

/// The module that was built or installed with this program. Throws InvalidArgument if there is none.
std::string usual_module();

}  // namespace dcube::cli
