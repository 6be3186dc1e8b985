#pragma once
// Memo: results that take long to find, kept for the next time they are asked for. Thread-safe.

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace dcube::detail {

template <class Key, class Value>
class Memo {
public:
    // Keeps as many as that, and drops the oldest.
    explicit Memo(std::size_t most) : most_(most) {}

    // The value of an equal key, else what make() returns. Others wait while it is made.
    template <class Make>
    std::shared_ptr<const Value> get(const Key& key, const Make& make)
    {
        const std::scoped_lock lock(mutex_);
        for (const auto& [known, value] : kept_)
            if (known == key)
                return value;
        auto value = std::make_shared<const Value>(make());
        if (kept_.size() == most_)
            kept_.erase(kept_.begin());
        return kept_.emplace_back(key, std::move(value)).second;
    }

private:
    std::size_t most_;
    std::mutex mutex_;
    std::vector<std::pair<Key, std::shared_ptr<const Value>>> kept_;
};

}  // namespace dcube::detail
