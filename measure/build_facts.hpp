#pragma once
// What this program was built from, by what, and how: a measurement without it cannot be compared.

#include <string_view>

namespace dcube::measure {

struct BuildFacts {
    std::string_view version;  ///< "0.1.0"
    std::string_view
        commit;  ///< the checkout's when the build was set up, "+" behind it if files differed; "" if unknown
    std::string_view compiler;    ///< "GNU 12.2.0"
    std::string_view flags;       ///< "-O3 -DNDEBUG"
    std::string_view build_type;  ///< "Release"
    std::string_view sanitizers;  ///< "thread"; "" without
};

BuildFacts build_facts();

}  // namespace dcube::measure
