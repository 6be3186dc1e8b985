#pragma once
// Plans in the files of a plan cache (<dcube/plan_cache.hpp>).

#include <dcube/error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dcube::detail {

// Whether there is a plan cache that keeps plans of this much work.
bool keeps_plans_of(std::uint64_t work);

// The file of one plan. The key has all that the plan depends on; it is kept beside the plan.
class PlanFile {
public:
    // The kind is a word, and stands in the file's name: "spread".
    PlanFile(std::string_view kind, std::string_view key);

    // The plan's bytes; none if there is no such file, or, with a warning, if it has another key or was changed.
    [[nodiscard]] std::optional<std::string> read() const;
    // Warns that the plan in the file cannot be used and is rebuilt, and why.
    void refuse(std::string_view why) const;
    // Writes the whole file or nothing. Warns if that fails.
    void write(std::string_view plan) const;

    static void note_read();
    static void note_made();

private:
    std::string key_;
    std::string path_;  // empty if there is no plan cache any more
};

// Removes half-written files and prevents any further writing: to be called before the process ends, from any thread.
void remove_unfinished_plans();

// A plan that takes this much work to make: read from its file if there is one, otherwise returned by make() and
// written to a file. from_bytes throws InvalidArgument for bytes that are no valid plan.
template <class Key, class Make, class ToBytes, class FromBytes>
auto kept_in_file(std::string_view kind, std::uint64_t work, const Key& key, const Make& make, const ToBytes& to_bytes,
                  const FromBytes& from_bytes) -> decltype(make())
{
    if (!keeps_plans_of(work))
        return make();
    const PlanFile file(kind, key());
    if (const std::optional<std::string> bytes = file.read())
        try {
            auto plan = from_bytes(*bytes);
            PlanFile::note_read();
            return plan;
        } catch (const InvalidArgument& error) {
            file.refuse(error.what());
        }
    auto plan = make();
    PlanFile::note_made();
    file.write(to_bytes(plan));
    return plan;
}

}  // namespace dcube::detail
