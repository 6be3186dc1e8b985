#include "cli/files/files.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

namespace dcube::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_at_once = std::size_t{1} << 26;  // the kernel takes no more than 2 GiB in one call

// The temporary files that there are, and the right to rename or remove them.
struct Temporaries {
    std::mutex mutex;
    std::set<std::string> names;
};

Temporaries& temporaries()
{
    static Temporaries all;
    return all;
}

// A link under /dev or /proc can lead to a regular file that has lost its name.
bool is_name_of(const std::string& path, const struct stat& file)
{
    struct stat found {};
    return lstat(path.c_str(), &found) == 0 && found.st_dev == file.st_dev && found.st_ino == file.st_ino;
}

class FileDescriptor {
public:
    explicit FileDescriptor(int number) : number_(number) {}
    ~FileDescriptor()
    {
        if (number_ > STDERR_FILENO)
            close(number_);
    }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    [[nodiscard]] int number() const { return number_; }

private:
    int number_;
};

// A regular file's size, known in advance to reserve memory; 0 if unknown.
std::size_t known_size(int descriptor)
{
    struct stat status {};
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    return static_cast<std::size_t>(status.st_size);
}

// Reads until the end or until `bytes` holds more than `limit`.
void read_up_to(int descriptor, const std::string& path, std::size_t limit, std::vector<std::byte>& bytes)
{
    std::size_t filled = 0;
    bytes.resize(std::min(known_size(descriptor), limit) + 1);
    for (;;) {
        const ssize_t got = read(descriptor, bytes.data() + filled, std::min(bytes.size() - filled, most_at_once));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            cannot_read(path, errno);
        filled += static_cast<std::size_t>(got);
        if (got == 0 || filled > limit)
            break;
        if (filled == bytes.size())
            bytes.resize(std::min(2 * bytes.size(), limit + 1));
    }
    bytes.resize(filled);
}

// Equal for all names of one file but hard links, also one that does not exist yet, to which links may lead. What leads
// to no place (a pipe under /dev/stdout, links in a circle) is as it was given.
fs::path real_path_of(const std::string& file)
{
    constexpr int most_links = 40;  // as the kernel has it
    std::error_code ignored;
    fs::path path = fs::absolute(file, ignored);
    for (int links = 0; links < most_links && !fs::exists(path, ignored) && fs::is_symlink(path, ignored); ++links)
        path = path.parent_path() / fs::read_symlink(path, ignored);
    path = fs::weakly_canonical(path, ignored);
    return path.empty() ? fs::path(file) : path;
}

void read_whole(std::istream& file, const std::string& path, const std::function<void(std::istream&)>& read)
{
    read(file);
    if (file.bad())
        cannot_read(path, EIO);
}

}  // namespace

bool can_be_destroyed(const std::string& path)
{
    std::error_code ignored;
    return path != "-" && (fs::is_regular_file(path, ignored) || !fs::exists(path, ignored));
}

bool is_same_file(const std::string& one, const std::string& other)
{
    std::error_code ignored;
    return real_path_of(one) == real_path_of(other) || fs::equivalent(one, other, ignored);
}

std::string last_name(const std::string& path)
{
    return fs::path(path).filename().string();
}

NewFile::NewFile(std::string path, Until committed) : path_(std::move(path))
{
    target_ = real_path_of(path_);
    struct stat status {};
    const bool exists = stat(path_.c_str(), &status) == 0;
    if (!exists && errno != ENOENT)
        fail();
    if (exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        fail();
    }
    if (exists && (!S_ISREG(status.st_mode) || !is_name_of(target_, status))) {
        descriptor_ = open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    } else {
        if (committed == Until::nameless)
            open_nameless();
        if (!nameless_)
            open_temporary();
    }
    if (descriptor_ < 0)
        fail();
}

std::string identity_of(int descriptor)
{
    struct stat status {};
    if (fstat(descriptor, &status) != 0)
        return "";
    return fmt::format("{} {}", status.st_dev, status.st_ino);
}

NewFile::~NewFile()
{
    if (descriptor_ >= 0)
        close(descriptor_);
    if (temporary_.empty())
        return;
    const std::scoped_lock lock(temporaries().mutex);
    unlink(temporary_.c_str());
    temporaries().names.erase(temporary_);
}

