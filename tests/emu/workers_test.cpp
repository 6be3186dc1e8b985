// Threads of a machine's own, as builds without oneTBB have them, and those that this build borrows.

#include "base/threads.hpp"
#include "emu/own/workers.hpp"
#include "tests/support/catch.hpp"

#include <dcube/machine.hpp>

#include <atomic>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace dcube;
using namespace dcube::detail;

namespace {

// One loan, in which all threads that are asked for are waited for. Returns which they were.
std::set<std::thread::id> threads_of_loan(OwnWorkers& workers, unsigned count)
{
    std::vector<std::thread::id> came(count);
    std::atomic<unsigned> number = 0;
    const std::function<void()> work = [&] {
        came.at(number++) = std::this_thread::get_id();
        while (number < count)  // so that no thread comes twice
            yield();
    };
    workers.begin(count, work);
    while (number < count)
        yield();
    workers.end();
    return {came.begin(), came.end()};
}

// Come for every step, also for those that are not worth their while.
class AlwaysOwn final : public Workers {
public:
    explicit AlwaysOwn(unsigned threads) : own_(threads) {}
    [[nodiscard]] unsigned most() const override { return own_.most(); }
    [[nodiscard]] bool always() const override { return true; }
    void begin(unsigned count, const std::function<void()>& work) override { own_.begin(count, work); }
    void end() override { own_.end(); }

private:
    OwnWorkers own_;
};

}  // namespace

TEST_CASE("own workers: each thread comes once to a loan, and the same ones come to later loans", "[emu]")
{
    for (const unsigned count : {1U, 2U, 3U, 7U}) {
        CAPTURE(count);
        OwnWorkers workers(count + 1);
        CHECK(workers.most() == count + 1);
        CHECK_FALSE(workers.always());
        const std::set<std::thread::id> first = threads_of_loan(workers, count);
        CHECK(first.size() == count);
        CHECK_FALSE(first.contains(std::this_thread::get_id()));
        CHECK(threads_of_loan(workers, count) == first);
    }
}

TEST_CASE("own workers: a loan may ask for fewer threads than one before, or for more", "[emu]")
{
    OwnWorkers workers(6);
    CHECK(threads_of_loan(workers, 2).size() == 2);
    CHECK(threads_of_loan(workers, 5).size() == 5);
    CHECK(threads_of_loan(workers, 1).size() == 1);
}

TEST_CASE("own workers: the end waits for those that came, and not for those that did not", "[emu]")
{
    OwnWorkers workers(5);
    for (int loan = 0; loan < 200; ++loan) {
        unsigned came = 0;  // guarded by the mutex
        unsigned left = 0;
        Mutex mutex;
        const std::function<void()> work = [&] {
            {
                const std::lock_guard lock(mutex);
                ++came;
            }
            yield();
            const std::lock_guard lock(mutex);
            ++left;
        };
        workers.begin(4, work);
        workers.end();
        CHECK(came <= 4);  // no lock: all that they did is before the end
        CHECK(left == came);
    }
}

TEST_CASE("own workers: none is started that no loan asks for, and a machine may be gone at once", "[emu]")
{
    const OwnWorkers unused(4);
    OwnWorkers asked_for_none(4);
    const std::function<void()> work = [] { throw std::logic_error("nobody was asked for"); };
    asked_for_none.begin(0, work);
    asked_for_none.end();
}

TEST_CASE("own workers: a machine's counts are those of one thread", "[emu]")
{
    const Topology cube = Topology::hypercube(8);
    const std::byte sent{};  // lent until the step in which it is received has ended
    const auto steps = [&](const MachineOptions& options) {
        Machine machine(cube, options);
        const Machine::Program program = [&](Node& me) -> Task {
            for (Port port = 0; port < me.ports(); ++port) {
                me.send(port, sent);
                co_await me.next_step();
                me.receive(port);
            }
        };
        std::vector<std::uint64_t> all;
        for (int run = 0; run < 20; ++run) {
            const Counts counts = machine.run(program);
            all.insert(all.end(), {counts.steps, counts.transmissions});
        }
        return all;
    };
    const auto one = steps({.threads = 1});
    for (const unsigned threads : {2U, 4U})
        CHECK(steps({.threads = threads, .workers = std::make_shared<AlwaysOwn>(threads)}) == one);
}

TEST_CASE("workers: no more are borrowed than there are processors, and at least the caller is one", "[emu]")
{
    CHECK(borrow_workers(1)->most() == 1);
    CHECK(borrow_workers(100'000)->most() >= 1);
    CHECK(borrow_workers(100'000)->most() <= hardware_threads());
}
