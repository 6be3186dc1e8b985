#pragma once
// The lab: a page in which dcube itself runs, and the script that brings it into other pages.

#include <string>
#include <string_view>

namespace dcube::view {

/// The page, with the module (dcube.wasm), and with the request (JSON) that it opens with.
std::string lab_page(std::string_view module, std::string_view request);

/// A classic script that defines window.dcubeLab, with the module, for lessons and pages of one's own.
std::string lab_script(std::string_view module);

}  // namespace dcube::view
