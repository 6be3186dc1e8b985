#pragma once
// Reading the small files in which the kernel describes the machine and itself.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::measure {

/// The first line without the space around it; empty if there is no such file, or nothing in it.
std::optional<std::string> line_of(const std::string& path);
std::optional<std::uint64_t> number_of(const std::string& path);

/// The text behind the key and a colon or an equals sign in the first line that begins with the key.
std::optional<std::string> value_in(const std::string& path, std::string_view key);

/// "0-3,8" as 0, 1, 2, 3, 8; none where it is no such list.
std::vector<unsigned> number_list(std::string_view text);

struct Host;
/// On macOS, which has no such files: adds what its sysctl says of the machine and the system.
void add_facts_by_sysctl(Host& host);

/// "32K", "8M" or a number, in bytes.
std::optional<std::uint64_t> bytes_in(std::string_view text);

}  // namespace dcube::measure
