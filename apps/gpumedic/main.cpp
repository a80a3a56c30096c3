#include <csignal>
#include <string>
#include <vector>

#include "cli.h"
#include "commands.h"
#include "exit_codes.h"
#include "output.h"

int main(int argc, char** argv) {
    using namespace gpumedic;
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write(2), which output.cpp knows
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    const auto arguments = cli::parse_arguments(words);
    if (!arguments) {
        cli::print_error(arguments.error());
        return cli::kUsage;
    }
    return cli::run(*arguments);
}
