#include "cli/files/rank_files.hpp"

#include "base/numbers.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace dcube::cli {

namespace {

constexpr std::size_t at_once = std::size_t{64} << 20;

// Refuses a file for the system's reason. On ranks other than the first the message also names the rank, because the
// reason alone would be puzzling.
[[noreturn]] void refuse(unsigned rank, std::string_view what, const std::string& path, int error)
{
    throw InvalidArgument(
        fmt::format("cannot {} '{}': {}{}", what, path, std::generic_category().message(error),
                    rank == 0 ? "" : fmt::format(" (on rank {}: all ranks must see the same files)", rank)));
}

// Whether rank 0, if it finds the file at all, sees one that can be opened any number of times.
bool can_be_mapped(World& world, const std::string& path)
{
    struct stat status {};
    const std::byte regular{path != "-" && (stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode))};
    return world.broadcast({&regular, 1}, 0).front() == std::byte{true};
}

std::string text_in(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class Opened {
public:
    Opened(unsigned rank, const std::string& path) : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC))
    {
        struct stat status {};
        if (number_ < 0 || fstat(number_, &status) != 0)
            refuse(rank, "read", path, errno);
        size_ = static_cast<std::size_t>(status.st_size);
    }
    ~Opened() { close(number_); }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;
    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    int number_;
    std::size_t size_ = 0;
};

}  // namespace

std::vector<std::byte> read_for_all(World& world, const std::string& path, std::size_t limit,
                                    const std::string& limit_is, Replaced replaced)
{
    std::vector<std::byte> bytes;
    together(world, [&] {
        if (world.rank() == 0)
            bytes = read_file(path, limit, limit_is, replaced);
    });
    return world.ranks() == 1 ? bytes : world.broadcast(bytes, 0);
}

FileBytes::FileBytes(std::vector<std::byte> bytes) : size_(bytes.size()), read_(std::move(bytes)), shown_(read_) {}

FileBytes::FileBytes(World& world, const std::string& path, std::size_t limit, const std::string& limit_is)
    : path_(path), rank_(world.rank())
{
    if (world.ranks() == 1 || !can_be_mapped(world, path)) {
        *this = FileBytes(read_for_all(world, path, limit, limit_is, Replaced::by_output));
        return;
    }
    together(world, [&] { open_and_map(limit, limit_is); });
    require_same(world, fmt::format("the size of '{}'", path), std::to_string(size_));
}

void FileBytes::open_and_map(std::size_t limit, const std::string& limit_is)
{
    note_read(path_, Replaced::by_output);
    size_ = Opened(rank_, path_).size();
    if (size_ == 0 && limit == 0)
        return;
    if (size_ == 0)
        throw InvalidArgument(fmt::format("'{}' is empty", path_));
    if (size_ > limit)
        throw InvalidArgument(
            fmt::format("'{}' has {} bytes, but {} {}", path_, grouped(size_), limit_is, grouped(limit)));
    map(size_);
}

// Maps the file over reserved pages, which stay as zeros behind it; its own last page ends with zeros.
void FileBytes::map(std::size_t bytes)
{
    const Opened file(rank_, path_);
    void* const room = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        refuse(rank_, "read", path_, errno);
    Mapping mapping(static_cast<std::byte*>(room), Unmap{bytes});
    if (mmap(room, std::min(size_, bytes), PROT_READ, MAP_PRIVATE | MAP_FIXED, file.number(), 0) == MAP_FAILED)
        refuse(rank_, "read", path_, errno);
    mapping_ = std::move(mapping);
    shown_ = {mapping_.get(), bytes};
}

void Unmap::operator()(std::byte* memory) const
{
    munmap(memory, bytes);
}

void FileBytes::extend(std::size_t bytes)
{
    if (mapping_) {
        map(bytes);
        return;
    }
    read_.resize(bytes);
    shown_ = read_;
}

NewFileOfRanks::NewFileOfRanks(World& world, const std::string& path) : world_(world), path_(path)
{
    if ((world.hosts() == 1 && open_all(NewFile::Until::nameless)) || open_all(NewFile::Until::named))
        return;
    together(world, [&] {
        if (world.rank() != 0 && opened_ < 0)
            refuse(world.rank(), "write", path, errno);
    });
}

// Opens the file on all ranks; returns whether all of them have it.
bool NewFileOfRanks::open_all(NewFile::Until committed)
{
    std::string file;
    together(world_, [&] {
        if (world_.rank() != 0)
            return;
        made_ = std::make_unique<NewFile>(path_, committed);
        file = made_->place() + '\n' + made_->identity();
    });
    file = text_in(world_.broadcast(std::as_bytes(std::span(file)), 0));
    const std::size_t end = file.find('\n');
    anywhere_ = end != 0;
    if (!anywhere_)
        return true;
    if (world_.rank() != 0)
        opened_ = open(file.substr(0, end).c_str(), O_WRONLY | O_CLOEXEC);
    // Without a name it may be found where another process' files are.
    if (opened_ >= 0 && committed == NewFile::Until::nameless && identity_of(opened_) != file.substr(end + 1))
        close(std::exchange(opened_, -1));
    const int error = errno;
    const std::byte mine{world_.rank() == 0 || opened_ >= 0};
    const bool all = std::ranges::all_of(world_.gather_everywhere({&mine, 1}),
                                         [](const auto& one) { return one.front() == std::byte{true}; });
    if (!all && opened_ >= 0 && committed == NewFile::Until::nameless)
        close(std::exchange(opened_, -1));
    errno = error;
    return all;
}

NewFileOfRanks::~NewFileOfRanks()
{
    if (opened_ >= 0)
        close(opened_);
}

void NewFileOfRanks::write_at(std::size_t offset, std::span<const std::byte> bytes)
{
    if (made_)
        made_->write_at(offset, bytes);
    else
        cli::write_at(opened_, path_, offset, bytes);
}

void NewFileOfRanks::set_size(std::size_t bytes)
{
    together(world_, [&] {
        if (made_ && anywhere_)
            made_->set_size(bytes);
    });
}

void NewFileOfRanks::write_in_order(std::span<const std::byte> bytes)
{
    for (unsigned rank = 0; rank < world_.ranks(); ++rank) {
        std::span<const std::byte> left = bytes;
        for (bool more = true; more;) {
            const std::vector<std::byte> piece = world_.broadcast(
                rank == world_.rank() ? left.first(std::min(left.size(), at_once)) : left.first(0), rank);
            if (rank == world_.rank())
                left = left.subspan(piece.size());
            together(world_, [&] {
                if (made_)
                    made_->write(piece);
            });
            more = !piece.empty();
        }
    }
}

void NewFileOfRanks::commit()
{
    together(world_, [&] {
        if (opened_ >= 0 && close(std::exchange(opened_, -1)) != 0)
            refuse(world_.rank(), "write", path_, errno);
    });
    together(world_, [&] {
        if (made_)
            made_->commit();
    });
}

}  // namespace dcube::cli
