#pragma once
// cli/text/progress.hpp where a program has one thread: no other could draw the bar, so it has no viewer.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dcube::cli {

class Progress {
public:
    static bool has_viewer() { return false; }
    void plan(std::string_view, double) {}
    void restart() {}
    void begin_task(std::size_t, std::size_t, std::string_view) {}
    static void erase() {}
    void expect(std::uint64_t) {}
    void step() {}
};

}  // namespace dcube::cli
