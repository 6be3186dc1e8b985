#pragma once
// Files and folders of a test.

#include <string>
#include <vector>

namespace dcube::test {

/// A folder that is gone at the end of the test.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
    /// Whether a process has a file of it open, also one that has no name.
    [[nodiscard]] bool in_use() const;
    /// Names of all that is in it, sorted.
    [[nodiscard]] std::vector<std::string> names() const;

private:
    std::string path_;
};

std::string read_text(const std::string& file);
void write_text(const std::string& file, const std::string& text);

/// The lines of a text, each without its end.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace dcube::test
