#pragma once
// The one list of keys of a benchmark's document: what is written, what stands in docs/report.md, and what a reader
// demands, is made of it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dcube::measure {

/// The kinds of values under a key.
enum class BenchValue : std::uint8_t {
    text,
    text_or_null,
    exact_or_null,  ///< a number, or a fraction as text
    number,
    number_or_null,
    positive,  ///< a number above 0
    whole,     ///< not negative
    whole_or_null,
    flag,
    interval,  ///< two numbers, ascending
    interval_or_null,
    texts,      ///< an array of them
    positives,  ///< an array of numbers above 0, perhaps none
    intervals,  ///< an array of them
    part,       ///< an object; what is in it has keys of its own here, or another list elsewhere
    part_or_null,
    parts,  ///< an array of such objects
    parts_or_null,
};

/// The documents that have the key.
enum class BenchKey : std::uint8_t {
    always,
    variable,  ///< always, and cells differ in it: it was chosen, not measured
    later,     ///< not those of older versions of dcube
};

/// Both: `BenchValue::flag | BenchKey::later`.
struct BenchRule {
    constexpr BenchRule(BenchValue what, BenchKey where = BenchKey::always) : value(what), stands(where) {}

    BenchValue value;
    BenchKey stands;
};
constexpr BenchRule operator|(BenchValue value, BenchKey stands)
{
    return {value, stands};
}

struct BenchField {
    std::string key;  ///< "cells.median_seconds": the key of each element of cells
    std::string_view unit;
    std::string_view about;
    BenchValue value;
    BenchKey stands;
};

/// The fields in the order of the document; a part stands before its members.
std::span<const BenchField> bench_fields();

}  // namespace dcube::measure
