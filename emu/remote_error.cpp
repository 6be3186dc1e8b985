#include "emu/remote_error.hpp"

#include "emu/byte_stream.hpp"

#include <dcube/error.hpp>

#include <cstdint>
#include <new>
#include <optional>
#include <string_view>

namespace dcube::detail {

namespace {

enum class Kind : std::uint8_t { other, argument, verification, interrupted, rule, program, memory };

struct ErrorWriter : ValueWriter {
    void put_error(Kind kind, std::string_view text)
    {
        put(kind);
        put_text(text);
    }
    void put_error(const RuleViolation& error)
    {
        put_error(Kind::rule, error.detail);
        put(error.rule);
        put(error.step);
        put(error.node);
        put(error.port);
        put(error.packet);
    }
    void put_error(const InvalidArgument& error)
    {
        put_error(Kind::argument, error.why);
        put_text(error.about);
        put_text(error.given);
        put(error.is_sentence);
    }
    void put_error(const ProgramError& error)
    {
        put_error(Kind::program, error.detail);
        put(error.step);
        put(error.node);
    }
};

std::exception_ptr violation_in(ValueReader& reader, const std::string& text)
{
    const auto rule = reader.get<Rule>();
    const auto step = reader.get<std::uint32_t>();
    const auto node = reader.get<std::uint32_t>();
    RuleViolation violation(rule, step, node, reader.get<std::uint32_t>(), text);
    violation.packet = reader.get<std::optional<RuleViolation::Packet>>();
    return std::make_exception_ptr(violation);
}

std::exception_ptr refusal_in(ValueReader& reader, const std::string& why)
{
    const std::string about = reader.get_text();
    const std::string given = reader.get_text();
    const bool is_sentence = reader.get<bool>();
    return std::make_exception_ptr(is_sentence ? InvalidArgument(about, why) : InvalidArgument(about, given, why));
}

std::exception_ptr program_error_in(ValueReader& reader, const std::string& text)
{
    const auto step = reader.get<std::uint32_t>();
    return std::make_exception_ptr(ProgramError(step, reader.get<std::uint32_t>(), text));
}

}  // namespace

std::string what_of(const std::exception_ptr& error)
{
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& exception) {
        return exception.what();
    } catch (...) {
        return "an exception that is not a std::exception";
    }
}

std::vector<std::byte> encoded(const std::exception_ptr& error)
{
    if (!error)
        return {};
    ErrorWriter writer;
    try {
        std::rethrow_exception(error);
    } catch (const RuleViolation& violation) {
        writer.put_error(violation);
    } catch (const ProgramError& failed) {
        writer.put_error(failed);
    } catch (const InvalidArgument& refused) {
        writer.put_error(refused);
    } catch (const VerificationError& wrong) {
        writer.put_error(Kind::verification, wrong.what());
    } catch (const Interrupted& interrupted) {
        writer.put_error(Kind::interrupted, interrupted.what());
    } catch (const std::bad_alloc& memory) {
        writer.put_error(Kind::memory, memory.what());
    } catch (...) {
        writer.put_error(Kind::other, what_of(error));
    }
    return writer.bytes();
}

std::exception_ptr decoded(std::span<const std::byte> message)
{
    if (message.empty())
        return {};
    ValueReader reader(message);
    const auto kind = reader.get<Kind>();
    const std::string text = reader.get_text();
    switch (kind) {
    case Kind::rule: return violation_in(reader, text);
    case Kind::program: return program_error_in(reader, text);
    case Kind::argument: return refusal_in(reader, text);
    case Kind::verification: return std::make_exception_ptr(VerificationError(text));
    case Kind::interrupted: return std::make_exception_ptr(Interrupted());
    case Kind::memory: return std::make_exception_ptr(std::bad_alloc());
    case Kind::other: break;
    }
    return std::make_exception_ptr(Error(text));
}

}  // namespace dcube::detail
