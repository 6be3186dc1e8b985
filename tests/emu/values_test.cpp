// Values are sent, received and exchanged without a cast.

#include "tests/support/catch.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

using namespace dcube;

namespace {

struct Pair {
    std::int16_t key;
    double value;
    friend bool operator==(const Pair&, const Pair&) = default;
};

template <class T>
concept Sent = requires(Node& me, T&& what)
{
    me.send(0, std::forward<T>(what));
};
template <class T>
concept Filled = requires(Node& me, T&& into)
{
    me.receive(0, std::forward<T>(into));
};
template <class T>
concept Returned = requires(Node& me)
{
    me.receive<T>(0);
};

static_assert(Sent<int&> && Sent<const Pair&> && Sent<std::vector<int>&> && Sent<std::span<const Pair>> &&
              Sent<std::array<int, 3>&> && Sent<int (&)[3]> && Sent<std::string&> && Sent<std::span<std::byte>>);
static_assert(!Sent<int> && !Sent<Pair> && !Sent<std::array<int, 3>>, "a temporary does not outlive the step");
static_assert(!Sent<int*&> && !Sent<std::vector<std::string>&> && !Sent<std::vector<int*>&>, "pointers mean nothing");
static_assert(!Value<BorrowedBytes> && !Value<BorrowedPacket> && !Value<BorrowedParts>);
static_assert(!Value<Packet> && !Value<JoinedPacket> && !Value<std::span<int>> && !Value<std::string_view>);
static_assert(Filled<int&> && Filled<std::vector<Pair>&> && Filled<std::span<int>>);
static_assert(!Filled<const int&> && !Filled<int> && !Filled<std::span<const int>>);
static_assert(Returned<Pair> && !Returned<std::string> && !Returned<int*>);

// The values that node 0 of two nodes has received from node 1.
struct Heard {
    int number = 0;
    Pair pair{};
    std::array<int, 2> some{};
    std::vector<Pair> pairs = std::vector<Pair>(2);
};

Task talk(Node& me, Heard& heard)
{
    const int number = 7 + static_cast<int>(me.id());
    const Pair pair{3, 0.5};
    const std::array<int, 4> numbers{1, 2, 3, 4};
    const std::vector<Pair> pairs{{1, 1.5}, {2, 2.5}};
    me.send(0, number);
    co_await me.next_step();
    const int theirs = me.receive<int>(0);
    me.send(0, pair);
    co_await me.next_step();
    me.receive(0, heard.pair);
    me.send(0, std::span(numbers).subspan(1, 2));
    co_await me.next_step();
    me.receive(0, heard.some);
    me.send(0, pairs);
    co_await me.next_step();
    me.receive(0, heard.pairs);
    heard.number = theirs;
    co_await me.next_step();  // the neighbour may still read `pairs`, which goes with this program
}

Task exchange_twice(Node& me, std::span<const int> mine, std::span<int> theirs, int& sum)
{
    co_await me.exchange(0, mine, theirs);
    sum = mine[0] + theirs[0];
    int other = 0;
    co_await me.exchange(1, sum, other);
    theirs[0] = other;
}

}  // namespace

TEST_CASE("values, arrays, vectors and spans are sent and received as they stand in memory", "[emu]")
{
    Machine machine(Topology::hypercube(1), {.watch_lent_bytes = true});
    std::array<Heard, 2> heard;
    const Counts counts = machine.run([&](Node& me) { return talk(me, heard[me.id()]); });
    CHECK(heard[0].number == 8);
    CHECK(heard[1].number == 7);
    CHECK(heard[0].pair == Pair{3, 0.5});
    CHECK(heard[0].some == std::array{2, 3});
    CHECK(heard[0].pairs == std::vector<Pair>{{1, 1.5}, {2, 2.5}});
    CHECK(counts.bytes == 2 * (sizeof(int) + sizeof(Pair) + 2 * sizeof(int) + 2 * sizeof(Pair)));
}

TEST_CASE("a value of another size than the packet breaks the rule of sizes", "[emu][negative]")
{
    Machine machine(Topology::hypercube(1));
    const auto program = [](Node& me) -> Task {
        const double number = 1;
        me.send(0, number);
        co_await me.next_step();
        me.receive<float>(0);
    };
    CHECK_THROWS_WITH(machine.run(program), Catch::Contains("size-mismatch in step 2 at node 0, port 0"));
}

TEST_CASE("an exchange sends in the step in which it is awaited, and receives in the next", "[emu]")
{
    Machine machine(Topology::hypercube(2), {.ports = PortModel::one, .watch_lent_bytes = true});
    const std::array<int, 4> mine{1, 10, 100, 1000};
    std::array<int, 4> theirs{};
    std::array<int, 4> sums{};
    const Counts counts = machine.run([&](Node& me) {
        return exchange_twice(me, std::span(mine).subspan(me.id(), 1), std::span(theirs).subspan(me.id(), 1),
                              sums[me.id()]);
    });
    CHECK(sums == std::array{11, 11, 1100, 1100});
    CHECK(theirs == std::array{1100, 1100, 11, 11});
    CHECK(counts.steps == 2);
    CHECK(counts.transmissions == 8);
}

TEST_CASE("an exchange that is made early sends when it is awaited", "[emu]")
{
    Machine machine(Topology::hypercube(1));
    std::array<int, 2> mine{1, 1};
    std::array<int, 2> theirs{};
    const auto program = [&](Node& me) -> Task {
        auto exchange = me.exchange(0, mine[me.id()], theirs[me.id()]);
        mine[me.id()] = 2;
        co_await me.next_step();
        co_await exchange;
    };
    CHECK(machine.run(program).steps == 2);
    CHECK(theirs == std::array{2, 2});
}
