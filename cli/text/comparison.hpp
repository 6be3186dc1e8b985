#pragma once
// Every algorithm for one collective, run on the same problems.

#include "cli/requests.hpp"

#include <dcube/machine.hpp>
#include <dcube/problem.hpp>
#include <dcube/report.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace dcube::cli {

/// One problem that the algorithms are compared on.
struct Question {
    Topology topology = Topology::hypercube(0);
    Problem problem{};
    MachineOptions machine{};
};

struct Contender {
    std::string name;  ///< as --algorithm takes it
    Report report;
    bool is_of_other_links;  ///< made for links that take one step per packet, and run on links that take time
};

struct Answer {
    Question question;
    std::vector<Contender> contenders;  ///< the best first
};

/// An algorithm that could not do it, at packets of the one to the other size, and why at the first.
struct LeftOut {
    std::string algorithm;
    std::string topology;
    std::size_t from;
    std::size_t to;
    std::string reason;
    std::size_t questions = 1;
};

/// A range of packet sizes in which an algorithm was the best.
struct BestRange {
    std::string topology;
    std::size_t packets;
    std::size_t from;
    std::size_t to;
    std::string algorithm;
};

struct Comparison {
    std::size_t questions = 0;    ///< that were asked
    std::vector<Answer> answers;  ///< of those that some algorithm could do
    std::vector<LeftOut> left_out;

    [[nodiscard]] std::vector<BestRange> best() const;
};

/// The algorithms of one problem, or the best one of each of several. There is at least one answer.
std::string comparison_text(const Comparison& comparison);

/// "3 algorithms left out: ...", in one line. There is at least one.
std::string left_out_text(const Comparison& comparison);

}  // namespace dcube::cli
