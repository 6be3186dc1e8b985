#pragma once
// CollectiveStarts: which nodes began a collective in this step, that is: something that takes all nodes
// (Node::begin_together).

#include <dcube/graph.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace dcube::detail {

struct CollectiveStart {
    const void* what = nullptr;
    std::string_view name{};
    NodeId node = 0;
    std::uint64_t meaning = 0;  // the same on all ranks
};

// A collective that was begun on some rank, by its name: pointers mean nothing between ranks.
struct NamedStart {
    std::string name{};
    std::uint64_t meaning = 0;
    bool other = false;  // other than the one that its rank began first, with the same meaning

    friend auto operator<=>(const NamedStart&, const NamedStart&) = default;
};

// The collectives begun in one step. The result does not depend on the order in which they are noted or added up.
class CollectiveStarts {
public:
    void note(const CollectiveStart& one)
    {
        ++count_;
        keep(one);
    }
    void add(const CollectiveStarts& other)
    {
        count_ += other.count_;
        for (const auto& one : {other.first_, other.different_})
            if (one)
                keep(*one);
    }

    [[nodiscard]] std::size_t count() const { return count_; }
    // The smallest node's, and the smallest of those that began something else.
    [[nodiscard]] const std::optional<CollectiveStart>& first() const { return first_; }
    [[nodiscard]] const std::optional<CollectiveStart>& different() const { return different_; }

private:
    void keep(CollectiveStart one)
    {
        if (first_ && one.node < first_->node)
            std::swap(*first_, one);
        else if (!first_)
            first_ = one;
        if (one.what != first_->what && (!different_ || one.node < different_->node))
            different_ = one;
    }

    std::size_t count_ = 0;
    std::optional<CollectiveStart> first_;
    std::optional<CollectiveStart> different_;
};

}  // namespace dcube::detail
