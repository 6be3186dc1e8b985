#include "inspect/view/svg/places.hpp"

#include <algorithm>

namespace dcube::view {

namespace {

constexpr double shares[] = {.62, .58, .66, .54, .70, .50, .74, .46, .78, .42, .34};
constexpr double packet_gap = .5;  // between two packets
constexpr unsigned rounds = 3;     // in each, every packet looks again at where the others are

bool covers(Point centre, double reach, const Box& box)
{
    const double x = std::max({box.left - centre.x, 0.0, centre.x - box.right});
    const double y = std::max({box.top - centre.y, 0.0, centre.y - box.bottom});
    return x * x + y * y < reach * reach;
}

class Placing {
public:
    Placing(const Stage& stage, const FrameMark& frame) : stage_(stage), frame_(frame)
    {
        for (const PacketMark& packet : frame.packets)
            lanes_.push_back(stage.lane(packet.link, stage.reach(packet) + .6));
        for (std::size_t i = 0; i < lanes_.size(); ++i)
            places_.of.push_back(along(lanes_[i], frame.packets[i].reached.value_or(shares[0])));
    }

    Places place()
    {
        for (unsigned round = 0; round < rounds; ++round)
            for (std::size_t i = 0; i < lanes_.size(); ++i)
                if (!frame_.packets[i].faint && !frame_.packets[i].reached)
                    move(i);
        for (std::size_t i = 0; i < lanes_.size(); ++i)
            places_.covered += !frame_.packets[i].faint && covered_by(i, places_.of[i].at) > 0 ? 1 : 0;
        return std::move(places_);
    }

private:
    void move(std::size_t packet)
    {
        double least = 1e9;
        for (const double share : shares) {
            const Place place = along(lanes_[packet], share);
            const double cost = covered_by(packet, place.at);
            if (cost < least) {
                least = cost;
                places_.of[packet] = place;
            }
            if (cost == 0)
                return;
        }
    }

    // The cost of the objects that a packet there covers: packets count most.
    [[nodiscard]] double covered_by(std::size_t packet, Point centre) const
    {
        const double reach = stage_.reach(frame_.packets[packet]);
        double cost = 0;
        for (std::size_t other = 0; other < lanes_.size(); ++other) {
            if (other == packet || frame_.packets[other].faint)
                continue;
            const double apart = reach + stage_.reach(frame_.packets[other]) + packet_gap;
            const double distance = length(centre - places_.of[other].at);
            cost += distance < apart ? 1 + 2 * (apart - distance) / apart : 0;
        }
        for (NodeId node = 0; node < stage_.fitted.nodes.size(); ++node) {
            cost += covers(centre, reach, stage_.node_box(node)) ? .9 : 0;
            cost += covers(centre, .8 * reach, stage_.label_box(node)) ? .8 : 0;
        }
        return cost;
    }

    const Stage& stage_;
    const FrameMark& frame_;
    std::vector<Lane> lanes_;
    Places places_;
};

}  // namespace

Places places_of(const Stage& stage, const FrameMark& frame)
{
    return Placing(stage, frame).place();
}

}  // namespace dcube::view
