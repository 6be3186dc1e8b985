#pragma once
// The cells of a benchmark's document, as far as figures want them.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::view {

/// What names a cell, in the order of labels.
enum Variable : std::size_t {
    collective_name,
    algorithm_name,
    network_name,
    message_size,
    thread_count,
    root_node,
    summed,
    other_options,
    port_model,
    link_model,
    packet_count,
    channel_kind,
    pinning,
    variable_count
};

using CellNames = std::array<std::string, variable_count>;  // "": not said
using Interval = std::array<double, 2>;

struct BenchCell {
    CellNames names;
    double nodes = 0;
    double threads = 0;
    double median = 0;                ///< seconds, as all times here
    std::optional<double> dimension;  ///< of a hypercube
    std::optional<double> bytes, size_bytes, speed_up, link_bytes_per_second, ns_per_hop, limit;
    std::optional<Interval> interval, speed_up_interval;
};

struct BenchCells {
    std::string command;
    std::string source;  ///< program, processor, date
    bool weak = false;   ///< networks grow with the threads
    std::vector<BenchCell> cells;
};

/// Throws InvalidArgument if it is no benchmark's document.
BenchCells bench_cells(std::string_view json);

/// "64 B", "4 KiB".
std::string short_size(double bytes);

/// What is not empty, with commas.
std::string listed(const std::vector<std::string>& parts, std::string_view between = ", ");

}  // namespace dcube::view
