// What the system says of its memory, and memory lent by it.

#include "base/memory.hpp"
#include "tests/support/catch.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

using namespace dcube;

namespace {

constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

// A cgroup of version 2, in files of our own.
class Cgroup {
public:
    Cgroup(const std::string& limit, const std::string& usage, const std::string& statistics)
    {
        std::filesystem::create_directories(folder_);
        write("max", limit);
        write("current", usage);
        write("stat", statistics);
    }
    Cgroup(const Cgroup&) = delete;
    Cgroup& operator=(const Cgroup&) = delete;
    ~Cgroup() { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::size_t allowance() const
    {
        return detail::cgroup_allowance({folder_ / "max", folder_ / "current", folder_ / "stat", "inactive_file"});
    }

private:
    void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

    std::filesystem::path folder_ = std::filesystem::temp_directory_path() /
                                    ("dcube-cgroup-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
};

}  // namespace

TEST_CASE("files in the cache of a container do not count as used memory", "[emu]")
{
    const std::string statistics = "anon 5000\nfile 900\nactive_file 200\ninactive_file 700\nslab 3\n";
    CHECK(Cgroup("10000\n", "6000\n", statistics).allowance() == 10000 - 6000 + 700);
    CHECK(Cgroup("10000\n", "6000\n", "anon 5000\n").allowance() == 4000);
    CHECK(Cgroup("10000\n", "500\n", statistics).allowance() == 10000);
    CHECK(Cgroup("5000\n", "6000\n", "").allowance() == 0);
    CHECK(Cgroup("max\n", "6000\n", statistics).allowance() == most);
    CHECK(detail::cgroup_allowance({"/no/such/file", "/no/such/file", "/no/such/file", "inactive_file"}) == most);
}
