// Answers of players as they go over the wire, byte by byte: data/answers/NAME.answer says what is to be made of one
// and, after the line of dashes, holds its bytes. Players of several families, most of which end header lines by bare
// line feeds, and every oddity met or thought of.
#include <gmock/gmock.h>

#include <map>

#include "machine/machine_games.h"
#include "player/fake_search.h"
#include "protocol/kif_text.h"
#include "protocol/pieces.h"
#include "protocol/raw_listener.h"
#include "protocol/remote_agent.h"

namespace stratagem::protocol {
namespace {

namespace fs = std::filesystem;
using player::Reply;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Listener;
using testing::Pieces;

constexpr std::string_view divider = "---------------- answer ----------------\n";

struct Capture {
    std::string name;
    std::map<std::string, std::string> fields;
    std::string bytes;

    std::string field(const std::string& key) const {
        const auto found = fields.find(key);
        return found == fields.end() ? "" : found->second;
    }
};

Capture read_capture(const fs::path& file) {
    const std::string content = gdl::testing::content_of(file);
    const std::size_t cut = content.find(divider);
    EXPECT_NE(cut, std::string::npos) << file;
    Capture capture{file.stem().string(), {}, content.substr(cut + divider.size())};
    std::istringstream lines(content.substr(0, cut));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.find(':');
        capture.fields[line.substr(0, colon)] = trimmed(line.substr(colon + 1));
    }
    return capture;
}

std::vector<Capture> captures() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(STRATAGEM_TEST_DIR) / "data" / "answers")) {
        files.push_back(entry.path());
    }
    std::ranges::sort(files);
    std::vector<Capture> result;
    for (const fs::path& file : files) result.push_back(read_capture(file));
    return result;
}

// Answers every message with these bytes.
class Player {
  public:
    Player(const Capture& capture, Pieces pieces)
        : listener_([&capture, pieces](int socket) {
              testing::hear_request(socket);
              for (const std::string_view piece : testing::cut(capture.bytes, pieces)) {
                  if (!testing::say_piece(socket, piece)) return;
              }
              if (capture.field("afterwards") == "stays") {
                  testing::await_hanging_up(socket);
              } else {
                  testing::end_of_talk(socket);
              }
          }) {}

    std::string url() const { return listener_.url(); }

  private:
    Listener listener_;
};

std::string kind_text(Reply::Kind kind) {
    switch (kind) {
        case Reply::Kind::move:
            return "move";
        case Reply::Kind::late:
            return "late";
        case Reply::Kind::unreachable:
            return "unreachable";
    }
    return "?";
}

void examine(const Capture& capture, Pieces pieces) {
    SCOPED_TRACE(capture.name + " in pieces of kind " + std::to_string(static_cast<int>(pieces)));
    const Player player(capture, pieces);
    RemoteAgent agent(player.url());
    const player::Clocks clocks{player::Seconds(60), player::Seconds(60)};
    Reply reply = agent.start(
        {"m1", player::testing::shared(machine::testing::bundled("tic_tac_toe")), machine::Role{0}, clocks});
    if (capture.field("to") == "PLAY") reply = agent.play({});
    EXPECT_EQ(kind_text(reply.kind), capture.field("kind")) << reply.problem;
    EXPECT_EQ(reply.move, capture.field("move"));
    if (capture.field("problem").empty()) {
        EXPECT_THAT(reply.problem, IsEmpty());
    } else {
        EXPECT_THAT(reply.problem, HasSubstr(capture.field("problem")));
    }
    agent.abort();
}

TEST(Answers, AreUnderstoodWhateverTheirForm) {
    const std::vector<Capture> all = captures();
    ASSERT_GE(all.size(), 40U);
    for (const Capture& capture : all) examine(capture, Pieces::whole);
}

TEST(Answers, AreUnderstoodLineByLine) {
    for (const Capture& capture : captures()) examine(capture, Pieces::lines);
}

TEST(Answers, AreUnderstoodByteByByte) {
    for (const Capture& capture : captures()) examine(capture, Pieces::bytes);
}

}  // namespace
}  // namespace stratagem::protocol
