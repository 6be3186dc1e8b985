#include <dcube/machine.hpp>

namespace dcube {

unsigned available_threads()
{
    return 1;
}

}  // namespace dcube
