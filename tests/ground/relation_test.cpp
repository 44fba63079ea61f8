#include "ground/relation.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "ground/database.h"

namespace stratagem::ground {
namespace {

using gdl::Term;

TEST(Relation, InternsEachTupleOnce) {
    Relation relation(2);
    bool added = false;
    const std::vector<Term> ab = {Term{1}, Term{2}};
    const std::vector<Term> ba = {Term{2}, Term{1}};
    EXPECT_EQ(relation.find(ab), Relation::no_row);
    const Relation::Row first = relation.intern(ab, added);
    EXPECT_TRUE(added);
    const Relation::Row second = relation.intern(ba, added);
    EXPECT_TRUE(added);
    EXPECT_NE(first, second);
    EXPECT_EQ(relation.intern(ab, added), first);
    EXPECT_FALSE(added);
    EXPECT_EQ(relation.rows(), 2U);
    EXPECT_EQ(relation.active_rows(), 0U);
    EXPECT_EQ(relation.find(ba), second);
    EXPECT_EQ(relation.at(second, 0), Term{2});
}

TEST(Relation, HoldsAtMostOneTupleWithoutArguments) {
    Relation relation(0);
    bool added = false;
    const Relation::Row row = relation.intern({}, added);
    EXPECT_TRUE(added);
    EXPECT_EQ(relation.intern({}, added), row);
    EXPECT_FALSE(added);
    relation.activate(row);
    relation.activate(row);
    EXPECT_EQ(relation.active_rows(), 1U);
}

TEST(Relation, AnIndexFindsActiveRowsInTheOrderOfActivation) {
    Relation relation(2);
    bool added = false;
    std::vector<Relation::Row> rows;
    for (std::uint32_t i = 0; i < 4; ++i) rows.push_back(relation.intern(std::vector{Term{7}, Term{i}}, added));
    relation.activate(rows[2]);
    Relation::Index& index = relation.index(1);  // by the first argument
    relation.activate(rows[0]);
    const std::vector<Term> key = {Term{7}};
    const Relation::Row first = index.first(relation, key);
    EXPECT_EQ(first, rows[2]);
    EXPECT_EQ(index.next(first), rows[0]);
    EXPECT_EQ(index.next(rows[0]), Relation::no_row);
    relation.activate(rows[1]);  // while walking: found at the end
    EXPECT_EQ(index.next(rows[0]), rows[1]);
    EXPECT_EQ(index.first(relation, std::vector{Term{8}}), Relation::no_row);
}

TEST(Relation, CountsDistinctValues) {
    Relation relation(2);
    bool added = false;
    for (std::uint32_t i = 0; i < 6; ++i) relation.activate(relation.intern(std::vector{Term{i % 2}, Term{i}}, added));
    EXPECT_EQ(relation.distinct(0), 2U);
    EXPECT_EQ(relation.distinct(1), 6U);
}

// Against maps: all indexes, made before, between and after the rows.
TEST(Relation, AgreesWithAMapOfTuples) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        std::mt19937_64 random(seed);
        Relation relation(3);
        std::map<std::vector<Term>, Relation::Row> rows;
        std::set<Relation::Row> active;
        for (int i = 0; i < 400; ++i) {
            if (i % 50 == 25) relation.index(static_cast<Relation::Mask>(1 + random() % 7));
            std::vector<Term> tuple;
            for (int k = 0; k < 3; ++k) tuple.push_back(Term{static_cast<std::uint32_t>(random() % 6)});
            bool added = false;
            const Relation::Row row = relation.intern(tuple, added);
            EXPECT_EQ(added, rows.try_emplace(tuple, row).second);
            EXPECT_EQ(rows.at(tuple), row);
            if (random() % 2 == 0) {
                relation.activate(row);
                active.insert(row);
            }
            EXPECT_EQ(relation.is_active(row), active.contains(row));
        }
        EXPECT_EQ(relation.active_rows(), active.size());
        for (Relation::Mask mask = 1; mask < 8; ++mask) {
            std::map<std::vector<Term>, std::set<Relation::Row>> expected;
            for (const auto& [tuple, row] : rows) {
                std::vector<Term> key;
                for (std::size_t k = 0; k < 3; ++k) {
                    if ((mask >> k & 1U) != 0) key.push_back(tuple[k]);
                }
                if (active.contains(row)) expected[key].insert(row);
            }
            const Relation::Index& index = relation.index(mask);
            for (const auto& [key, wanted] : expected) {
                std::set<Relation::Row> found;
                for (Relation::Row row = index.first(relation, key); row != Relation::no_row; row = index.next(row)) {
                    EXPECT_TRUE(found.insert(row).second);
                }
                EXPECT_EQ(found, wanted);
            }
        }
    }
}

TEST(Database, TakesFluentsAndMovesApart) {
    gdl::TermPool terms;
    Database database(terms);
    const auto symbol = [&](const char* name) { return terms.symbols().intern(name); };
    const Term one = terms.constant(symbol("1"));
    const Term x = terms.variable(symbol("x"));
    const std::vector<Term> inner = {one, x};
    const Term cell = terms.compound(symbol("cell"), inner);
    std::vector<Term> arguments;
    const RelationId fluent = database.resolve(terms.compound(gdl::keyword::true_, std::vector{cell}), arguments);
    EXPECT_EQ(arguments, inner);
    EXPECT_EQ(database[fluent].kind, RelationKind::fluent);
    const RelationId move = database.resolve(terms.compound(gdl::keyword::does, std::vector{one, cell}), arguments);
    EXPECT_EQ(arguments, (std::vector{one, one, x}));
    EXPECT_NE(fluent, move);
    const RelationId plain = database.resolve(cell, arguments);
    EXPECT_EQ(database[plain].kind, RelationKind::plain);
    EXPECT_EQ(arguments, inner);
    const RelationId any = database.resolve(terms.compound(gdl::keyword::true_, std::vector{x}), arguments);
    EXPECT_EQ(database[any].kind, RelationKind::any_fluent);
    EXPECT_EQ(database.resolve(terms.compound(gdl::keyword::true_, std::vector{cell}), arguments), fluent);
}

TEST(Database, AnActiveFluentIsFoundWholeToo) {
    gdl::TermPool terms;
    Database database(terms);
    const auto symbol = [&](const char* name) { return terms.symbols().intern(name); };
    const Term cell = terms.compound(symbol("cell"), std::vector{terms.constant(symbol("1"))});
    const RelationId any = database.any_fluent();
    const WorkAtom atom = database.intern_fluent(cell);
    EXPECT_EQ(database.intern(any, std::vector{cell}), atom);
    EXPECT_FALSE(database.is_possible(atom));
    EXPECT_TRUE(database.make_possible(atom));
    EXPECT_FALSE(database.make_possible(atom));
    database.activate(atom);
    const std::optional<AtomPlace> twin = database.twin(atom);
    ASSERT_TRUE(twin);
    EXPECT_EQ(twin->relation, any);
    EXPECT_EQ(database[any].relation.at(twin->row, 0), cell);
    EXPECT_EQ(database[any].atoms[twin->row], atom);
    EXPECT_EQ(database.inner_term(atom), cell);
    EXPECT_EQ(database.term(atom), terms.compound(gdl::keyword::true_, std::vector{cell}));
}

}  // namespace
}  // namespace stratagem::ground
