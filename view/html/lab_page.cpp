#include "view/html/lab_page.hpp"

#include "view/html/built_page.hpp"
#include "view/html/page.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <zlib.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>

namespace dcube::view {

namespace {

// The page unpacks it with DecompressionStream("gzip"). The same bytes every time: no name and no date.
std::string gzipped(std::string_view bytes)
{
    constexpr int gzip = 15 + 16;  // the largest window, and gzip's frame
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // which zlib does not change
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const int end = deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    if (end != Z_STREAM_END)
        throw std::logic_error("zlib did not take all of the module");
    return packed;
}

std::string base64(std::string_view bytes)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto at = [&](std::size_t place) {
            return place < bytes.size() ? std::uint32_t{static_cast<unsigned char>(bytes[place])} : 0U;
        };
        const std::uint32_t three = at(i) << 16U | at(i + 1) << 8U | at(i + 2);
        for (unsigned k = 0; k < 4; ++k)
            text += i + k > bytes.size() ? '=' : digits[three >> (18U - 6U * k) & 63U];
    }
    return text;
}

std::string_view built(std::string_view page)
{
    if (page.empty())
        throw Error("this program was built without the lab: page/dist/lab.html and page/dist/lab.js are missing");
    return page;
}

// Puts `text` in the place of what the built page has there.
void fill(std::string& page, std::string_view mark, std::string_view text)
{
    const std::size_t at = page.find(mark);
    if (at == std::string::npos)
        throw std::logic_error(fmt::format("the built page has no {}", mark));
    page.replace(at, mark.size(), text);
}

}  // namespace

std::string lab_page(std::string_view module, std::string_view request)
{
    std::string page(built(built_lab_page()));
    fill(page, "<!--dcube:static-->",
         "<h1>dcube in the browser</h1>\n<p>The whole emulator runs in this page. It needs scripts and "
         "WebAssembly.</p>");
    fill(page, "<!--dcube:module-->",
         fmt::format("<script type=\"text/plain\" id=\"dcube-module\">{}</script>", base64(gzipped(module))));
    if (request != "{}")
        fill(page, R"({"kind":"lab"}</script>)",
             fmt::format(R"({{"kind":"lab","request":{}}}</script>)", script_text(request)));
    return page;
}

std::string lab_script(std::string_view module)
{
    return fmt::format("window.dcubeModule=\"{}\";\n{}", base64(gzipped(module)), built(built_lab_script()));
}

}  // namespace dcube::view
