#pragma once
// The times of a trace under the link-bound model: in whole ticks, as long as a packet takes, and one packet after the
// other on every link.

#include "judge/trace_reader.hpp"

#include <dcube/link.hpp>

#include <string_view>
#include <vector>

namespace dcube {

class LinkTimes {
public:
    /// Throws InvalidArgument for a tau or beta that no ticks fit.
    LinkTimes(const LinkModel& link, const Topology& topology);

    /// Works out the record's ticks; the link exists. Throws TraceError.
    void require_kept(Record& record);

    /// When the last packet has arrived.
    [[nodiscard]] Rational last() const { return last_; }

private:
    [[nodiscard]] Time ticks(const Record& record, std::string_view key, const std::optional<Rational>& time) const;
    void require_duration(const Record& record) const;

    Topology topology_;
    LinkModel link_;
    std::uint64_t ticks_per_ns_;
    Time tau_;  // in ticks
    Time beta_;
    std::vector<Time> free_;  // since when each directed link is
    Rational last_{};
};

}  // namespace dcube
