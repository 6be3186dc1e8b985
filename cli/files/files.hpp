#pragma once
// Files that are read whole, and files that appear under their name only when they are complete.

#include "cli/files/file_uses.hpp"

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::cli {

/// Whether writing to it would destroy something, now or later: a regular file, or one that is not there yet. Standard
/// input ("-"), pipes and devices cannot be destroyed.
bool can_be_destroyed(const std::string& path);

/// Whether both names lead to the same file, by links of either kind, also to one that is not there yet.
bool is_same_file(const std::string& one, const std::string& other);

/// The name without its folders.
std::string last_name(const std::string& path);

/// The file's name for messages: 'a.txt' in quotes, or standard input for "-".
std::string shown_file(const std::string& path);

/// Throw InvalidArgument with the system's reason.
[[noreturn]] void cannot_read(const std::string& path, int error);
[[noreturn]] void cannot_write(const std::string& path, int error);

/// Which file an open one is, on this host.
std::string identity_of(int descriptor);

/// A file being written, which others may not read meanwhile. commit() gives it its name, and the mode and the owner of
/// the file that it replaces, or the usual mode; until then it has no name, so that nothing is left behind however the
/// process ends. Where the file system has no such files, its bytes go to a temporary name in the same folder, which is
/// removed when this is destroyed. Links are followed, also to a file that is not there yet. What is there already and
/// is no regular file (/dev/null, a pipe), or has no name of its own (/dev/stdout, if that file was removed), is
/// written directly. Everything throws InvalidArgument that names the file and the system's reason.
class NewFile {
public:
    enum class Until : std::uint8_t {
        nameless,
        named,  ///< temporarily: for processes on other hosts
    };
    explicit NewFile(std::string path, Until committed = Until::nameless);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }
    void commit();

    /// A path by which other processes can open the file before commit(): processes on this host if it has no name.
    /// Empty if it is written directly.
    [[nodiscard]] std::string place() const;
    /// Which file it is, so that one can see whether that which was opened there is the same.
    [[nodiscard]] std::string identity() const { return identity_of(descriptor_); }
    /// Writes from byte `offset` on; only if the file has a place().
    void write_at(std::size_t offset, std::span<const std::byte> bytes);
    /// Makes it so long, by zeros.
    void set_size(std::size_t bytes);

private:
    void open_nameless();
    void open_temporary();
    void set_mode() const;
    void name_it();
    [[noreturn]] void fail() const;

    std::string path_;    // as the user gave it, for messages
    std::string target_;  // where links lead to
    std::string temporary_;
    bool nameless_ = false;  // and with no temporary name: written directly
    int descriptor_ = -1;
};

/// The mode that this process's umask leaves of `all` for a new file.
mode_t usual_mode(mode_t all);

/// Removes the temporary files of all NewFiles there are, which can do nothing more then: call it before the process
/// ends, from any thread.
void remove_temporary_files();

/// Writes to an open file from that byte on. Throws InvalidArgument that names `path`.
void write_at(int descriptor, const std::string& path, std::size_t offset, std::span<const std::byte> bytes);

/// A file's first bytes, one more than were asked for if there are more, and its size, 0 if that is unknown.
struct FirstBytes {
    std::vector<std::byte> bytes{};
    std::size_t size = 0;
};
/// "-" is standard input. Throws InvalidArgument if it cannot be read.
FirstBytes first_bytes(const std::string& path, std::size_t limit);

/// Calls `read` with the bytes of `path` ("-": standard input) as they arrive. Throws what `read` throws, and
/// InvalidArgument if it cannot be read.
void with_stream(const std::string& path, const std::function<void(std::istream&)>& read);

/// The bytes of `path` ("-": standard input), at most `limit`. `replaced`: whether --output may name that file, too.
/// Throws InvalidArgument if it cannot be read, is larger (`limit_is` says what the limit is), or is empty where some
/// bytes are allowed.
std::vector<std::byte> read_file(const std::string& path, std::size_t limit, const std::string& limit_is,
                                 Replaced replaced = Replaced::never);

}  // namespace dcube::cli
