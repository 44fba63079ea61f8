// The test program is its own worker: started with that word, it does what the command `stratagem worker` does.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <string_view>

#include "worker/host.h"

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "worker") {
        // A crash shall be one under sanitizers too, which would turn it into a report and an exit code.
        std::signal(SIGSEGV, SIG_DFL);
        stratagem::worker::HostSettings settings;
        for (int i = 2; i + 1 < argc; i += 2) {
            const auto value = std::strtoul(argv[i + 1], nullptr, 10);
            if (std::string_view(argv[i]) == "--parent") settings.parent = static_cast<pid_t>(value);
            if (std::string_view(argv[i]) == "--memory") settings.megabytes = value;
        }
        stratagem::worker::run_host(settings);
    }
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
