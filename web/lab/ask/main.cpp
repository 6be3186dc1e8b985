// Asks a lab, for tests: a request is a line of standard input, its answer a line of standard output,
// {"ok": true or false, "results": {name: text}}. All requests are asked of one lab.

#include "web/lab/answers.hpp"
#include "web/lab/lab.hpp"

#include <iostream>

int main()
{
    dcube::lab::Lab lab;
    for (std::string line; std::getline(std::cin, line);) {
        const bool ok = lab.ask(line);
        std::cout << dcube::lab::written({{"ok", ok}, {"results", lab.results()}}) << std::endl;
    }
}
