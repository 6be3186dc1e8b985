#pragma once
/// Requests to stop where the standard library has none: what <dcube/stop.hpp> falls back on.

#include <memory>
#include <utility>

namespace dcube::own {

/// What std::stop_token does, without callbacks.
class StopToken {
public:
    /// Of no source: no stop is ever requested.
    StopToken() = default;

    [[nodiscard]] bool stop_requested() const noexcept
    {
        return requested_ && __atomic_load_n(requested_.get(), __ATOMIC_ACQUIRE);
    }

private:
    friend class StopSource;
    explicit StopToken(std::shared_ptr<const bool> requested) : requested_(std::move(requested)) {}

    std::shared_ptr<const bool> requested_{};
};

/// What std::stop_source does. Copies are the same source.
class StopSource {
public:
    [[nodiscard]] StopToken get_token() const { return StopToken(requested_); }
    [[nodiscard]] bool stop_requested() const noexcept { return get_token().stop_requested(); }
    /// True if this was the first request.
    bool request_stop() noexcept { return !__atomic_exchange_n(requested_.get(), true, __ATOMIC_ACQ_REL); }

private:
    std::shared_ptr<bool> requested_ = std::make_shared<bool>(false);  // read and written by the compiler's atomics
};

}  // namespace dcube::own
