// Files of ranks where there is one rank only: its own.

#include "cli/files/rank_files.hpp"

#include <utility>

namespace dcube::cli {

std::vector<std::byte> read_for_all(World&, const std::string& path, std::size_t limit, const std::string& limit_is,
                                    Replaced replaced)
{
    return read_file(path, limit, limit_is, replaced);
}

void Unmap::operator()(std::byte*) const {}  // nothing is mapped

FileBytes::FileBytes(std::vector<std::byte> bytes) : size_(bytes.size()), read_(std::move(bytes)), shown_(read_) {}

FileBytes::FileBytes(World& world, const std::string& path, std::size_t limit, const std::string& limit_is)
    : FileBytes(read_for_all(world, path, limit, limit_is, Replaced::by_output))
{
}

void FileBytes::extend(std::size_t bytes)
{
    read_.resize(bytes);
    shown_ = read_;
}

NewFileOfRanks::NewFileOfRanks(World& world, const std::string& path)
    : world_(world), path_(path), made_(std::make_unique<NewFile>(path))
{
}

NewFileOfRanks::~NewFileOfRanks() = default;

void NewFileOfRanks::write_at(std::size_t offset, std::span<const std::byte> bytes)
{
    made_->write_at(offset, bytes);
}

void NewFileOfRanks::set_size(std::size_t bytes)
{
    made_->set_size(bytes);
}

void NewFileOfRanks::write_in_order(std::span<const std::byte> bytes)
{
    made_->write(bytes);
}

void NewFileOfRanks::commit()
{
    made_->commit();
}

}  // namespace dcube::cli
