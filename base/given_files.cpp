#include "base/files.hpp"

#include <dcube/error.hpp>

#include <utility>

namespace dcube::detail {

namespace {

thread_local const GivenFiles* innermost_files = nullptr;

}  // namespace

GivenFiles::GivenFiles(Texts texts) : texts_(std::move(texts)), outer_(std::exchange(innermost_files, this)) {}

GivenFiles::~GivenFiles()
{
    innermost_files = outer_;
}

const GivenFiles* GivenFiles::here()
{
    return innermost_files;
}

const std::string& GivenFiles::text(const std::string& name) const
{
    const auto found = texts_.find(name);
    if (found == texts_.end())
        throw InvalidArgument("there is no such file");
    return found->second;
}

}  // namespace dcube::detail
