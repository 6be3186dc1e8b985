#include "inspect/view/html/lab_page.hpp"

#include "inspect/view/document/base64.hpp"
#include "inspect/view/document/deflated.hpp"
#include "inspect/view/html/built_page.hpp"
#include "inspect/view/html/page.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>

namespace dcube::view {

namespace {

// The module, packed for the page. The same bytes every time: there is no name and no date in it.
std::string packed(std::string_view module)
{
    return base64(deflated({module.begin(), module.end()}));
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
    std::string page(built_lab_page());
    fill(page, "<!--dcube:static-->",
         "<h1>dcube in the browser</h1>\n<p>The whole emulator runs in this page. It needs scripts and "
         "WebAssembly.</p>");
    fill(page, "<!--dcube:module-->",
         fmt::format("<script type=\"text/plain\" id=\"dcube-module\">{}</script>", packed(module)));
    if (request != "{}")
        fill(page, R"({"kind":"lab"}</script>)",
             fmt::format(R"({{"kind":"lab","request":{}}}</script>)", script_text(request)));
    return page;
}

std::string lab_script(std::string_view module)
{
    return fmt::format("window.dcubeModule=\"{}\";\n{}", packed(module), built_lab_script());
}

}  // namespace dcube::view
