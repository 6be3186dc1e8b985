// peer-threads: a std::thread for every node, and for every directed link a boost::lockfree::spsc_queue.
//
// Fair: the threads exist before the time is taken, and meet at a barrier before and after it. A queue holds all the
// blocks that cross a link, so that no thread waits before it has sent all it has. A thread that has to wait yields:
// with more threads than cores, spinning alone would keep the thread that it waits for from running. There are no
// steps; dcube's clock is work that this program does not do.
// Unfair to it: with as many threads as nodes the kernel is the scheduler. That is what this peer is here to show.

#include "base/threads.hpp"
#include "bench/peers/holdings.hpp"

#include <boost/lockfree/spsc_queue.hpp>

#include <barrier>
#include <memory>
#include <thread>

namespace {

class Threads {
public:
    explicit Threads(const peer::Arguments& arguments)
        : d_(arguments.dim), holdings_(arguments.nodes(), arguments.bytes),
          meeting_(static_cast<std::ptrdiff_t>(arguments.nodes()) + 1)
    {
        const std::size_t nodes = arguments.nodes();
        for (std::size_t link = 0; link < nodes * d_; ++link)
            links_.push_back(std::make_unique<Link>(nodes / 2));
        for (std::size_t node = 0; node < nodes; ++node)
            threads_.emplace_back([this, node] { live(node); });
    }
    ~Threads()
    {
        ended_ = true;
        meeting_.arrive_and_wait();
    }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    void fill() { holdings_.fill(); }
    void run()
    {
        meeting_.arrive_and_wait();  // all begin
        meeting_.arrive_and_wait();  // all have ended
    }
    [[nodiscard]] const std::byte* held(std::size_t target, std::size_t origin) const
    {
        return holdings_.held(target, origin);
    }

private:
    using Link = boost::lockfree::spsc_queue<std::byte*>;

    void live(std::size_t node)
    {
        while (true) {
            meeting_.arrive_and_wait();
            if (ended_)
                return;
            exchange(node);
            meeting_.arrive_and_wait();
        }
    }

    void exchange(std::size_t node)
    {
        for (unsigned k = 0; k < d_; ++k) {
            Link& out = *links_[node * d_ + k];
            Link& in = *links_[(node ^ std::size_t{1} << k) * d_ + k];
            peer::for_each_crossing(holdings_.nodes(), k, [&](std::size_t x) {
                while (!out.push(holdings_.give(node, x)))
                    std::this_thread::yield();
            });
            peer::for_each_crossing(holdings_.nodes(), k, [&](std::size_t x) {
                std::byte* block = nullptr;
                while (!in.pop(block))
                    std::this_thread::yield();
                holdings_.take(node, x, block);
            });
        }
    }

    unsigned d_;
    peer::Holdings holdings_;
    std::vector<std::unique_ptr<Link>> links_;  // by the sender and its port
    std::barrier<> meeting_;
    bool ended_ = false;  // written before a meeting, read after it
    std::vector<dcube::detail::JoiningThread> threads_;
};

}  // namespace

int main(int argc, char** argv)
{
    return peer::main("threads", argc, argv, {{"spsc", [](const peer::Arguments& arguments) {
                                                   Threads threads(arguments);
                                                   return peer::measured(threads, arguments);
                                               }}});
}
