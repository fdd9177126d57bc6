// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupMember;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.RowRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rows of a group, and what can be done to all that is in it. */
public abstract class RowsContract extends AggregateContract {
    private static final Duration SOON = Duration.ofMillis(200);
    private static final Duration LATER = Duration.ofMillis(400);
    /** As many rows as the client asks for at once. */
    private static final int PAGE = 500;

    private GroupRows<String> rows() {
        return group.rows("row", String.class);
    }

    private void put(String... ids) {
        for (String id : ids) {
            rows().put(id, "value of " + id);
        }
    }

    @Test
    void rowsOfAnotherTypeOrGroup_areNotAmongThem() {
        put("a");
        group.rows("ro", String.class).put("x", "other type");
        group.rows("rows", String.class).put("x", "other type");
        fixture.manager()
                .group(EntityKey.of("customer", "another"))
                .rows("row", String.class)
                .put("x", "other group");

        assertThat(rows().ids()).containsExactly("a");
    }

    @Test
    void idsOfAnyCharacters_comeBackAsTheyWere() {
        List<String> ids = List.of(" ", "%", ":", "a:b", "{x}", "\u0000", "ä", "\ud83d\ude00");
        ids.forEach(this::put);

        assertThat(rows().ids()).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(ids).allSatisfy(id -> assertThat(rows().get(id)).isEqualTo("value of " + id));
    }

    @Test
    void rowIsRead_whileATransactionOfTheGroupRuns() {
        put("a");

        String seen = group.transact(transaction -> {
            transaction.rows("row", String.class).put("a", "not yet");
            return String.valueOf(rows().get("a"));
        });

        assertThat(seen).isEqualTo("value of a");
        assertThat(rows().get("a")).isEqualTo("not yet");
    }

    @Test
    void rowThatHasExpired_isNotFound_andTheLimitIsFilledUp() {
        rows().put("a", "short", SOON);
        rows().put("b", "short", SOON);
        put("c", "d");
        fixture.pass(LATER);

        assertThat(rows().limit(2).ids()).containsExactly("c", "d");
        assertThat(group.count()).isEqualTo(2);
    }

