#pragma once
// What the files of a plan cache share: the directory, the counts, and how a file appears whole or not at all.

#include <dcube/plan_cache.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace dcube::detail {

struct PlanCounts {
    std::atomic<std::uint64_t> read = 0;
    std::atomic<std::uint64_t> made = 0;
    std::atomic<std::uint64_t> written = 0;
    std::atomic<std::uint64_t> refused = 0;
};
PlanCounts& plan_counts();

// The one that is set, with a full path; null if there is none.
std::shared_ptr<const PlanCache> plan_cache();

// "No such file or directory"
std::string reason_of(int error);

// A file that gets its name when it is finished. Destroyed before that, it leaves nothing behind. Throws
// InvalidArgument with the system's reason alone.
class UnfinishedFile {
public:
    explicit UnfinishedFile(const std::string& target);
    ~UnfinishedFile();
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

    void write(std::string_view bytes);
    void finish();

private:
    std::string target_;
    std::string name_{};
    int descriptor_ = -1;
};

}  // namespace dcube::detail
