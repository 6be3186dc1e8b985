#pragma once
// One prepared total exchange behind a plain function, so that it can be built twice: with the rules and counters of
// the machine, and without (bench/CMakeLists.txt renames the namespace for that).

#include <cstddef>
#include <functional>

namespace bench {

using Run = std::function<void()>;
Run checked_all_to_all(unsigned dimension, std::size_t bytes, unsigned threads);
Run unchecked_all_to_all(unsigned dimension, std::size_t bytes, unsigned threads);

}  // namespace bench
