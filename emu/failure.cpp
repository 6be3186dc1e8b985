#include "emu/failure.hpp"

#include <dcube/error.hpp>

namespace dcube::detail {

Failure Failure::of_program(const std::exception_ptr& error, Step step, NodeId node)
{
    try {
        try {
            std::rethrow_exception(error);
        } catch (const std::exception& exception) {
            std::throw_with_nested(ProgramError(step, node, exception.what()));
        } catch (...) {
            std::throw_with_nested(ProgramError(step, node, "an exception that is no std::exception"));
        }
    } catch (const ProgramError&) {
        return {step, node, std::current_exception()};
    }
}

}  // namespace dcube::detail
