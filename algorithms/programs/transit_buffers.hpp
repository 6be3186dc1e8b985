#pragma once
#include <dcube/node.hpp>

#include <cstddef>
#include <deque>
#include <map>
#include <span>

namespace dcube::detail {

// Storage for bytes under way. What was lent in step t may be written again in step t + 2.
class TransitBuffers {
public:
    explicit TransitBuffers(Node& me) : me_(me) {}

    std::span<std::byte> take(std::size_t bytes)
    {
        while (!resting_.empty() && resting_.front().free_from <= me_.step()) {
            give_back_now(resting_.front().bytes);
            resting_.pop_front();
        }
        if (const auto found = free_.lower_bound(bytes); found != free_.end() && found->first <= 2 * bytes) {
            const std::span<std::byte> buffer = found->second;
            free_.erase(found);
            return buffer.first(bytes);
        }
        return me_.allocate(bytes);
    }
    void give_back_now(std::span<std::byte> bytes) { free_.emplace(bytes.size(), bytes); }
    void give_back(std::span<std::byte> bytes) { resting_.push_back({me_.step() + 2, bytes}); }

private:
    struct Resting {
        Step free_from;
        std::span<std::byte> bytes;
    };
    Node& me_;
    std::multimap<std::size_t, std::span<std::byte>> free_;
    std::deque<Resting> resting_;
};

}  // namespace dcube::detail