    @Test
    void emptyId_isRefused() {
        assertThatThrownBy(() -> rows().put("", "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(fixture.root().text())
                .hasMessageContaining("row");
    }

    @Test
    void limitOutOfBounds_isRefused() {
        assertThatThrownBy(() -> rows().limit(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> rows().limit(10_001))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10000");
    }

    @Test
    void moreRowsThanAPage_areReadInOrder() {
        List<String> ids =
                IntStream.range(0, PAGE + 20).mapToObj("%05d"::formatted).toList();
        PartitionedCache<EntityKey, String> cache = cache("many");
        Map<EntityKey, String> entries = new TreeMap<>(Comparator.comparing(EntityKey::text));
        ids.forEach(id -> entries.put(EntityKey.of("many", id).in(fixture.root()), id));
        cache.putAll(entries);

        assertThat(group.rows("many", String.class).limit(PAGE + 10).ids()).isEqualTo(ids.subList(0, PAGE + 10));
        assertThat(group.rows("many", String.class)
                        .descending()
                        .limit(PAGE + 1)
                        .ids()
                        .get(PAGE))
                .isEqualTo(ids.get(19));
        assertThat(group.count()).isEqualTo(PAGE + 20);
        assertThat(group.removeAll()).isEqualTo(PAGE + 20);
        assertThat(group.rows("many", String.class).ids()).isEmpty();
    }

    private PartitionedCache<EntityKey, String> cache(String type) {
        PartitionedCache<EntityKey, String> open = fixture.manager().getCache(type, EntityKey.class, String.class);
        return open == null
                ? fixture.manager()
                        .createCache(
                                type,
                                new PartitionedConfiguration<EntityKey, String>()
                                        .setTypes(EntityKey.class, String.class)
                                        .setGroupedBy("customer"))
                : open;
    }

    @Test
    void entriesOfACache_areRows_howeverTheyWereStored() {
        PartitionedCache<EntityKey, String> orders = cache("stored");
        orders.put(stored("1-put"), "a");
        orders.put(stored("2-ttl"), "b", Duration.ofHours(1));
        orders.putIfAbsent(stored("3-absent"), "c");
        orders.putAll(Map.of(stored("4-all"), "d"));
        orders.getAndPut(stored("5-get"), "e");
        orders.invoke(stored("6-invoke"), (entry, arguments) -> {
            entry.setValue("f");
            return "";
        });
        group.transactWithoutResult(transaction -> transaction.entries(orders).put(stored("7-transacted"), "g"));

        assertThat(group.rows("stored", String.class).values()).containsExactly("a", "b", "c", "d", "e", "f", "g");
        assertThat(group.rows("stored", String.class).get("1-put")).isEqualTo("a");

        orders.remove(stored("1-put"));
        orders.removeAll(Set.of(stored("2-ttl"), stored("3-absent")));
        orders.getAndRemove(stored("4-all"));

        assertThat(group.rows("stored", String.class).ids()).containsExactly("5-get", "6-invoke", "7-transacted");
    }

    private EntityKey stored(String id) {
        return EntityKey.of("stored", id).in(fixture.root());
    }

    @Test
    void rowOfACache_isItsEntry() {
        PartitionedCache<EntityKey, String> orders = cache("stored");

        group.rows("stored", String.class).put("x", "as a row");

        assertThat(orders.get(stored("x"))).isEqualTo("as a row");
    }

    @Test
    void valuesOfAnotherClassThanTheCaches_areRefused() {
        cache("stored");

        assertThatThrownBy(() -> group.rows("stored", Long.class)).isInstanceOf(ClassCastException.class);
    }

    @Test
    void entriesOfACacheThatIsNotIndexed_areNotListed() {
        PartitionedCache<EntityKey, String> unlisted = unlisted();
        unlisted.put(EntityKey.of("unlisted", "1").in(fixture.root()), "a");

        assertThat(group.rows("unlisted", String.class).ids()).isEmpty();
        assertThat(group.count()).isZero();
    }

    private PartitionedCache<EntityKey, String> unlisted() {
        return fixture.manager().getCache("unlisted") == null
                ? fixture.manager()
                        .createCache(
                                "unlisted",
                                new PartitionedConfiguration<EntityKey, String>()
                                        .setTypes(EntityKey.class, String.class)
                                        .setGroupedBy("customer")
                                        .setIndexed(false))
                : cache("unlisted");
    }

    @Test
    void largeRow_isReadInARange() {
        String large = "x".repeat(2 * 1024 * 1024);
        rows().put("1", "small");
        rows().put("2", large);
        rows().put("3", "small");

        assertThat(rows().values()).containsExactly("small", large, "small");
    }

    @Test
    void members_areEntriesAndAggregates() {
        put("a");
        group.hash("cart", String.class, String.class).put("apples", "3");
        group.counter("visits").expiringAfter(Duration.ofHours(1)).incrementAndGet();

        List<GroupMember> members = group.members();

        assertThat(members)
                .extracting(GroupMember::key, GroupMember::kind)
                .containsExactlyInAnyOrder(
                        tuple("row:{" + fixture.root().text() + "}:a", GroupMember.Kind.ENTRY),
                        tuple("cart:{" + fixture.root().text() + "}", GroupMember.Kind.HASH),
                        tuple("visits:{" + fixture.root().text() + "}", GroupMember.Kind.COUNTER));
        assertThat(members).allSatisfy(member -> assertThat(member.sizeBytes()).isPositive());
        assertThat(members)
                .filteredOn(member -> member.timeToLive() != null)
                .singleElement()
                .satisfies(member -> assertThat(member.kind()).isEqualTo(GroupMember.Kind.COUNTER));
    }

    @Test
    void getAll_isWhatTheOpenCachesKnow() {
        cache("stored").put(stored("1"), "a");
        cache("stored").put(stored("2"), "b");
        put("unknown type");

        assertThat(group.getAll()).containsOnly(Map.entry(stored("1"), "a"), Map.entry(stored("2"), "b"));
    }

    @Test
    void removeAll_leavesNothing() {
        put("a", "b");
        group.set("tags", String.class).add("x");
        group.sortedSet("ratings", String.class).add("x", 1);

        assertThat(group.removeAll()).isEqualTo(4);

        assertThat(group.count()).isZero();
        assertThat(group.members()).isEmpty();
        assertThat(group.removeAll()).isZero();
    }

    @Test
    void randomRows_areThoseOfASortedMap() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        NavigableMap<String, String> model = new TreeMap<>();

        for (int i = 0; i < 200; i++) {
            String id = "%02d".formatted(random.nextInt(60));
            if (random.nextInt(4) > 0) {
                rows().put(id, "v" + i);
                model.put(id, "v" + i);
            } else {
                assertThat(rows().remove(id)).as("seed %d, step %d", seed, i).isEqualTo(model.remove(id) != null);
            }
            if (i % 10 == 0) {
                assertSameRange(seed, i, random, model);
            }
        }
    }

    private void assertSameRange(long seed, int step, Random random, NavigableMap<String, String> model) {
        String one = "%02d".formatted(random.nextInt(60));
        String other = "%02d".formatted(random.nextInt(60));
        String from = one.compareTo(other) < 0 ? one : other;
        String to = one.compareTo(other) < 0 ? other : one;
        int limit = 1 + random.nextInt(20);
        List<String> expected =
                new ArrayList<>(model.subMap(from, true, to, false).keySet());
        RowRange<String> range = rows().from(from).to(to).limit(limit);
        boolean descending = random.nextBoolean();
        if (descending) {
            Collections.reverse(expected);
            range = range.descending();
        }

        assertThat(range.ids())
                .as("seed %d, step %d", seed, step)
                .isEqualTo(expected.subList(0, Math.min(limit, expected.size())));
        assertThat(range.toMap())
                .as("seed %d, step %d", seed, step)
                .allSatisfy((id, value) -> assertThat(value).isEqualTo(model.get(id)));
    }
}
