// peer-simgrid: an S4U actor for every node, and a mailbox for every directed link.
//
// Fair: the network model is "Constant", in which every message takes one second of simulated time and no bandwidth is
// shared out: the cheapest that SimGrid has, and the one nearest to dcube's steps. In a phase an actor starts all that
// it sends and receives at once, and then waits for each. SimGrid runs its actors on one core, one at a time. The
// platform and the actors exist before the time is taken, and meet at a barrier before and after it, as the threads of
// peer-threads do; one more actor takes the time.
// Unfair to it: it simulates platforms, with models of networks and hosts of which nothing is asked here.

#include "bench/peers/holdings.hpp"

#include <simgrid/s4u.hpp>
#include <xbt/log.h>

namespace sg4 = simgrid::s4u;

namespace {

// To be made, used and destroyed by an actor.
class Actors {
public:
    Actors(const peer::Arguments& arguments, const std::vector<sg4::Host*>& hosts)
        : d_(arguments.dim), bytes_(arguments.bytes), holdings_(arguments.nodes(), arguments.bytes),
          meeting_(sg4::Barrier::create(static_cast<unsigned>(arguments.nodes()) + 1))
    {
        for (std::size_t link = 0; link < arguments.nodes() * d_; ++link)
            links_.push_back(sg4::Mailbox::by_name("link-" + std::to_string(link)));
        for (std::size_t node = 0; node < arguments.nodes(); ++node)
            actors_.push_back(sg4::Actor::create("node", hosts[node], [this, node] { live(node); }));
        sg4::this_actor::sleep_for(1);  // until they wait at the barrier
    }
    ~Actors()
    {
        ended_ = true;
        meeting_->wait();
        for (const sg4::ActorPtr& actor : actors_)
            actor->join();
    }
    Actors(const Actors&) = delete;
    Actors& operator=(const Actors&) = delete;

    void fill() { holdings_.fill(); }
    void run()
    {
        meeting_->wait();  // all begin
        meeting_->wait();  // all have ended
    }
    [[nodiscard]] const std::byte* held(std::size_t target, std::size_t origin) const
    {
        return holdings_.held(target, origin);
    }

private:
    void live(std::size_t node)
    {
        while (true) {
            meeting_->wait();
            if (ended_)
                return;
            exchange(node);
            meeting_->wait();
        }
    }

    void exchange(std::size_t node)
    {
        const std::size_t nodes = holdings_.nodes();
        std::vector<std::byte*> arrived(nodes);
        for (unsigned k = 0; k < d_; ++k) {
            sg4::Mailbox* const out = links_[node * d_ + k];
            sg4::Mailbox* const in = links_[(node ^ std::size_t{1} << k) * d_ + k];
            std::vector<sg4::CommPtr> comms;
            peer::for_each_crossing(nodes, k, [&](std::size_t x) {
                comms.push_back(out->put_async(holdings_.give(node, x), bytes_));
                comms.push_back(in->get_async(&arrived[x]));
            });
            for (const sg4::CommPtr& comm : comms)
                comm->wait();
            peer::for_each_crossing(nodes, k, [&](std::size_t x) { holdings_.take(node, x, arrived[x]); });
        }
    }

    unsigned d_;
    std::size_t bytes_;
    peer::Holdings holdings_;
    sg4::BarrierPtr meeting_;
    std::vector<sg4::Mailbox*> links_;  // by the sender and its port
    std::vector<sg4::ActorPtr> actors_;
    bool ended_ = false;  // written before a meeting, read after it
};

peer::Result measured(const peer::Arguments& arguments)
{
    std::string name = "peer-simgrid";
    std::string quiet = "--log=root.thresh:error";
    std::array words{name.data(), quiet.data()};
    auto count = static_cast<int>(words.size());
    sg4::Engine engine(&count, words.data());
    sg4::Engine::set_config("network/model:Constant");

    auto* const zone = sg4::create_star_zone("cube");
    std::vector<sg4::Host*> hosts;
    for (std::size_t node = 0; node < arguments.nodes(); ++node)
        hosts.push_back(zone->create_host("node-" + std::to_string(node), 1e9));
    zone->seal();
    peer::Result result;
    sg4::Actor::create("clock", hosts.front(), [&] {
        Actors actors(arguments, hosts);
        result = peer::measured(actors, arguments);
    });
    engine.run();
    return result;
}

}  // namespace

int main(int argc, char** argv)
{
    return peer::main("simgrid", argc, argv, {{"actors", measured}});
}
