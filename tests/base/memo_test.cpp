#include "base/memo.hpp"

#include "base/threads.hpp"
#include "tests/support/catch.hpp"

#include <future>
#include <latch>
#include <stdexcept>
#include <string>
#include <thread>

using dcube::detail::Memo;

TEST_CASE("memo: a value is made once for equal keys and is the same object", "[base]")
{
    Memo<std::string, int> memo(4);
    int made = 0;
    const auto make = [&] { return ++made; };
    const auto first = memo.get("a", make);
    CHECK(*first == 1);
    CHECK(memo.get("a", make) == first);
    CHECK(*memo.get("b", make) == 2);
    CHECK(made == 2);
}

TEST_CASE("memo: the oldest is dropped when there are too many, and lives on where it is held", "[base]")
{
    Memo<int, int> memo(2);
    int made = 0;
    const auto ask = [&](int key) { return memo.get(key, [&] { return ++made, 10 * key; }); };
    const auto first = ask(1);
    ask(2);
    ask(3);
    CHECK(made == 3);
    CHECK(*ask(2) == 20);
    CHECK(*ask(3) == 30);
    CHECK(made == 3);
    CHECK(*first == 10);
    CHECK(*ask(1) == 10);
    CHECK(made == 4);
}

TEST_CASE("memo: a forgotten value is made anew, and lives on where it is held", "[base]")
{
    Memo<int, int> memo(2);
    int made = 0;
    const auto ask = [&](int key) { return memo.get(key, [&] { return ++made, 10 * key; }); };
    const auto first = ask(1);
    dcube::detail::forget_memos();
    CHECK(*ask(1) == 10);
    CHECK(made == 2);
    CHECK(*ask(1) == 10);
    CHECK(made == 2);
    CHECK(*first == 10);
}

TEST_CASE("memo: a different key does not wait for one that is being made", "[base]")
{
    Memo<int, int> memo(4);
    std::latch begun(1);
    std::latch may_end(1);
    dcube::detail::JoiningThread slow([&] {
        memo.get(1, [&] {
            begun.count_down();
            may_end.wait();
            return 1;
        });
    });
    begun.wait();
    CHECK(*memo.get(2, [] { return 2; }) == 2);  // would wait for ever if the lock were held
    may_end.count_down();
}

TEST_CASE("memo: the same key waits for the one that is being made", "[base]")
{
    Memo<int, int> memo(4);
    std::latch begun(1);
    std::latch may_end(1);
    int made = 0;
    auto first = std::async(std::launch::async, [&] {
        return memo.get(1, [&] {
            begun.count_down();
            may_end.wait();
            return ++made;
        });
    });
    begun.wait();
    auto second = std::async(std::launch::async, [&] { return memo.get(1, [&] { return ++made; }); });
    may_end.count_down();
    CHECK(first.get() == second.get());
    CHECK(made == 1);
}

TEST_CASE("memo: an exception of the maker is not kept", "[base][negative]")
{
    Memo<int, int> memo(4);
    CHECK_THROWS_AS(memo.get(1, []() -> int { throw std::runtime_error("no"); }), std::runtime_error);
    CHECK(*memo.get(1, [] { return 5; }) == 5);
}
