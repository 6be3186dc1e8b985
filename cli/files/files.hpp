#pragma once
// Files that are read whole, and files that appear under their name only when they are complete.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::cli {

/// A file being written. Its bytes go to a temporary name in the same folder; commit() gives it its own. Destroyed
/// before that, it leaves nothing behind. What is there already and is no regular file (/dev/null, a pipe) is written
/// directly. Everything throws InvalidArgument that names the file and the system's reason.
class NewFile {
public:
    explicit NewFile(std::string path);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }
    void commit();

    /// Where its bytes go until then; empty if they are written directly.
    [[nodiscard]] const std::string& temporary_name() const { return temporary_; }
    /// From that byte on; only if there is a temporary name.
    void write_at(std::size_t offset, std::span<const std::byte> bytes);
    /// Makes it so long, by zeros.
    void set_size(std::size_t bytes);

private:
    void open_temporary();
    [[noreturn]] void fail() const;

    std::string path_;       // as the user gave it, for messages
    std::string target_;     // where links lead to
    std::string temporary_;  // empty: written directly
    int descriptor_ = -1;
};

/// Removes the temporary files of all NewFiles there are, which can do nothing more then: call it before the process
/// ends, from any thread.
void remove_temporary_files();

/// Writes to an open file from that byte on. Throws InvalidArgument that names `path`.
void write_at(int descriptor, const std::string& path, std::size_t offset, std::span<const std::byte> bytes);

/// The bytes of `path` ("-": standard input), at most `limit`.
/// Throws InvalidArgument if it cannot be read, is empty, or is larger; `limit_is` says what the limit is.
std::vector<std::byte> read_file(const std::string& path, std::size_t limit, const std::string& limit_is);

}  // namespace dcube::cli
