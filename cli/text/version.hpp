#pragma once

namespace dcube::cli {

inline constexpr const char* version = DCUBE_VERSION;  // the project's, as CMakeLists.txt has it

}  // namespace dcube::cli
