#include "tests/support/npy_files.hpp"

#include "tests/support/catch.hpp"

#include <dcube/error.hpp>

#include <span>

namespace dcube::test {

using namespace std::string_literals;

std::string npy_file(int major, const std::string& dictionary, const std::string& elements)
{
    std::string file = "\x93NUMPY"s + static_cast<char>(major) + '\0';
    for (unsigned i = 0; i < (major == 1 ? 2U : 4U); ++i)
        file += static_cast<char>(dictionary.size() >> 8 * i & 0xff);
    return file + dictionary + elements;
}

std::string npy_with(const std::string& dictionary)
{
    return npy_file(1, dictionary, std::string(4, 'x'));
}

cli::NpyArray read_npy(std::string_view file, const std::string& name)
{
    const std::vector<char> exact(file.begin(), file.end());  // allocated to its size, so that a sanitizer sees the end
    return cli::parse_npy(std::as_bytes(std::span(exact)), name);
}

std::string npy_complaint(std::string_view file, const std::string& name)
{
    try {
        read_npy(file, name);
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "accepted";
}

void check_npy_read(std::string_view file, ElementType type, const Shape& shape, bool fortran_order)
{
    CAPTURE(npy_complaint(file));
    const cli::NpyArray array = read_npy(file);
    CHECK(array.type == type);
    CHECK(array.shape == shape);
    CHECK(array.fortran_order == fortran_order);
}

void check_npy_refused(std::string_view file, const std::string& part)
{
    const std::string message = npy_complaint(file);
    CAPTURE(message);
    CHECK(message.starts_with("a.npy: "));
    CHECK_THAT(message, Catch::Contains(part));
    for (const char c : message)
        CHECK((c >= ' ' && c <= '~'));
}

}  // namespace dcube::test
