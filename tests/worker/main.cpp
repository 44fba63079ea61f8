// The test program is its own worker: started with that word, it does what the command `stratagem worker` does.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>

#include "worker/host.h"

namespace {

// Crashes where the first order is to play one of the recipes in STRATAGEM_CRASHING_RECIPES, "uct nex".
void crash_if_told_to_play_badly(int socket) {
    const char* names = std::getenv("STRATAGEM_CRASHING_RECIPES");
    if (names == nullptr) return;
    std::string order(std::size_t{1} << 18, '\0');
    std::string_view seen;
    while (seen.find('\n') == std::string_view::npos) {
        const ssize_t count = ::recv(socket, order.data(), order.size(), MSG_PEEK);
        if (count <= 0) return;
        seen = std::string_view(order).substr(0, static_cast<std::size_t>(count));
    }
    constexpr std::string_view field = "\"recipe\":\"";
    const std::size_t at = seen.find(field);
    if (at == std::string_view::npos) return;
    const std::string_view recipe =
        seen.substr(at + field.size(), seen.find('"', at + field.size()) - at - field.size());
    const std::string list = " " + std::string(names) + " ";
    if (!recipe.empty() && list.find(" " + std::string(recipe) + " ") != std::string::npos) std::raise(SIGSEGV);
}

}  // namespace

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
        crash_if_told_to_play_badly(settings.socket);
        stratagem::worker::run_host(settings);
    }
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
