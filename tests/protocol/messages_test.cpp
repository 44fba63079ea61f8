#include "protocol/messages.h"

#include <gmock/gmock.h>

#include "gdl/game_files.h"
#include "machine/random.h"
#include "protocol/kif_text.h"
#include "protocol/message_text.h"
#include "protocol/player_reply.h"
#include "protocol/request_head.h"
#include "protocol/translation.h"

namespace stratagem::protocol {
namespace {

using machine::Random;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <typename Kind>
Kind read_as(std::string_view text) {
    const MessageResult result = read_message(text);
    EXPECT_TRUE(result.ok()) << text << "\n" << result.fault;
    if (!result.ok() || !std::holds_alternative<Kind>(*result.message)) {
        ADD_FAILURE() << text << " is another message";
        return {};
    }
    return std::get<Kind>(*result.message);
}

std::string fault_of(std::string_view text) {
    const MessageResult result = read_message(text);
    EXPECT_FALSE(result.ok()) << text;
    EXPECT_LE(result.at, text.size());
    return result.fault;
}

TEST(Messages, AreReadWhateverTheirCaseAndSpaces) {
    for (const std::string_view text :
         {"(INFO)", "( info )", "(info)\r\n", " \t( Info\n)", "; hello\n(INFO)", "INFO", "info\n"}) {
        read_as<InfoMessage>(text);
    }
    EXPECT_EQ(read_as<AbortMessage>("( ABORT Match.1 )").match, "match.1");
}

TEST(Messages, StartHasRulesAndClocks) {
    const auto start =
        read_as<StartMessage>("(START M.1 XPlayer ((role xplayer) (<= (p ?X) (q ?X)) ; (((\n terminal) 30 10)");
    EXPECT_EQ(start.match, "m.1");
    EXPECT_EQ(start.role, "xplayer");
    EXPECT_EQ(start.rules, "(role xplayer) (<= (p ?X) (q ?X)) ; (((\n terminal");
    EXPECT_EQ(start.start_clock, 30);
    EXPECT_EQ(start.play_clock, 10);
    EXPECT_EQ(read_as<PreviewMessage>("(preview ((role a)) 5)").rules, "(role a)");
}

TEST(Messages, PlayHasJointMovesInNormalForm) {
    EXPECT_THAT(read_as<PlayMessage>("(PLAY m1 NIL)").report.moves, IsEmpty());
    EXPECT_THAT(read_as<PlayMessage>("(PLAY m1 ())").report.moves, IsEmpty());
    EXPECT_THAT(read_as<PlayMessage>("( PLAY m1 ( NOOP ( MARK 1 ( S  0 ) ) (noop) ) )").report.moves,
                ElementsAre("noop", "(mark 1 (s 0))", "noop"));
    EXPECT_THAT(read_as<StopMessage>("(STOP m1 ((a 1) b))").report.moves, ElementsAre("(a 1)", "b"));
}

TEST(Messages, PlayOfIncompleteInformationHasTurnMoveAndPercepts) {
    const TurnReport report = read_as<PlayMessage>("(PLAY m1 3 (Mark 1 1) ((sees A) b))").report;
    ASSERT_TRUE(report.sight);
    EXPECT_EQ(report.sight->turn, 3U);
    EXPECT_EQ(report.sight->own_move, "(mark 1 1)");
    EXPECT_THAT(report.sight->percepts, ElementsAre("(sees a)", "b"));
    const TurnReport first = read_as<PlayMessage>("(PLAY m1 0 NIL NIL)").report;
    EXPECT_TRUE(first.sight && first.sight->own_move.empty() && first.sight->percepts.empty());
}

TEST(Messages, FaultsSayWhatIsWrong) {
    EXPECT_THAT(fault_of(""), HasSubstr("nothing"));
    EXPECT_THAT(fault_of("()"), HasSubstr("empty"));
    EXPECT_THAT(fault_of("(PLAY m1 NIL"), HasSubstr("1 ')' missing"));
    EXPECT_THAT(fault_of("(PLAY m1 NIL))"), HasSubstr("behind the message"));
    EXPECT_THAT(fault_of("(DANCE m1)"), HasSubstr("'dance' is no message"));
    EXPECT_THAT(fault_of("((INFO))"), HasSubstr("must be a word"));
    EXPECT_THAT(fault_of("(PLAY m1)"), HasSubstr("the form is (PLAY"));
    EXPECT_THAT(fault_of("(PLAY (m 1) NIL)"), HasSubstr("match must be a word"));
    EXPECT_THAT(fault_of("(PLAY m1 noop)"), HasSubstr("list or NIL"));
    EXPECT_THAT(fault_of("(PLAY m1 x noop ())"), HasSubstr("turn must be a number"));
    EXPECT_THAT(fault_of("(START m1 x ((role x)) ten 10)"), HasSubstr("start clock must be a number"));
    EXPECT_THAT(fault_of("(START m1 x ((role x)) 10 -1)"), HasSubstr("play clock must be a number"));
    EXPECT_THAT(fault_of("(START m1 x ((role x)) inf 1)"), HasSubstr("start clock"));
    EXPECT_THAT(fault_of("(START m1 x rules 10 10)"), HasSubstr("rules must be a list"));
    EXPECT_THAT(fault_of(std::string_view("(PLAY m1 \0)", 11)), HasSubstr("no place"));
    EXPECT_EQ(read_message("(INFO) x").at, 7U);
}

TEST(Messages, DepthAndLengthAreBounded) {
    EXPECT_THAT(fault_of("(PLAY m1 (" + std::string(100'000, '(')), HasSubstr("deep"));
    EXPECT_THAT(fault_of("(PLAY m1 (" + std::string(2 * max_short_message, 'a') + "))"), HasSubstr("too many"));
    std::string many = "(PLAY m1 (";
    for (int i = 0; i < 5000; ++i) many += "a ";
    EXPECT_THAT(fault_of(many + "))"), HasSubstr("more than"));
    read_as<StartMessage>("(START m1 x (" + std::string(2 * max_short_message, 'a') + ") 1 1)");
}

// Messages drawn at random, printed, with blanks and upper case thrown in, and read again.
class Drawn {
  public:
    explicit Drawn(std::uint64_t seed) : random_(seed, 1) {}

    std::string word() {
        static constexpr std::string_view letters = "abcdefgxyz0123456789.-_+*";
        std::string text = "w";
        for (std::uint32_t i = random_.below(8); i > 0; --i) text += letters[random_.below(letters.size())];
        return text;
    }
    std::string term(int depth = 0) {
        if (depth > 3 || random_.below(2) == 0) return word();
        std::string text = "(" + word();
        for (std::uint32_t i = 1 + random_.below(3); i > 0; --i) text += " " + term(depth + 1);
        return text + ")";
    }
    std::vector<std::string> terms() {
        std::vector<std::string> result(random_.below(4));
        for (std::string& one : result) one = term();
        return result;
    }
    double clock() { return random_.below(2) == 0 ? random_.below(1000) : random_.below(10'000) / 128.0; }
    TurnReport report() {
        if (random_.below(2) == 0) return {terms(), {}};
        return {{}, Sight{random_.below(100), random_.below(3) == 0 ? "" : term(), terms()}};
    }
    Message message() {
        switch (random_.below(6)) {
            case 0:
                return InfoMessage{};
            case 1:
                return PreviewMessage{term() + " " + term(), clock()};
            case 2:
                return StartMessage{word(), term(), term() + "\n" + term(), clock(), clock()};
            case 3:
                return PlayMessage{word(), report()};
            case 4:
                return StopMessage{word(), report()};
            default:
                return AbortMessage{word()};
        }
    }
    // The same message, written by somebody else. Not for rules, which are kept as they are.
    std::string disguised(std::string text) {
        std::string result;
        for (const char c : text) {
            if (c == '(' || c == ')' || c == ' ') result += blanks();
            result += random_.below(2) == 0 ? static_cast<char>(std::toupper(c)) : c;
            if (c == '(' || c == ')' || c == ' ') result += blanks();
        }
        return result;
    }
    // One byte changed, lost, doubled or moved.
    std::string damaged(std::string text) {
        for (std::uint32_t i = 1 + random_.below(3); i > 0 && !text.empty(); --i) {
            const std::size_t at = random_.below(static_cast<std::uint32_t>(text.size()));
            switch (random_.below(4)) {
                case 0:
                    text[at] = static_cast<char>(random_.below(256));
                    break;
                case 1:
                    text.erase(at, 1 + random_.below(5));
                    break;
                case 2:
                    text.insert(at, text.substr(at, 1 + random_.below(5)));
                    break;
                default:
                    text.resize(at);
            }
        }
        return text;
    }

  private:
    std::string blanks() {
        static constexpr std::string_view kinds = " \t\r\n";
        std::string text;
        for (std::uint32_t i = random_.below(3); i > 0; --i) text += kinds[random_.below(kinds.size())];
        return text;
    }

    Random random_;
};

TEST(Messages, AreReadAsTheyWerePrinted) {
    Drawn drawn(1);
    for (int i = 0; i < 2000; ++i) {
        const Message message = drawn.message();
        const std::string text = to_text(message);
        const MessageResult again = read_message(text);
        ASSERT_TRUE(again.ok()) << text << "\n" << again.fault;
        EXPECT_EQ(*again.message, message) << text << "\n" << to_text(*again.message);
        if (std::holds_alternative<PreviewMessage>(message) || std::holds_alternative<StartMessage>(message)) continue;
        const std::string other = drawn.disguised(text);
        const MessageResult same = read_message(other);
        ASSERT_TRUE(same.ok()) << other << "\n" << same.fault;
        EXPECT_EQ(*same.message, message) << other;
    }
}

TEST(Messages, DamagedOnesAreReadOrRefused) {
    Drawn drawn(2);
    int refused = 0;
    for (int i = 0; i < 20'000; ++i) {
        const std::string text = drawn.damaged(to_text(drawn.message()));
        const MessageResult result = read_message(text);
        if (result.ok()) {
            const MessageResult again = read_message(to_text(*result.message));
            ASSERT_TRUE(again.ok()) << text;
            // Rules may hold anything, such as a comment that a line end must follow.
            EXPECT_EQ(*again.message, *result.message) << text;
        } else {
            ++refused;
            EXPECT_FALSE(result.fault.empty());
            EXPECT_LE(result.at, text.size());
        }
    }
    EXPECT_GT(refused, 1000);
}

TEST(Messages, InfoRepliesAreReadInBothForms) {
    const PlayerInfo list = read_info_reply("( (Name Rook) (STATUS Available) (species alien))");
    EXPECT_EQ(list.name, "Rook");
    EXPECT_EQ(list.status, "available");
    EXPECT_EQ(read_info_reply("BUSY\n").status, "busy");
    EXPECT_EQ(read_info_reply("").status, "");
    EXPECT_EQ(read_info_reply("((((").status, "");
}

TEST(KifText, HasOneFormForEachTerm) {
    EXPECT_EQ(normal_form(" NOOP "), "noop");
    EXPECT_EQ(normal_form("((A))"), "a");
    EXPECT_EQ(normal_form("( f (A) ( (g 1)) ( ) ; x\n B)"), "(f a ((g 1)) () b)");
    EXPECT_EQ(normal_form("a)b(("), "a) b ((");
    EXPECT_EQ(one_line("a\nb\x01", 10), "a b?");
    EXPECT_EQ(one_line("aä\u00e4", 4), "aä…");
}

TEST(KifText, IsTrimmedOfWhatMeansNothing) {
    EXPECT_EQ(trimmed(std::string_view("\xEF\xBB\xBF \r\n a b\t\0\n\0", 14)), "a b");
    EXPECT_EQ(trimmed(std::string_view("\0", 1)), "");
    EXPECT_EQ(trimmed(""), "");
}

TEST(PlayerReply, IsOneWordOrList) {
    for (const char* text :
         {"(mark 1 2)", " ( MARK\t1\n2 ) ", "\"(mark 1 2)\"", "'(mark 1 2)", "; so\n(mark 1 2) ; there",
          "(mark 1 2) (explanation \"why (not\")", "(mark 1 2)\n(TAUNT \"ha\")"}) {
        EXPECT_EQ(read_move(text).move, "(mark 1 2)") << text;
        EXPECT_EQ(read_move(text).fault, "") << text;
    }
    EXPECT_EQ(read_move("(NOOP)").move, "noop");
    EXPECT_EQ(read_move("'noop'").move, "noop");
    for (const char* text : {"", " \n", "mark 1 2", "(mark 1 2) noop", "(mark 1 2))", "(mark (1 2", ")", "()",
                             "( () )x", "(mark 1 2) (explain)", "\x01", "; only a remark"}) {
        EXPECT_EQ(read_move(text).move, "") << text;
        EXPECT_NE(read_move(text).fault, "") << text;
    }
    EXPECT_THAT(read_move(std::string(5000, '(')).fault, HasSubstr("deep"));
    EXPECT_LT(read_move(std::string(500'000, 'a') + " b").fault.size(), 200U);
}

TEST(PlayerReply, IsReadyOrSaysWhatElse) {
    for (const char* text : {"READY", " ready\r\n", "( Ready )", "\"ready\"", "ready (taunt \"now\")"}) {
        EXPECT_TRUE(read_start_reply(text).ready) << text;
        EXPECT_EQ(read_start_reply(text).odd, "") << text;
    }
    EXPECT_TRUE(read_start_reply("BUSY\n").busy);
    EXPECT_EQ(read_start_reply("hello\nyou").odd, "answered 'hello you' instead of READY");
    EXPECT_EQ(read_start_reply(" ").odd, "answered nothing instead of READY");
}

TEST(Translation, GoesThereAndBack) {
    const Translation there({{"mark", "foo"}, {"noop", "bar"}, {"x", "noop"}});
    EXPECT_EQ(there("( MARK x 1 )"), "(foo noop 1)");
    EXPECT_EQ(there.inverse()("(foo noop 1)"), "(mark x 1)");
    EXPECT_EQ(Translation()("( A  B )"), "(a b)");
}

TEST(Translation, KeepsTheSpellingOfRules) {
    const Translation spelled = spelling_of("(role XPlayer) (legal ?P (MARK ?x B)) (mark b)");
    EXPECT_EQ(spelled("(mark b xplayer)"), "(MARK B XPlayer)");
    EXPECT_EQ(spelled("(legal p)"), "(legal p)");
}

TEST(MessageText, IsFoundInBodiesAndAddresses) {
    EXPECT_EQ(message_in_body("(INFO)"), "(INFO)");
    EXPECT_EQ(message_in_body(std::string("(INFO)\n\0", 8)), "(INFO)\n");
    EXPECT_EQ(message_in_body("message=%28PLAY+m1+NIL%29"), "(PLAY m1 NIL)");
    EXPECT_EQ(message_in_body("--b\r\nContent-Disposition: form-data\r\n\r\n(INFO)\r\n--b--\r\n"), "(INFO)\r\n");
    EXPECT_EQ(message_in_body("--"), "--");
    EXPECT_EQ(message_in_target("/%28INFO%29"), "(INFO)");
    EXPECT_EQ(message_in_target("/?message=%28PLAY%20m1%20NIL%29"), "(PLAY m1 NIL)");
    EXPECT_EQ(message_in_target("/info"), "info");
    EXPECT_EQ(message_in_target("/"), "");
    EXPECT_EQ(message_in_target("/%2"), "%2");
}

TEST(RequestHead, IsCutDownToWhatIsNeeded) {
    const std::string text =
        "\r\nPOST /some/path?x HTTP/1.0\nHost: a\r\nCONTENT-LENGTH:  12 \r\nRange: bytes=1-2\r\nnonsense\r\n\r\nbody";
    const std::size_t length = head_length(text);
    EXPECT_EQ(text.substr(length), "body");
    const RequestHead head = read_head(std::string_view(text).substr(0, length), 100);
    EXPECT_EQ(head.status, 0) << head.fault;
    EXPECT_EQ(head.method, "POST");
    EXPECT_EQ(head.target, "/some/path?x");
    EXPECT_EQ(head.length, 12U);
    EXPECT_FALSE(head.chunked);
    EXPECT_EQ(head.text, "POST / HTTP/1.0\r\ncontent-length: 12\r\n\r\n");
}

TEST(RequestHead, RefusesWhatCannotBeRead) {
    const auto status = [](const std::string& text) { return read_head(text, 100).status; };
    EXPECT_EQ(head_length("POST / HTTP/1.1\r\nHost: a\r\n"), 0U);
    EXPECT_EQ(status("rubbish\r\n\r\n"), 400);
    EXPECT_EQ(status("GET / HTTP/2.0\r\n\r\n"), 400);
    EXPECT_EQ(status("GET /" + std::string(200, 'a') + " HTTP/1.1\r\n\r\n"), 414);
    EXPECT_EQ(status("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), 400);
    EXPECT_EQ(status("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"), 400);
    EXPECT_EQ(status("POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n"), 501);
}

}  // namespace
}  // namespace stratagem::protocol
