#pragma once
// Manual pages, from the options as the commands declare them.

#include <string>

namespace CLI {
class App;
}

namespace dcube::cli {

/// The manual page of `program` or of one of its commands, in roff: "dcube-run.1".
std::string manual_page(const CLI::App& page, const CLI::App& program);

/// "dcube-run", "dcube": what the page is called.
std::string manual_name(const CLI::App& page, const CLI::App& program);

}  // namespace dcube::cli
