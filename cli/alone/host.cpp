#include "cli/alone/host.hpp"

#include "base/sizes.hpp"

#include <algorithm>

// Numbers that may exceed 32 bits cross as double, which JavaScript has.
#define IMPORT(name) __attribute__((import_module("host"), import_name(#name)))

extern "C" {
IMPORT(kind) int dcube_host_kind(const char* path, std::size_t size);
IMPORT(is_same) int dcube_host_is_same(const char* one, std::size_t size, const char* other, std::size_t other_size);
IMPORT(read) double dcube_host_read(const char* path, std::size_t size);
IMPORT(take) void dcube_host_take(void* at, std::size_t bytes);
IMPORT(create) int dcube_host_create(const char* path, std::size_t size);
IMPORT(write) int dcube_host_write(int file, double offset, const void* at, std::size_t bytes);
IMPORT(resize) int dcube_host_resize(int file, double bytes);
IMPORT(commit) int dcube_host_commit(int file);
IMPORT(release) void dcube_host_release(int file);
IMPORT(deflate) double dcube_host_deflate(const void* at, std::size_t bytes);
IMPORT(module) double dcube_host_module();
}

namespace dcube::cli::host {

namespace {

constexpr double at_the_end = -1;

std::size_t whole(double bytes)
{
    return as_size(static_cast<std::uint64_t>(bytes));
}

}  // namespace

detail::OutsideFiles::Kind kind(const std::string& path)
{
    return static_cast<detail::OutsideFiles::Kind>(dcube_host_kind(path.data(), path.size()));
}

bool is_same(const std::string& one, const std::string& other)
{
    return dcube_host_is_same(one.data(), one.size(), other.data(), other.size()) != 0;
}

std::int64_t read(const std::string& path)
{
    return static_cast<std::int64_t>(dcube_host_read(path.data(), path.size()));
}

std::vector<std::byte> take(std::size_t bytes)
{
    std::vector<std::byte> taken(bytes);
    dcube_host_take(taken.data(), taken.size());
    return taken;
}

int create(const std::string& path)
{
    return dcube_host_create(path.data(), path.size());
}

int append(int file, std::span<const std::byte> bytes)
{
    return dcube_host_write(file, at_the_end, bytes.data(), bytes.size());
}

int write_at(int file, std::size_t offset, std::span<const std::byte> bytes)
{
    return dcube_host_write(file, static_cast<double>(offset), bytes.data(), bytes.size());
}

int resize(int file, std::size_t bytes)
{
    return dcube_host_resize(file, static_cast<double>(bytes));
}

int commit(int file)
{
    return dcube_host_commit(file);
}

void release(int file)
{
    dcube_host_release(file);
}

view::Bytes deflated(const view::Bytes& bytes)
{
    view::Bytes packed(whole(dcube_host_deflate(bytes.data(), bytes.size())));
    dcube_host_take(packed.data(), packed.size());
    return packed;
}

std::string module()
{
    std::string bytes(whole(dcube_host_module()), '\0');
    dcube_host_take(bytes.data(), bytes.size());
    return bytes;
}

}  // namespace dcube::cli::host
