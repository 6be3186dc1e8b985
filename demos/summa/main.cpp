// A matrix product by groups (after van de Geijn and Watts' SUMMA, 1997) on a 4x4 torus: node (r, c) has a block of A
// and one of B. An all-gather within every row brings it row r of A, one within every column brings it column c of B;
// what is left needs no packet. Cannon's algorithm (demos/cannon) needs less memory, and more steps.
#include <dcube/dcube.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

using namespace dcube;

constexpr std::size_t p = 4;  // nodes per side
constexpr std::size_t b = 3;  // a block's rows and columns
using Block = std::array<std::array<std::int64_t, b>, b>;

// A node's memory. What is gathered is passed on, too, so it outlives the program.
struct Blocks {
    Block a{};
    Block b{};
    Block c{};
    std::array<Block, p> row{};     // of A, by ranks
    std::array<Block, p> column{};  // of B
};

void multiply_and_add(const Block& x, const Block& y, Block& sum)
{
    for (std::size_t i = 0; i < b; ++i)
        for (std::size_t j = 0; j < b; ++j)
            for (std::size_t k = 0; k < b; ++k)
                sum[i][j] += x[i][k] * y[k][j];
}

Task summa(Node& me, const Prepared& in_rows, const Prepared& in_columns, Blocks& own)
{
    me.phase("rows");
    co_await in_rows(me, own.a, own.row);
    me.phase("columns");
    co_await in_columns(me, own.b, own.column);
    for (std::size_t k = 0; k < p; ++k)
        multiply_and_add(own.row[k], own.column[k], own.c);
}

int main()
{
    constexpr std::size_t n = p * b;
    Machine machine(Topology::parse("torus:4x4"));
    const Group columns = Group::of(machine.topology(), {0});  // nodes that differ in their first digit, the row
    const Group rows = Group::of(machine.topology(), {1});
    const Problem all_gather{.collective = Collective::all_gather, .bytes = sizeof(Block)};
    const Prepared in_rows(machine, rows, all_gather);
    const Prepared in_columns(machine, columns, all_gather);

    std::vector<Blocks> memory(p * p);
    const auto of = [&](std::size_t r, std::size_t c) -> Blocks& {
        return memory[rows.node(static_cast<NodeId>(r / b), static_cast<NodeId>(c / b))];
    };
    Random random(1);
    std::vector<std::int64_t> x(n * n);
    std::vector<std::int64_t> y(n * n);
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < n; ++c) {
            of(r, c).a[r % b][c % b] = x[r * n + c] = static_cast<std::int64_t>(random.below(100));
            of(r, c).b[r % b][c % b] = y[r * n + c] = static_cast<std::int64_t>(random.below(100));
        }

    const Counts counts = machine.run([&](Node& me) { return summa(me, in_rows, in_columns, memory[me.id()]); });

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
