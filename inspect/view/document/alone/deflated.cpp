// Compression in a build without zlib: by the surroundings, if they have any.

#include "inspect/view/document/deflated.hpp"

#include <dcube/error.hpp>

namespace dcube::view {

Bytes deflated(const Bytes& bytes)
{
    if (deflated_outside)
        return deflated_outside(bytes);
    throw InvalidArgument("this build of dcube cannot compress columns: ask for a plain document");
}

}  // namespace dcube::view
