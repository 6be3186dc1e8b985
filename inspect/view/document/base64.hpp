#pragma once

#include "inspect/view/document/deflated.hpp"

#include <string>

namespace dcube::view {

std::string base64(const Bytes& bytes);

}  // namespace dcube::view
