#pragma once
// The table in a frame: a row a node, what it sends over each port in this step, and what it then has.

#include "cli/text/colour.hpp"
#include "view/film/film.hpp"
#include "view/film/holdings.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace dcube::cli {

/// What is sent in a step, by sender and port.
class PortPackets {
public:
    PortPackets(const view::Film& film, Step step);

    /// "2>1 -> 3": from node 2 to node 1, now to node 3; "-" where nothing is sent.
    [[nodiscard]] std::string text(NodeId node, Port port) const;
    /// Whether what is sent ends where it belongs.
    [[nodiscard]] bool arrives(NodeId node, Port port) const;
    [[nodiscard]] std::size_t sent_by(NodeId node) const;

private:
    const view::Film& film_;
    std::map<std::pair<NodeId, Port>, std::size_t> flights_;
};

/// Of at most 16 nodes, those that send most, and as many ports as fit. `after` is when the step is over.
std::string frame_table(const view::Film& film, const view::Holdings& after, const PortPackets& packets,
                        std::size_t width, Colour colour);

}  // namespace dcube::cli