// Only Linux can, and not on every file system.
void NewFile::open_nameless()
{
#ifdef O_TMPFILE
    const std::string folder = fs::path(target_).parent_path().string();
    descriptor_ = open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    nameless_ = descriptor_ >= 0;
#endif
}

void NewFile::open_temporary()
{
    std::string name = target_ + ".XXXXXX";
    const std::scoped_lock lock(temporaries().mutex);
    descriptor_ = mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0)
        fail();
    temporary_ = name;
    temporaries().names.insert(name);
}

// Harmless if it stays the owner's alone.
void NewFile::set_mode() const
{
    struct stat replaced {};
    const bool replaces = stat(target_.c_str(), &replaced) == 0;
    if (replaces)
        std::ignore = fchown(descriptor_, replaced.st_uid, replaced.st_gid);
    std::ignore = fchmod(descriptor_, replaces ? replaced.st_mode & 0777 : usual_mode(0666));
}

void NewFile::write(std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t done = ::write(descriptor_, bytes.data(), std::min(bytes.size(), most_at_once));
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            fail();
        bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
}

void write_at(int descriptor, const std::string& path, std::size_t offset, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t done =
            pwrite(descriptor, bytes.data(), std::min(bytes.size(), most_at_once), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            cannot_write(path, errno);
        offset += static_cast<std::size_t>(done);
        bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
}

void NewFile::write_at(std::size_t offset, std::span<const std::byte> bytes)
{
    cli::write_at(descriptor_, path_, offset, bytes);
}

void NewFile::set_size(std::size_t bytes)
{
    if (ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0)
        fail();
}

std::string NewFile::place() const
{
    return nameless_ ? fmt::format("/proc/{}/fd/{}", getpid(), descriptor_) : temporary_;
}

// Its own name at once if that is free: then there is no moment in which it has another one.
void NewFile::name_it()
{
    const std::string self = fmt::format("/proc/self/fd/{}", descriptor_);
    const auto named = [&](const std::string& name) {
        return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    nameless_ = false;
    if (named(target_))
        return;
    const std::scoped_lock lock(temporaries().mutex);
    for (unsigned number = 0; temporary_.empty(); ++number) {
        const std::string name = fmt::format("{}.{}-{}", target_, getpid(), number);
        if (named(name))
            temporary_ = name;
        else if (errno != EEXIST)
            fail();
    }
    temporaries().names.insert(temporary_);
}

void NewFile::commit()
{
    if (nameless_ || !temporary_.empty()) {
        require_unread(path_);
        set_mode();
    }
    if (nameless_)
        name_it();
    if (close(std::exchange(descriptor_, -1)) != 0)
        fail();
    if (temporary_.empty())
        return;
    const std::scoped_lock lock(temporaries().mutex);
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
        fail();
    temporaries().names.erase(temporary_);
    temporary_.clear();
}

// umask can only be read by setting it.
mode_t usual_mode(mode_t all)
{
    const mode_t mask = umask(0);
    umask(mask);
    return all & ~mask;
}

void remove_temporary_files()
{
    temporaries().mutex.lock();  // for good: no thread gives a file its name any more
    for (const std::string& name : temporaries().names)
        unlink(name.c_str());
}

void NewFile::fail() const
{
    cannot_write(path_, errno);
}

void with_stream(const std::string& path, const std::function<void(std::istream&)>& read)
{
    if (path == "-") {
        if (std::cin.peek() == std::istream::traits_type::eof() && std::ferror(stdin) != 0)
            cannot_read(path, errno);
        return read_whole(std::cin, path, read);
    }
    std::error_code ignored;
    if (fs::is_directory(path, ignored))  // can be opened, but not read
        cannot_read(path, EISDIR);
    note_read(path);
    std::ifstream file(path, std::ios::binary);
    if (!file)
        cannot_read(path, errno);
    read_whole(file, path, read);
}

FirstBytes first_bytes(const std::string& path, std::size_t limit)
{
    const FileDescriptor file(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number() < 0)
        cannot_read(path, errno);
    FirstBytes first;
    read_up_to(file.number(), path, limit, first.bytes);
    first.size = known_size(file.number());
    return first;
}

}  // namespace dcube::cli
