#pragma once
// The keys of a trace's lines: which there are, what values they may have, and where those belong in a Record.

#include "judge/trace_line.hpp"

#include <dcube/link.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dcube {

/// A key of a transmission or of a piece. Its value is a whole number, but for "pieces" and "sum_of", which are lists,
/// and "lost", which is true or false.
struct TraceField {
    enum class Presence : std::uint8_t {
        required,
        may_be_missing,  ///< what the rest says: complete_line() fills it in
        may_be_missing_or_null,
    };

    std::string_view key;
    Presence presence;
    std::uint64_t largest = 0;                            ///< number
    void (*store)(Record&, std::uint64_t) = nullptr;      ///< puts the number into the record, or its last piece
    std::optional<Rational> Record::*fraction = nullptr;  ///< where "5/2" belongs, if that is allowed too
    bool Record::*truth = nullptr;                        ///< where true or false belongs

    [[nodiscard]] bool is_number() const { return store != nullptr; }
    [[nodiscard]] bool is_truth() const { return truth != nullptr; }
    [[nodiscard]] bool is_list() const { return !is_number() && !is_truth(); }
    [[nodiscard]] bool takes_null() const { return presence == Presence::may_be_missing_or_null; }
    /// "a whole number from 0 to 4294967295 or null".
    [[nodiscard]] std::string allowed() const;
};

std::span<const TraceField> transmission_fields();
std::span<const TraceField> piece_fields();

/// "5/2", in lowest terms; nothing if the text is none of this kind.
std::optional<Rational> parse_fraction(std::string_view text);

/// An object while it is read: which of its keys are known, which have come, and which one's value is next.
class ObjectFields {
public:
    explicit ObjectFields(std::span<const TraceField> fields) : fields_(fields) {}

    void begin() { seen_ = 0; }

    /// False if the key came twice.
    bool key(std::string_view text);

    /// The key whose value is next; null if it is none of ours.
    [[nodiscard]] const TraceField* field() const { return now_ < fields_.size() ? &fields_[now_] : nullptr; }

    /// A key that should have come; null if none is missing.
    [[nodiscard]] const TraceField* missing() const;

private:
    std::span<const TraceField> fields_;
    std::size_t now_ = 0;
    unsigned seen_ = 0;
};

}  // namespace dcube
