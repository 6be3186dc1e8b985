#pragma once
// The times of a trace under the link-bound model: in whole ticks, as long as a packet takes, and one packet after the
// other on every link; under the lockstep clock also one step after the other.

#include "judge/trace_line.hpp"

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace dcube {

class LinkTimes {
public:
    /// Throws InvalidArgument for a tau or beta that no ticks fit.
    LinkTimes(const LinkModel& link, const Topology& topology);

    /// Works out the record's ticks; the link exists, and steps do not go back. Throws TraceError.
    void require_kept(Record& record);

    /// When the last packet has arrived.
    [[nodiscard]] Rational last() const { return last_; }

private:
    [[nodiscard]] Time ticks(const Record& record, std::string_view key, const std::optional<Rational>& time) const;
    [[nodiscard]] Rational in_ns(Time ticks) const;
    void require_duration(const Record& record) const;
    void require_free_link(const Record& record);
    void require_lockstep(const Record& record);

    Topology topology_;
    LinkModel link_;
    std::uint64_t ticks_per_ns_;
    Time tau_;  // in ticks
    Time beta_;
    std::vector<Time> free_;  // since when each directed link is
    Step step_ = 0;           // lockstep: the running one
    Time began_ = 0;          // when it began
    Time ends_ = 0;           // when the last packet so far has arrived
    Rational last_{};
};

}  // namespace dcube
