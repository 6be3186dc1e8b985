#include "emu/own/workers.hpp"

#include <algorithm>

namespace dcube::detail {

std::shared_ptr<Workers> borrow_workers(unsigned threads)
{
    return std::make_shared<OwnWorkers>(std::min(threads, hardware_threads()));
}

}  // namespace dcube::detail
