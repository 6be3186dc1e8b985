#pragma once
/// The documents as one site of pages for a browser, which need no network.

#include <filesystem>
#include <functional>
#include <string>

namespace dcube::site {

/// What else the site has; an empty path: it is left out.
struct Parts {
    std::filesystem::path lessons{};    ///< the folder that `./dcube demos` makes
    std::filesystem::path reference{};  ///< the HTML of Doxygen, with its tag file dcube.tag
    /// Writes the page of `dcube ARGUMENTS --html FILE`; none: there are no such pages
    std::function<void(const std::string& arguments, const std::filesystem::path& file)> write_page{};
};

/// Makes the folder, or finds that it holds such a site. Throws InvalidArgument if it holds anything else.
void claim_folder(const std::filesystem::path& folder);

/// Makes the site of the source tree `root` in the folder, which is claimed. The same bytes every time.
void make_site(const std::filesystem::path& root, const std::filesystem::path& folder, const Parts& parts);

}  // namespace dcube::site
