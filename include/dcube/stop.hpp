#pragma once
/// @file
/// Requests to stop a run: std::stop_token and std::stop_source, or dcube's own where the standard library has none.

#include <version>

#ifdef __cpp_lib_jthread
#include <stop_token>
#endif

#include <memory>
#include <utility>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup program
/// @{

namespace detail {

// std::stop_token without callbacks.
class OwnStopToken {
public:
    // A token of no source: no stop is ever requested.
    OwnStopToken() = default;

    [[nodiscard]] bool stop_requested() const noexcept
    {
        return requested_ && __atomic_load_n(requested_.get(), __ATOMIC_ACQUIRE);
    }

private:
    friend class OwnStopSource;
    explicit OwnStopToken(std::shared_ptr<const bool> requested) : requested_(std::move(requested)) {}

    std::shared_ptr<const bool> requested_{};
};

// std::stop_source for such tokens. Copies are the same source.
class OwnStopSource {
public:
    [[nodiscard]] OwnStopToken get_token() const { return OwnStopToken(requested_); }
    [[nodiscard]] bool stop_requested() const noexcept { return get_token().stop_requested(); }
    // True if this was the first request.
    bool request_stop() noexcept { return !__atomic_exchange_n(requested_.get(), true, __ATOMIC_ACQ_REL); }

private:
    std::shared_ptr<bool> requested_ = std::make_shared<bool>(false);  // read and written by the compiler's atomics
};

}  // namespace detail

#ifdef __cpp_lib_jthread
/// Asked by a run after every step: `token.stop_requested()`. A default-made one never stops anything.
using StopToken = std::stop_token;
/// Makes tokens (`source.get_token()`) and requests the stop of all who have one (`source.request_stop()`), from any
/// thread.
using StopSource = std::stop_source;
#else
using StopToken = detail::OwnStopToken;
using StopSource = detail::OwnStopSource;
#endif

/// @}

}  // namespace dcube
#pragma GCC visibility pop
