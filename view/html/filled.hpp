#pragma once
// The built pages with documents in them.

#include <span>
#include <string>
#include <string_view>

namespace dcube::view {

/// `built` with a title (text), with `body` (HTML) as what can be read without a script, and with these documents
/// (JSON), in which no tag can begin.
std::string filled(std::string_view built, std::string_view title, std::string_view body,
                   std::span<const std::string> documents);

}  // namespace dcube::view
