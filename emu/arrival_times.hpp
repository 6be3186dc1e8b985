#pragma once
// Since when the packets of a node are usable, for programs that move whole packets of one place each.

#include <dcube/node.hpp>

#include <algorithm>
#include <memory>
#include <unordered_map>

namespace dcube::detail {

// Arrival times by the packet's address. A packet that is not noted was there when the program began, so under the unit
// link model none is ever noted.
class ArrivalTimes {
public:
    explicit ArrivalTimes(const Node& me) : begun_(me.usable_now()) {}

    void set(const Packet& kept)
    {
        if (since_ || kept.usable != begun_) [[unlikely]]
            note(kept);
    }
    // The same for the sum of a packet and the bytes at `base`.
    void set_sum(Packet sum, std::span<const std::byte> base)
    {
        sum.usable = std::max(sum.usable, of(base));
        set(sum);
    }
    [[nodiscard]] Usable of(std::span<const std::byte> bytes) const { return since_ ? time_of(bytes) : begun_; }
    [[nodiscard]] Packet packet(std::span<const std::byte> bytes) const { return {bytes, 0, of(bytes)}; }

private:
    void note(const Packet& kept)
    {
        if (!since_)
            since_ = std::make_unique<Times>();
        (*since_)[kept.bytes.data()] = kept.usable;
    }
    [[nodiscard]] Usable time_of(std::span<const std::byte> bytes) const
    {
        const auto found = since_->find(bytes.data());
        return found == since_->end() ? begun_ : found->second;
    }

    using Times = std::unordered_map<const std::byte*, Usable>;
    Usable begun_;
    std::unique_ptr<Times> since_;  // a word only, because every node's program has one
};

}  // namespace dcube::detail
