#pragma once
// Files that are read by name: those of the system, or texts given in their place.

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>

namespace dcube::detail {

// During its lifetime, this thread reads these texts, by their names, and no file of the system.
class GivenFiles {
public:
    using Texts = std::map<std::string, std::string, std::less<>>;

    explicit GivenFiles(Texts texts);
    ~GivenFiles();
    GivenFiles(const GivenFiles&) = delete;
    GivenFiles& operator=(const GivenFiles&) = delete;

    // The innermost ones; null where there are none.
    static const GivenFiles* here();

    // Throws InvalidArgument with the reason alone.
    [[nodiscard]] const std::string& text(const std::string& name) const;

private:
    Texts texts_;
    const GivenFiles* outer_;
};

// Called with the path of each file of the system before it is opened below; what it throws ends the reading. Set by a
// program that writes files.
inline void (*before_reading)(const std::string& path) = nullptr;

// The files of a program's surroundings, where the program itself has no system.
struct OutsideFiles {
    enum class Kind : std::uint8_t { none, regular, other };
    Kind (*kind)(const std::string& path);
    // Throws InvalidArgument with the reason alone.
    std::string (*text)(const std::string& path);
};
// Set by such a program. Null: given texts are all that there is to read.
inline const OutsideFiles* outside_files = nullptr;

// Opens a file for reading. Throws InvalidArgument with the reason alone: "No such file or directory".
std::unique_ptr<std::istream> open_file(const std::string& path);

// The whole file. Throws InvalidArgument with the reason alone if it cannot be read, is none (a folder, a pipe), or has
// more than `most` bytes.
std::string text_of_file(const std::string& path, std::uint64_t most);

}  // namespace dcube::detail
