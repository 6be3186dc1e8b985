#pragma once
// Options that describe the problem, shared by several commands.

#include "cli/shared_options.hpp"
#include "run/question.hpp"

#include <dcube/collective.hpp>
#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace dcube::cli {

/// The collective and what belongs to it, but for its links and tuning.
class ProblemOptions {
public:
    enum class Reductions : std::uint8_t { without_operation, with_operation };  ///< whether there is --operation

    enum class Named : std::uint8_t { as_argument, as_option };  ///< how the collective is: COLLECTIVE, or --collective

    ProblemOptions(CLI::App& app, Sweep sweep, Reductions reductions, Named named = Named::as_argument);
    ProblemOptions(const ProblemOptions&) = delete;
    ProblemOptions& operator=(const ProblemOptions&) = delete;

    /// Throws InvalidArgument: no collective, or options that do not apply to it.
    [[nodiscard]] Collective collective() const;

    /// The problems, not yet validated: one for each number of packets and size. Throws InvalidArgument for a value
    /// that is missing or out of the topology's range.
    [[nodiscard]] std::vector<Problem> problems(const Topology& topology) const;
    [[nodiscard]] Problem problem(const Topology& topology) const { return problems(topology).front(); }

    /// The collective that was named, if one was.
    [[nodiscard]] const std::optional<Collective>& named() const { return given_.collective; }

    /// `problem` with all in it that the options say; its collective is the one that they must apply to. Throws
    /// InvalidArgument as problems() does.
    [[nodiscard]] Problem over(Problem problem, const Topology& topology) const;

    /// Puts what a key's option says into `problem`; false if it is no key of a problem's field, or is not given.
    bool put(std::string_view key, Problem& problem, const Topology& topology) const;

    /// Throws InvalidArgument: options that do not apply to the collective.
    void reject_foreign(Collective collective) const;

    [[nodiscard]] bool has_bytes() const
    {
        return std::ranges::any_of(swept_, [](const Swept& one) { return one.field->key == "bytes"; });
    }
    [[nodiscard]] bool has_type() const { return given_.fields.has("type"); }
    [[nodiscard]] bool has_seed() const { return seed_.has_value(); }
    [[nodiscard]] bool has_random_list() const;
    [[nodiscard]] std::uint64_t seed() const { return seed_.value_or(1); }
    [[nodiscard]] bool has_ports() const { return ports_.has_value(); }
    [[nodiscard]] PortModel ports() const { return ports_.value_or(PortModel::all); }
    /// A matrix' file may say how large it is.
    void allow_unknown_size() { size_ = GivenFields::Size::open; }

private:
    /// A field with its values, at least one.
    struct Swept {
        const ProblemField* field;
        std::vector<std::uint64_t> values;
    };

    Given given_;               // but for fields that are swept
    std::vector<Swept> swept_;  // the first varies fastest
    std::optional<PortModel> ports_;
    std::optional<std::uint64_t> seed_;
    GivenFields::Size size_ = GivenFields::Size::said;
};

}  // namespace dcube::cli
