// peer-simgrid: an S4U actor for every node, and a mailbox for every directed link.
//
// Fair: the network model is "Constant", in which every message takes one second of simulated time and no bandwidth is
// shared out: the cheapest that SimGrid has, and the one nearest to dcube's steps. In a phase an actor starts all that
// it sends and receives at once, and then waits for each. SimGrid runs its actors on one core, one at a time.
// Unfair to it: it simulates platforms, with models of networks and hosts of which nothing is asked here. The time to
// start the actors is in what is measured, as the start of a run is in dcube's.

#include "bench/peers/holdings.hpp"

#include <simgrid/s4u.hpp>
#include <xbt/log.h>

namespace sg4 = simgrid::s4u;

namespace {

class Actors {
public:
    Actors(const peer::Arguments& arguments, sg4::Engine& engine)
        : d_(arguments.dim), bytes_(arguments.bytes), holdings_(arguments.nodes(), arguments.bytes), engine_(engine)
    {
        auto* const zone = sg4::create_star_zone("cube");
        for (std::size_t node = 0; node < arguments.nodes(); ++node)
            hosts_.push_back(zone->create_host("node-" + std::to_string(node), 1e9));
        zone->seal();
        for (std::size_t link = 0; link < arguments.nodes() * d_; ++link)
            links_.push_back(sg4::Mailbox::by_name("link-" + std::to_string(link)));
    }

    void fill() { holdings_.fill(); }
    void run()
    {
        for (std::size_t node = 0; node < hosts_.size(); ++node)
            sg4::Actor::create("node", hosts_[node], [this, node] { exchange(node); });
        engine_.run();
    }
    [[nodiscard]] const std::byte* held(std::size_t target, std::size_t origin) const
    {
        return holdings_.held(target, origin);
    }

private:
    void exchange(std::size_t node)
    {
        const std::size_t nodes = hosts_.size();
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
    sg4::Engine& engine_;
    std::vector<sg4::Host*> hosts_;
    std::vector<sg4::Mailbox*> links_;  // by the sender and its port
};

}  // namespace

int main(int argc, char** argv)
{
    return peer::main("simgrid", argc, argv, {{"actors", [](const peer::Arguments& arguments) {
                                                   std::string name = "peer-simgrid";
                                                   std::string quiet = "--log=root.thresh:error";
                                                   std::array words{name.data(), quiet.data()};
                                                   auto count = static_cast<int>(words.size());
                                                   sg4::Engine engine(&count, words.data());
                                                   sg4::Engine::set_config("network/model:Constant");
                                                   Actors actors(arguments, engine);
                                                   return peer::measured(actors, arguments);
                                               }}});
}
