// Replaying barriers. Packets are empty: what they say follows from who sent them and when (heard.hpp). A node may be
// told what it knows.

#include "judge/heard.hpp"
#include "judge/ledger.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

#include <memory>

namespace dcube {

namespace {

class SignalLedger : public Ledger {
public:
    SignalLedger(const Problem& problem, const Topology& topology)
        : topology_(topology), heard_(topology, problem.link.kind)
    {
    }

    void carry(const Record& record, const Piece&) override
    {
        if (!record.lost)
            heard_.carry(record.step, record.from, record.to, record.start, record.end);
    }

    [[nodiscard]] bool brings(const Record&, const PacketBytes&) const override { return false; }

    void end_step() override {}  // arrivals know in which step they came

    void require_complete(const Excused& excused) const override
    {
        for (NodeId node = 0; node < topology_.nodes(); ++node)
            if (topology_.is_member(node) && !excused(node))
                if (const auto other = heard_.first_unheard(node))
                    throw TraceError(
                        0, fmt::format("at the end node {} has not heard that node {} has begun", node, *other));
    }

private:
    Topology topology_;
    Heard heard_;
};

}  // namespace

std::unique_ptr<Ledger> make_signal_ledger(const Problem& problem, const Topology& topology)
{
    return std::make_unique<SignalLedger>(problem, topology);
}

}  // namespace dcube
