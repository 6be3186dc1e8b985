#include "view/document/bound.hpp"

#include "base/numbers.hpp"
#include "explain/pages.hpp"
#include "view/words/clean.hpp"
#include "view/words/states.hpp"
#include "view/words/titles.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace dcube::view {

namespace {

// None where nothing has to be done, and where times are not shown.
std::optional<explain::Proof> proof_of(const Film& film)
{
    const Recording& recording = film.recording;
    if (recording.problem.link.bound() && !film.timed())
        return std::nullopt;
    explain::Proof proof = explain::proof_of({recording.topology, recording.ports, recording.problem});
    return proof.value.numerator == 0 ? std::nullopt : std::optional(std::move(proof));
}

// The whole nanoseconds of a time: fractions are dropped.
std::string whole_ns(const Rational& value)
{
    return grouped(static_cast<std::uint64_t>(value.numerator / value.denominator)) + " ns";
}

std::string title_of_proof(const explain::Proof& proof)
{
    return proof.value.denominator == 1 ? proof.title : "Why no algorithm needs less than " + whole_ns(proof.value);
}

Json lines_json(const explain::Proof& proof)
{
    Json lines = Json::array();
    for (const explain::ProofLine& line : proof.lines)
        lines.push_back({{"words", clean(line.words, longest_sentence)}, {"number", line.number}});
    if (proof.value.denominator != 1)
        lines.push_back({{"words", "that is"}, {"number", whole_ns(proof.value)}});
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

}  // namespace

Json bound_json(const Film& film)
{
    const Recording& recording = film.recording;
    const std::optional<explain::Proof> shown = proof_of(film);
    if (!shown)
        return nullptr;
    const explain::Proof& proof = *shown;
    const bool achieved = recording.report || recording.verdict;
    Json json{{"title", clean(title_of_proof(proof), longest_title)},
              {"value", number_json(proof.value)},
              {"unit", film.timed() ? "ns" : "steps"},
              {"met", achieved && reached(recording) == proof.value}};
    json["lines"] = lines_json(proof);
    json["links"] = numbers_of(proof.links, recording.topology);
    json["tally"] = nullptr;
    if (proof.tally && !proof.links.empty())  // the page counts on the links that bind
        json["tally"] = {{"words", clean(proof.tally->words, longest_title)}, {"total", proof.tally->total}};
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
