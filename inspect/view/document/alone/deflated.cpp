// Compression in a build without zlib: there is none.

#include "inspect/view/document/deflated.hpp"

#include <dcube/error.hpp>

namespace dcube::view {

Bytes deflated(const Bytes&)
{
    throw InvalidArgument("this build of dcube cannot compress columns: ask for a plain document");
}

}  // namespace dcube::view
