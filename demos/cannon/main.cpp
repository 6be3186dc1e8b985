// Cannon's matrix product (1969) on a 4x4 torus: node (r, c) has a block of A and one of B. They are skewed, row r of A
// by r to the left and column c of B by c upwards; then every node multiplies what it has, and passes it on, four
// times.
#include <dcube/dcube.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

using namespace dcube;

constexpr std::size_t p = 4;  // nodes per side
constexpr std::size_t b = 3;  // a block's rows and columns
using Block = std::array<std::array<std::int64_t, b>, b>;

// A block that travels round its row or column: the one place is lent while the next block comes to the other.
struct Travelling {
    std::array<Block, 2> places{};
    std::size_t now = 0;

    [[nodiscard]] const Block& block() const { return places[now]; }
};

struct Blocks {
    Travelling a;
    Travelling b;
    Block c{};
};

// Round the ring of that dimension, one down: sends the block, and says where the next one comes to.
void send_on(Node& me, unsigned dimension, const Travelling& blocks)
{
    me.send(me.port_to(dimension, -1), blocks.block());
}
void take_next(Node& me, unsigned dimension, Travelling& blocks)
{
    blocks.now = 1 - blocks.now;
    me.receive(me.port_to(dimension, +1), blocks.places[blocks.now]);
}

void multiply_and_add(const Block& x, const Block& y, Block& sum)
{
    for (std::size_t i = 0; i < b; ++i)
        for (std::size_t j = 0; j < b; ++j)
            for (std::size_t k = 0; k < b; ++k)
                sum[i][j] += x[i][k] * y[k][j];
}

Task cannon(Node& me, Blocks& own)
{
    const NodeId row = me.topology().digit(me.id(), 0);
    const NodeId column = me.topology().digit(me.id(), 1);
    me.phase("skew");
    for (NodeId shift = 1; shift < p; ++shift) {
        if (shift <= row)
            send_on(me, 1, own.a);
        if (shift <= column)
            send_on(me, 0, own.b);
        co_await me.next_step();
        if (shift <= row)
            take_next(me, 1, own.a);
        if (shift <= column)
            take_next(me, 0, own.b);
    }
    me.phase("multiply");
    for (std::size_t round = 1; round <= p; ++round) {
        multiply_and_add(own.a.block(), own.b.block(), own.c);
        if (round == p)
            break;
        send_on(me, 1, own.a);
        send_on(me, 0, own.b);
        co_await me.next_step();
        take_next(me, 1, own.a);
        take_next(me, 0, own.b);
    }
}

int main()
{
    constexpr std::size_t n = p * b;
    Machine machine(Topology::parse("torus:4x4"));
    std::vector<Blocks> memory(p * p);
    const auto of = [&](std::size_t r, std::size_t c) -> Blocks& { return memory[r / b * p + c / b]; };
    Random random(1);
    std::vector<std::int64_t> x(n * n);
    std::vector<std::int64_t> y(n * n);
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < n; ++c) {
            of(r, c).a.places[0][r % b][c % b] = x[r * n + c] = static_cast<std::int64_t>(random.below(100));
            of(r, c).b.places[0][r % b][c % b] = y[r * n + c] = static_cast<std::int64_t>(random.below(100));
        }

    const Counts counts = machine.run([&](Node& me) { return cannon(me, memory[me.id()]); });

    bool same = true;
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < n; ++c) {
            std::int64_t sum = 0;
            for (std::size_t k = 0; k < n; ++k)
                sum += x[r * n + k] * y[k * n + c];
            same = same && of(r, c).c[r % b][c % b] == sum;
        }
    std::printf("matrices of %zu x %zu: %u steps, %u packets\n", n, n, counts.steps,
                static_cast<unsigned>(counts.transmissions));
    for (const Phase& phase : counts.phases)
        std::printf("phase: %s, steps %u to %u\n", phase.name.c_str(), phase.first, phase.last);
    std::printf("the same as three loops: %s\n", same ? "yes" : "no");
    return same ? 0 : 1;
}
