#pragma once
/// Requests to stop a run: std::stop_token and std::stop_source, or dcube's own where the standard library has none.

#include <version>

#ifdef __cpp_lib_jthread
#include <stop_token>
#else
#include <dcube/own_stop.hpp>
#endif

namespace [[gnu::visibility("default")]] dcube {

#ifdef __cpp_lib_jthread
using StopToken = std::stop_token;
using StopSource = std::stop_source;
#else
using own::StopSource;
using own::StopToken;
#endif

}  // namespace dcube
