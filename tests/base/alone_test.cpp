// The substitutes for the standard's threads and stop requests where it has none, tested where it has.

#include "base/alone/threads.hpp"
#include "tests/support/catch.hpp"

#include <dcube/stop.hpp>

#include <mutex>
#include <type_traits>

using namespace dcube;
namespace alone = dcube::detail::alone;

#ifdef __cpp_lib_jthread
static_assert(std::is_same_v<StopToken, std::stop_token> && std::is_same_v<StopSource, std::stop_source>);
#endif

TEST_CASE("one thread: locks are never held by another, and waiting for one is an error", "[base]")
{
    alone::Mutex mutex;
    const std::lock_guard guard(mutex);
    alone::Lock lock(mutex);
    lock.unlock();
    lock.lock();
    alone::Condition changed;
    changed.notify_all();
    CHECK_THROWS_WITH(changed.wait(lock), "the only thread waits for another one");
    alone::yield();
    CHECK(alone::hardware_threads() == 1);
}

TEMPLATE_TEST_CASE("requests to stop: all tokens of a source see them", "[base]", StopSource, detail::OwnStopSource)
{
    TestType source;
    const auto token = source.get_token();
    const TestType copy = source;
    const std::remove_const_t<decltype(token)> nobodys;
    CHECK_FALSE(token.stop_requested());
    CHECK_FALSE(source.stop_requested());
    CHECK(source.request_stop());
    CHECK_FALSE(source.request_stop());
    CHECK(token.stop_requested());
    CHECK(copy.stop_requested());
    CHECK(copy.get_token().stop_requested());
    CHECK_FALSE(nobodys.stop_requested());
}
