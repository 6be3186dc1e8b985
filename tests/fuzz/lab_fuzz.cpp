// Requests to a lab: it answers every one with results, or with an error and nothing else but the command line.
// Networks, memory and planning are kept small, so that it stays quick.

#include "web/lab/lab.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    dcube::StopSource source;
    std::size_t left = 2000;
    const auto count = [&] {
        if (left == 0 || --left == 0)
            source.request_stop();
    };
    dcube::lab::Surroundings around;
    around.planning = [&](std::string_view, double) { count(); };
    around.step = [&](dcube::Step, std::uint64_t) { count(); };
    around.stop = source.get_token();
    around.memory_limit = std::size_t{8} << 20;
    around.most_nodes = 32;
    dcube::lab::Lab lab(around);
    const bool ok = lab.ask({reinterpret_cast<const char*>(data), size});
    if (ok == (lab.result("error") != nullptr))
        std::abort();
    for (const auto& [name, text] : lab.results())
        if (!ok && name != "error" && name != "command")
            std::abort();
    return 0;
}
