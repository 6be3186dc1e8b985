// A program whose nodes share a variable without a word to each other: ThreadSanitizer must report it. So its silence
// about all other tests means something.

#include <dcube/machine.hpp>

#include <cstdio>

using namespace dcube;

namespace {

int shared = 0;

Task races(Node& me)
{
    for (Step step = 0; step < 200; ++step) {
        shared += static_cast<int>(me.id());
        co_await me.next_step();
    }
}

}  // namespace

int main()
{
    Machine machine(Topology::hypercube(12), {.threads = 2});
    machine.run(races);
    std::printf("%d\n", shared);
}
