#include "analysis/rings.h"

#include <gmock/gmock.h>

#include "gdl/print.h"
#include "ground/ground.h"
#include "machine/machine_games.h"

namespace stratagem::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// Of a game around some relations: each ring from its first name in the alphabet.
std::vector<std::string> rings_of(const std::string& relations) {
    const ground::GroundResult result = ground::ground(machine::testing::described(
        "(role r) (init on) (<= (legal r wait) (true on)) (<= terminal (not (true on))) (<= (goal r 100) (true on))" +
        relations));
    EXPECT_TRUE(result.program) << result.failure;
    std::vector<std::string> texts;
    for (const Ring& ring : find_rings(result.program->statics, {})) {
        std::vector<std::string> names;
        for (const gdl::Term element : ring.elements) names.push_back(gdl::to_kif(result.program->terms, element));
        std::rotate(names.begin(), std::ranges::min_element(names), names.end());
        std::string text;
        for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
        texts.push_back(text);
    }
    return texts;
}

TEST(Rings, AreFollowedAround) {
    EXPECT_THAT(rings_of("(right n e) (right e s) (right s w) (right w n)"), ElementsAre("e s w n"));
}

TEST(Rings, SeveralInOneRelationAndWhatIsNoRingBesides) {
    EXPECT_THAT(rings_of("(to a b) (to b c) (to c a) (to p q) (to q r) (to r p) (to 1 2) (to 2 3)"),
                UnorderedElementsAre("a b c", "p q r"));
}

TEST(Rings, ByRules) {
    EXPECT_THAT(rings_of("(right n e) (right e s) (right s w) (right w n) (<= (left ?a ?b) (right ?b ?a))"),
                UnorderedElementsAre("e s w n", "e n w s"));
}

TEST(Rings, ChainsExchangesAndForksAreNone) {
    EXPECT_THAT(rings_of("(succ a b) (succ b c) (succ c d)"), IsEmpty());
    EXPECT_THAT(rings_of("(other x o) (other o x)"), IsEmpty());
    EXPECT_THAT(rings_of("(to a b) (to b c) (to c a) (to a d)"), IsEmpty());
    EXPECT_THAT(rings_of("(to a b) (to b c) (to c a) (to d a)"), IsEmpty());
    EXPECT_THAT(rings_of("(to a a) (to b c) (to c d) (to d b)"), IsEmpty());
}

}  // namespace
}  // namespace stratagem::analysis
