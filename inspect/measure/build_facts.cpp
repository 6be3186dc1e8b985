#include "inspect/measure/host_document.hpp"

#include <dcube/version.hpp>

namespace dcube::measure {

BuildFacts build_facts()
{
    return {version(), DCUBE_COMMIT, DCUBE_COMPILER, DCUBE_FLAGS, DCUBE_BUILD_TYPE, DCUBE_SANITIZERS};
}

}  // namespace dcube::measure
