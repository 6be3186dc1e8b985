#pragma once
// IdleTraffic: a machine that is not running moves no packets.

#include "emu/traffic.hpp"

#include <dcube/error.hpp>

namespace dcube::detail {

class IdleTraffic final : public Traffic {
public:
    enum Manner { complaining, quiet };  // quiet: while tasks are destroyed, whose destructors must not throw

    explicit IdleTraffic(Manner manner) : manner_(manner) {}

    void send(NodeState&, Port, const Parcel&, Usable) override { complain(); }
    BorrowedPacket receive(NodeState&, Port) override { return complain(), BorrowedPacket{}; }
    BorrowedParts receive_joined(NodeState&, Port) override { return complain(), BorrowedParts{}; }
    Packet receive(NodeState&, Port, std::span<std::byte>) override { return complain(), Packet{}; }
    Packet receive(NodeState&, Port, std::span<std::byte>, std::span<const std::byte>, Combine) override
    {
        return complain(), Packet{};
    }
    [[nodiscard]] BorrowedPacket peek(NodeState&, Port) const override { return complain(), BorrowedPacket{}; }
    [[nodiscard]] bool arrived(const NodeState&, Port) const override { return complain(), false; }
    [[nodiscard]] bool has_room(const NodeState&, Port) const override { return complain(), false; }
    [[nodiscard]] bool alive(const NodeState&, Port) const override { return complain(), false; }

private:
    void complain() const
    {
        if (manner_ == complaining)
            throw InvalidArgument("a node sends and receives in its program, while the machine is running it");
    }

    Manner manner_;
};

// Made before they are needed: there may be no memory then.
inline Traffic& idle_traffic(IdleTraffic::Manner manner)
{
    static IdleTraffic complaining(IdleTraffic::complaining);
    static IdleTraffic quiet(IdleTraffic::quiet);
    return manner == IdleTraffic::quiet ? quiet : complaining;
}

}  // namespace dcube::detail
