#pragma once
// An explanation laid out: as wide as the terminal, or as markdown.

#include "cli/requests.hpp"
#include "inspect/explain/pages.hpp"

#include <string>

namespace dcube::cli {

/// `format` is text or markdown.
std::string page_text(const explain::Page& page, Format format);

/// A proof's lines: words left, numbers right.
std::string proof_rows(const std::vector<explain::ProofLine>& lines, std::size_t indent);

}  // namespace dcube::cli
