#include "inspect/view/document/bound.hpp"

#include "inspect/explain/pages.hpp"
#include "inspect/view/layouts/layout.hpp"
#include "inspect/view/words/clean.hpp"
#include "inspect/view/words/gap.hpp"
#include "inspect/view/words/states.hpp"
#include "inspect/view/words/titles.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dcube::view {

namespace {

// The proof; none where nothing has to be done, and where times are not shown.
std::optional<explain::Proof> proof_of(const Film& film)
{
    const Recording& recording = film.recording;
    if (recording.free || (recording.problem.link.bound() && !film.timed()))
        return std::nullopt;
    explain::Proof proof = explain::proof_of({recording.topology, recording.ports, recording.problem});
    return proof.value.numerator == 0 ? std::nullopt : std::optional(std::move(proof));
}

std::string title_of_proof(const explain::Proof& proof)
{
    return proof.value.denominator == 1 ? proof.title : "Why no algorithm needs less than " + tenths_of_ns(proof.value);
}

Json lines_json(const explain::Proof& proof)
{
    using enum explain::ProofLine::About;
    Json lines = Json::array();
    for (const explain::ProofLine& line : proof.lines) {
        lines.push_back({{"words", clean(line.words, longest_sentence)}, {"number", line.number}});
        if (line.about != nothing)
            lines.back()["about"] = line.about == nodes ? "nodes" : "links";
    }
    if (proof.value.denominator != 1)
        lines.push_back({{"words", "that is"}, {"number", tenths_of_ns(proof.value)}});
    return lines;
}

std::vector<std::uint32_t> numbers_of(const std::vector<explain::BindingLink>& links, const Topology& topology)
{
    std::vector<std::uint32_t> told;
    if (links.empty())
        return told;
    const LinkNumbers numbers(topology);
    for (const explain::BindingLink& link : links)
        told.push_back(numbers(link.node, link.port));
    return told;
}

// Whole values as whole numbers.
Json number_json(const Rational& value)
{
    return value.denominator == 1 ? Json(value.numerator) : Json(value.to_double());
}

Json whole(double number)
{
    return number < 9e15 ? Json(static_cast<std::int64_t>(number)) : Json(number);
}

// Four to a digit, the first the highest bit.
std::string hex(const std::vector<bool>& bits)
{
    std::string text;
    for (std::size_t i = 0; i < bits.size(); i += 4) {
        unsigned digit = 0;
        for (std::size_t j = i; j < i + 4; ++j)
            digit = 2 * digit + (j < bits.size() && bits[j] ? 1 : 0);
        text += "0123456789abcdef"[digit];
    }
    return text;
}

// The sides of groups, where nodes are not drawn one by one; none if a group has nodes on both.
std::optional<std::vector<bool>> sides_of_groups(const Topology& topology, const std::vector<bool>& sending)
{
    const Groups groups = groups_of(topology);
    if (groups.names.empty())
        return std::nullopt;
    std::vector<std::optional<bool>> found(groups.names.size());
    for (NodeId node = 0; node < topology.nodes(); ++node) {
        std::optional<bool>& side = found[groups.of[node]];
        if (side && *side != sending[node])
            return std::nullopt;
        side = sending[node];
    }
    std::vector<bool> sides;
    sides.reserve(found.size());
    for (const std::optional<bool>& side : found)
        sides.push_back(side.value_or(false));
    return sides;
}

// The members of a picture in the document, except its kind; null if it is too large.
struct Told {
    const Topology& topology;

    static constexpr NodeId most_told = 128;  // node by node

    [[nodiscard]] Json operator()(const explain::CutPicture& cut) const
    {
        if (topology.nodes() <= most_told)
            return {{"sending", hex(cut.sending)}};
        const auto groups = sides_of_groups(topology, cut.sending);
        return groups ? Json{{"groups", hex(*groups)}} : Json();
    }
    [[nodiscard]] Json operator()(const explain::PortsPicture& ports) const
    {
        return {{"node", ports.node}, {"out", ports.out}};
    }
    [[nodiscard]] Json operator()(const explain::PartsPicture& parts) const
    {
        return topology.nodes() <= most_told ? Json{{"of", parts.part}} : Json();
    }
    [[nodiscard]] Json operator()(const explain::DistancePicture& distance) const
    {
        return {{"from", distance.from},
                {"to", distance.to},
                {"rate", distance.rate},
                {"out", distance.outwards},
                {"paths", distance.paths}};
    }
    [[nodiscard]] Json operator()(const explain::GrowthPicture& growth) const
    {
        return {{"root", growth.root}, {"first", growth.first}, {"reversed", growth.reversed}, {"most", growth.most}};
    }
    [[nodiscard]] Json operator()(const explain::AmountPicture& amount) const
    {
        return {{"per_step", amount.per_step}, {"prices", amount.prices}, {"by_distance", amount.by_distance}};
    }
    [[nodiscard]] Json operator()(const explain::TimePicture& time) const
    {
        return {{"start_up", time.start_up}, {"bytes", time.bytes}, {"more", time.more}, {"byte", time.byte}};
    }
};

Json picture_json(const explain::Proof& proof, const Topology& topology)
{
    if (!proof.picture)
        return nullptr;
    const Json told = std::visit(Told{topology}, *proof.picture);
    if (told.is_null())
        return nullptr;
    Json json{{"kind", explain::kind_of(*proof.picture)}, {"must", whole(proof.packets)}};
    json.update(told);
    return json;
}

}  // namespace

Json bound_json(const Film& film)
{
    const Recording& recording = film.recording;
    const std::optional<explain::Proof> shown = proof_of(film);
    if (!shown)
        return nullptr;
    const explain::Proof& proof = *shown;
    const bool achieved = (recording.report || recording.verdict) && !recording.ending;
    Json json{{"title", clean(title_of_proof(proof), longest_title)},
              {"value", number_json(proof.value)},
              {"unit", film.timed() ? "ns" : "steps"},
              {"met", achieved && reached(recording) == proof.value}};
    json["lines"] = lines_json(proof);
    json["links"] = numbers_of(proof.links, recording.topology);
    json["tally"] = nullptr;
    if (proof.tally && !proof.links.empty() && !film.is_of_one_node())  // the page counts on the links that bind
        json["tally"] = {{"words", clean(proof.tally->words, longest_title)}, {"total", proof.tally->total}};
    json["picture"] = picture_json(proof, recording.topology);
    const std::string gap = gap_sentence(recording);
    json["gap"] = gap.empty() ? Json() : Json(clean(gap, longest_sentence));
    const std::string after = hops_sentence(film);
    json["after"] = after.empty() ? Json() : Json(after);
    return json;
}

std::vector<std::uint32_t> binding_links(const Film& film)
{
    const std::optional<explain::Proof> proof = proof_of(film);
    return proof ? numbers_of(proof->links, film.recording.topology) : std::vector<std::uint32_t>{};
}

}  // namespace dcube::view
