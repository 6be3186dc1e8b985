#pragma once
// Files of programs that run on several ranks. All ranks make these calls.

#include "cli/files/files.hpp"

#include <dcube/world.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace dcube::cli {

/// Like read_file(), which rank 0 calls; all ranks get the bytes.
std::vector<std::byte> read_for_all(World& world, const std::string& path, std::size_t limit,
                                    const std::string& limit_is, Replaced replaced = Replaced::never);

struct Unmap {
    std::size_t bytes = 0;
    void operator()(std::byte* memory) const;
};
using Mapping = std::unique_ptr<std::byte, Unmap>;

/// The bytes of a file, and zeros behind them: in memory of their own, or where the system keeps the file.
class FileBytes {
public:
    FileBytes() = default;
    /// Takes these bytes for the whole file.
    explicit FileBytes(std::vector<std::byte> bytes);
    /// Opens a large file, each rank by itself. Throws InvalidArgument as read_file() does, on all ranks, also if they
    /// see files of different sizes. A file that can be read only once (a pipe, standard input) is read by rank 0. A
    /// single rank reads the file.
    FileBytes(World& world, const std::string& path, std::size_t limit, const std::string& limit_is);

    [[nodiscard]] std::span<const std::byte> bytes() const { return shown_; }
    /// Makes it longer, by zeros. Throws InvalidArgument.
    void extend(std::size_t bytes);

private:
    void open_and_map(std::size_t limit, const std::string& limit_is);
    void map(std::size_t bytes);

    std::string path_;
    unsigned rank_ = 0;
    std::size_t size_ = 0;  // of the file
    std::vector<std::byte> read_;
    Mapping mapping_;
    std::span<const std::byte> shown_;
};

/// A file that all ranks write, each its own part. Rank 0 makes it, as described at NewFile; the other ranks need not
/// be able to make one, but must see it. It has no name until commit() if all ranks are processes that see each other.
/// All functions except write_at() are called by all ranks, and throw on all of them.
class NewFileOfRanks {
public:
    NewFileOfRanks(World& world, const std::string& path);
    ~NewFileOfRanks();
    NewFileOfRanks(const NewFileOfRanks&) = delete;
    NewFileOfRanks& operator=(const NewFileOfRanks&) = delete;

    /// Whether ranks can write at any offset; otherwise the file exists already and takes bytes in order only (a pipe).
    [[nodiscard]] bool anywhere() const { return anywhere_; }
    /// Throws InvalidArgument.
    void write_at(std::size_t offset, std::span<const std::byte> bytes);
    /// The file ends there, or where more was written.
    void set_size(std::size_t bytes);
    /// Writes all ranks' bytes, rank after rank.
    void write_in_order(std::span<const std::byte> bytes);
    void commit();

private:
    [[nodiscard]] bool open_all(NewFile::Until committed);

    World& world_;
    std::string path_;
    bool anywhere_ = true;
    std::unique_ptr<NewFile> made_;  // by rank 0
    int opened_ = -1;                // by the others
};

}  // namespace dcube::cli
