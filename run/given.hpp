#pragma once
// What is given of a question, as texts: by options of the program, or by keys of a request. The problem, the links and
// the algorithm that it makes, and what does not go together; complaints name the options.

#include "collectives/problem_fields.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/collective.hpp>
#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube {

/// Throws InvalidArgument: none was given, and which there are.
[[noreturn]] void refuse_no_collective();

/// The same of a network.
[[noreturn]] void refuse_no_network();

/// Throws InvalidArgument if the field has no meaning for the collective.
void require_field(const ProblemField& field, Collective collective);

/// Texts for fields of a problem.
class GivenFields {
public:
    /// Reads the file of a permutation that is given as "@FILE".
    using PermutationFile = std::function<std::vector<NodeId>(const std::string& name, const Topology&)>;
    /// Whether it must be said how large a matrix is.
    enum class Size : std::uint8_t { said, open };

    explicit GivenFields(PermutationFile file = {}) : file_(std::move(file)) {}

    /// Throws InvalidArgument for what is wrong on every network.
    void add(const ProblemField& field, const std::string& text);
    [[nodiscard]] std::optional<std::string> text_of(std::string_view key) const;

    /// Puts what one field was given into the problem; false if it was given nothing. The seed is that of a random
    /// permutation. Throws InvalidArgument for what is wrong on this network.
    bool put(std::string_view option, Problem& problem, const Topology& topology, std::uint64_t seed) const;

    /// Throws InvalidArgument if one of them has no meaning for the collective.
    void reject_foreign(Collective collective) const;

    /// The problem that they make, not yet validated. Throws InvalidArgument: what is missing, or not of this network.
    [[nodiscard]] Problem problem(Collective collective, const Topology& topology, std::uint64_t seed,
                                  Size size = Size::said) const;

    /// What they say of the tuning. Throws InvalidArgument where one is given for the unit model, or is out of the
    /// network's range.
    [[nodiscard]] Tuning tuning(const LinkModel& link, const Topology& topology) const;

private:
    struct Given {
        const ProblemField* field;
        std::string text;
    };

    void put(const Given& given, Problem& problem, const Topology& topology, std::uint64_t seed) const;
    [[nodiscard]] std::vector<NodeId> permutation(const Topology& topology, std::uint64_t seed) const;
    void complete_ends(const Topology& topology, std::uint64_t seed, Problem& problem) const;
    void complete_matrix(Size size, Problem& problem) const;

    std::vector<Given> given_;
    PermutationFile file_;
};

/// What is said of the links.
struct GivenLinks {
    std::optional<LinkKind> kind{};
    std::optional<Rational> tau{};
    std::optional<Rational> beta{};
    std::optional<std::string> machine{};
    std::optional<LinkClock> clock{};

    /// Throws InvalidArgument: what is of the link-bound model with the unit model, or not all that it needs.
    [[nodiscard]] LinkModel model() const;

private:
    [[nodiscard]] LinkModel unit_model() const;
};

/// Throws InvalidArgument where the port model does not go with the links.
void require_ports(PortModel ports, const LinkModel& link);

/// Throws InvalidArgument if there is no such algorithm for it, or if it has no use for what the tuning chooses.
const Entry& require_algorithm(const Topology& topology, PortModel ports, const Problem& problem,
                               const std::string& algorithm);

}  // namespace dcube
