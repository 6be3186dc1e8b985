#pragma once
// The fields of a problem and of links as they are given, by options of the program or by keys of a request; the
// problem, the links and the algorithm that they make, and what does not go together. Errors are about keys.

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
#include <variant>
#include <vector>

namespace dcube {

/// Throws InvalidArgument: none was given, and which there are.
[[noreturn]] void refuse_no_collective();

/// The same of a network.
[[noreturn]] void refuse_no_network();

/// Throws InvalidArgument if the field has no meaning for the collective.
void require_field(const ProblemField& field, Collective collective);

/// A value as it was given: a text, or what needs no reading.
using GivenValue = std::variant<std::string, std::uint64_t, bool, std::vector<std::uint64_t>, std::vector<std::string>>;

/// The value as an option of the program takes it.
std::string to_text(const GivenValue& value);

/// Values for fields of a problem.
class GivenFields {
public:
    /// Reads the file of a list that is given as "@FILE".
    using ListFile = std::function<std::vector<std::uint32_t>(const ProblemField& field, const std::string& name,
                                                              Collective, const Topology&)>;
    /// Whether the size of a matrix must be given.
    enum class Size : std::uint8_t { said, open };

    explicit GivenFields(ListFile file = {}) : file_(std::move(file)) {}

    /// Throws InvalidArgument for a value that is wrong on every network.
    void add(const ProblemField& field, GivenValue value);
    [[nodiscard]] bool has(std::string_view key) const { return value_of(key) != nullptr; }
    /// The field's value as a text; none if no value was given.
    [[nodiscard]] std::optional<std::string> text_of(std::string_view key) const;

    /// Puts the value of one field into the problem; false if no value was given. The seed is that of a random
    /// permutation, or of counts by a law. Throws InvalidArgument for a value that is wrong on this network.
    bool put(std::string_view key, Problem& problem, const Topology& topology, std::uint64_t seed) const;

    /// Throws InvalidArgument if one of them has no meaning for the collective.
    void reject_foreign(Collective collective) const;

    /// The problem that they make, not yet validated. Throws InvalidArgument for a value that is missing, or wrong on
    /// this network.
    [[nodiscard]] Problem problem(Collective collective, const Topology& topology, std::uint64_t seed,
                                  Size size = Size::said) const;

    /// The tuning of these values. Throws InvalidArgument if one is given for the unit model, or is out of the
    /// network's range.
    [[nodiscard]] Tuning tuning(const LinkModel& link, const Topology& topology) const;

private:
    struct Given {
        const ProblemField* field;
        GivenValue value;
    };

    [[nodiscard]] const GivenValue* value_of(std::string_view key) const;
    void put(const Given& given, Problem& problem, const Topology& topology, std::uint64_t seed) const;
    [[nodiscard]] std::vector<std::uint32_t> list(const Given& given, Collective collective, const Topology& topology,
                                                  std::uint64_t seed) const;
    void complete_ends(const Topology& topology, Problem& problem) const;
    void complete_matrix(Size size, Problem& problem) const;

    std::vector<Given> given_;
    ListFile file_;
};

/// The values that describe the links.
struct GivenLinks {
    std::optional<LinkKind> kind{};
    std::optional<Rational> tau{};
    std::optional<Rational> beta{};
    std::optional<std::string> machine{};
    std::optional<LinkClock> clock{};
    std::optional<Duplex> duplex{};

    /// The links of a machine of this network, whose nodes have these ports. Links that have times of their own are
    /// link-bound, and if all have, tau and beta need not be given. Throws InvalidArgument for values of the link-bound
    /// model with the unit model, if one of those that it needs is missing, and where Topology::links() does.
    [[nodiscard]] LinkModel model(const Topology& topology, PortModel ports) const;
    /// The known links, changed where the values say otherwise. Values of the link-bound model make them link-bound.
    [[nodiscard]] LinkModel over(LinkModel known) const;

private:
    [[nodiscard]] LinkModel unit_model(const Topology& topology, PortModel ports) const;
};

/// The list that a text in a file, or another place, writes down: a permutation, or counts.
std::vector<std::uint32_t> parse_list(const ProblemField& field, std::string_view text, Collective collective,
                                      const Topology& topology);

/// Throws InvalidArgument if there is no such algorithm for it, or if it has no use for what the tuning chooses.
const Entry& require_algorithm(const Topology& topology, PortModel ports, const Problem& problem,
                               const std::string& algorithm);

}  // namespace dcube
