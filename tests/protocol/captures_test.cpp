// Exchanges as they went over the wire, byte by byte: data/NAME.http holds a request and, after the line of dashes, the
// reply. They are one conversation, in the order of their names. Set STRATAGEM_REGENERATE to write the replies anew.
#include <fstream>
#include <set>

#include "protocol/pieces.h"
#include "protocol/serving.h"

namespace stratagem::protocol {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view divider = "\r\n---------------- reply ----------------\r\n";

// The fields of a head, in whatever order, without the words behind the status.
std::set<std::string> fields(const testing::RawReply& reply) {
    std::set<std::string> result;
    std::size_t at = reply.head.find("\r\n");
    while (at != std::string::npos) {
        const std::size_t end = reply.head.find("\r\n", at + 2);
        result.insert(reply.head.substr(at + 2, end == std::string::npos ? end : end - at - 2));
        at = end;
    }
    return result;
}

std::vector<fs::path> conversation() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(STRATAGEM_TEST_DIR) / "data")) {
        if (entry.path().extension() == ".http") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

std::string said_in_pieces(int port, std::string_view request, testing::Pieces pieces) {
    testing::RawClient client(port);
    client.send_at_once();
    for (const std::string_view piece : testing::cut(request, pieces)) {
        if (!client.say(piece)) break;
    }
    // A head without an empty line ends with the connection; how silence ends one, see server_test.cpp.
    if (request.find("\n\n") == std::string_view::npos && request.find("\r\n\r\n") == std::string_view::npos) {
        client.half_close();
    }
    return client.hear();
}

void repeat_conversation(testing::Pieces pieces) {
    const std::vector<fs::path> files = conversation();
    ASSERT_GE(files.size(), 10U);
    const char* flag = std::getenv("STRATAGEM_REGENERATE");
    // A pause between two pieces, on a busy computer, is no silence.
    ServerSettings settings = testing::quick_settings();
    settings.limits.silence_time = settings.limits.request_time = std::chrono::minutes(10);
    testing::Serving serving(settings);
    for (const fs::path& file : files) {
        const std::string content = gdl::testing::content_of(file);
        const std::size_t cut = content.find(divider);
        ASSERT_TRUE(cut != std::string::npos || flag != nullptr) << file;
        const std::string request = content.substr(0, cut);
        const std::string reply = said_in_pieces(serving.port(), request, pieces);
        if (flag != nullptr) {
            std::ofstream(file, std::ios::binary) << request << divider << reply;
        } else {
            const testing::RawReply now = testing::parsed(reply);
            const testing::RawReply then = testing::parsed(content.substr(cut + divider.size()));
            EXPECT_EQ(now.status, then.status) << file;
            EXPECT_EQ(now.body, then.body) << file;
            EXPECT_EQ(fields(now), fields(then)) << file;
        }
    }
}

TEST(Captures, AreAnsweredAsBefore) { repeat_conversation(testing::Pieces::whole); }

TEST(Captures, AreAnsweredLineByLine) { repeat_conversation(testing::Pieces::lines); }

TEST(Captures, AreAnsweredByteByByte) { repeat_conversation(testing::Pieces::bytes); }

}  // namespace
}  // namespace stratagem::protocol
