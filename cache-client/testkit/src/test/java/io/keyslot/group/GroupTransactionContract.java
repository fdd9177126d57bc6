// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.GroupView;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.RemoteHash;
import io.keyslot.cache.RemoteList;
import io.keyslot.cache.failure.CrossSlotException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.client.jcache.RecordingWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What group transactions do, on each engine. One instance per test; each uses a group of its own. */
@SuppressWarnings("NullAway.Init") // the groups are set before each test
public abstract class GroupTransactionContract {
    private static final AtomicLong SEQUENCE = new AtomicLong();
    private static final String ENTRIES = "transacted";

    private final EntityKey root = EntityKey.of("customer", "t" + SEQUENCE.incrementAndGet());
    private CacheGroup group;

    /** The same group, as another process has it. */
    private CacheGroup elsewhere;

    /** Returns the manager under test, the same for a whole test. */
    protected abstract PartitionedCacheManager manager();

    /** Returns the manager of another process. */
    protected abstract PartitionedCacheManager otherManager();

    @BeforeEach
    final void openGroups() {
        group = manager().group(root);
        elsewhere = otherManager().group(root);
    }

    /** Returns the cache of this contract. */
    private static PartitionedCache<EntityKey, String> cacheOf(PartitionedCacheManager manager) {
        PartitionedCache<EntityKey, String> open = manager.getCache(ENTRIES, EntityKey.class, String.class);
        return open == null
                ? manager.createCache(
                        ENTRIES,
                        new PartitionedConfiguration<EntityKey, String>()
                                .setTypes(EntityKey.class, String.class)
                                .setEntityType("order")
                                .setGroupedBy("customer"))
                : open;
    }

    private GroupEntries<EntityKey, String> orders(GroupTransaction transaction) {
        return transaction.entries(cacheOf(manager()));
    }

    private EntityKey order(long id) {
        return EntityKey.of("order", id).in(root);
    }

    private static RemoteHash<String, Long> accounts(GroupView view) {
        return view.hash("accounts", String.class, Long.class);
    }

    private static long amountOf(GroupView view, String account) {
        return requireNonNull(accounts(view).get(account));
    }

    private static RemoteList<String> history(GroupView view) {
        return view.list("history", String.class);
    }

    @Nested
    class Transact {
        @Test
        void changesOfEntriesAndAggregates_areThereAfterwards() {
            String result = group.transact(transaction -> {
                orders(transaction).put(order(1), "open");
                accounts(transaction).put("a", 5L);
                history(transaction).addLast("created");
                transaction.set("tags", String.class).add("new");
                transaction.sortedSet("ratings", String.class).add("good", 4.5);
                transaction.counter("visits").incrementAndGet();
                return "done";
            });

            assertThat(result).isEqualTo("done");
            assertThat(cacheOf(otherManager()).get(order(1))).isEqualTo("open");
            assertThat(accounts(elsewhere).toMap()).containsExactlyEntriesOf(Map.of("a", 5L));
            assertThat(history(elsewhere).toList()).containsExactly("created");
            assertThat(elsewhere.set("tags", String.class).toSet()).containsExactly("new");
            assertThat(elsewhere.sortedSet("ratings", String.class).score("good"))
                    .hasValue(4.5);
            assertThat(elsewhere.counter("visits").get()).isEqualTo(1);
        }

        @Test
        void ownChanges_areSeen() {
            group.transactWithoutResult(transaction -> {
                orders(transaction).put(order(1), "open");
                assertThat(orders(transaction).get(order(1))).isEqualTo("open");
                assertThat(orders(transaction).putIfAbsent(order(1), "other")).isFalse();
                assertThat(orders(transaction).remove(order(1))).isTrue();
                assertThat(orders(transaction).containsKey(order(1))).isFalse();
                assertThat(orders(transaction).putIfAbsent(order(1), "again")).isTrue();
                assertThat(accounts(transaction).increment("a", 2)).isEqualTo(2);
                assertThat(accounts(transaction).increment("a", 3)).isEqualTo(5);
                assertThat(accounts(transaction).delete()).isTrue();
                assertThat(accounts(transaction).exists()).isFalse();
            });

            assertThat(cacheOf(manager()).get(order(1))).isEqualTo("again");
            assertThat(accounts(group).exists()).isFalse();
        }

        @Test
        void workThatThrows_changesNothing() {
            assertThatThrownBy(() -> group.transactWithoutResult(transaction -> {
                        accounts(transaction).put("a", 5L);
                        throw new IllegalArgumentException("no");
                    }))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("no");

            assertThat(accounts(group).exists()).isFalse();
        }

        @Test
        void sumThatIsImpossible_throwsAndLeavesTheRestToTheWork() {
            accounts(group).put("a", Long.MAX_VALUE);

            group.transactWithoutResult(transaction -> {
                assertThatThrownBy(() -> accounts(transaction).increment("a", 1))
                        .isInstanceOf(ArithmeticException.class);
                accounts(transaction).put("b", 1L);
            });

            assertThat(accounts(group).toMap()).containsOnly(Map.entry("a", Long.MAX_VALUE), Map.entry("b", 1L));
        }

        @Test
        void rowsOfACache_areItsEntries() {
            PartitionedCache<EntityKey, String> cache = cacheOf(manager());

            group.transactWithoutResult(
                    transaction -> transaction.rows("order", String.class).put("1", "open"));

            assertThat(cache.get(order(1))).isEqualTo("open");
            assertThatThrownBy(() -> group.transactWithoutResult(
                            transaction -> transaction.rows("order", Long.class).remove("1")))
                    .isInstanceOf(ClassCastException.class);
        }
    }

    @Nested
    class Conflicts {
        @Test
        void somethingReadThatAnotherChanges_runsTheWorkAgain() {
            accounts(group).put("a", 1L);
            AtomicInteger runs = new AtomicInteger();

            long sum = group.transact(transaction -> {
                long before = accounts(transaction).increment("a", 10);
                if (runs.getAndIncrement() == 0) {
                    accounts(elsewhere).increment("a", 100);
                }
                return before;
            });

            assertThat(runs).hasValue(2);
            assertThat(sum).isEqualTo(111);
            assertThat(accounts(group).get("a")).isEqualTo(111);
        }

        @Test
        void entryReadThatAnotherChanges_runsTheWorkAgain() {
            AtomicInteger runs = new AtomicInteger();

            group.transactWithoutResult(transaction -> {
                String present = orders(transaction).get(order(1));
                if (runs.getAndIncrement() == 0) {
                    cacheOf(otherManager()).put(order(1), "theirs");
                }
                orders(transaction).put(order(2), String.valueOf(present));
            });

            assertThat(runs).hasValue(2);
            assertThat(cacheOf(manager()).get(order(2))).isEqualTo("theirs");
        }

        @Test
        void somethingNotReadThatAnotherChanges_isNoConflict() {
            AtomicInteger runs = new AtomicInteger();

            group.transactWithoutResult(transaction -> {
                orders(transaction).put(order(1), "ours");
                cacheOf(otherManager()).put(order(1), "theirs");
                cacheOf(otherManager()).put(order(2), "theirs");
                runs.incrementAndGet();
            });

            assertThat(runs).hasValue(1);
            assertThat(cacheOf(manager()).get(order(1))).isEqualTo("ours");
        }

        @Test
        void workThatHidesWhatItsReadThrows_runsAgainAllTheSame() {
            accounts(group).put("a", 1L);
            AtomicInteger runs = new AtomicInteger();

            String last = group.transact(transaction -> {
                accounts(transaction).get("a");
                if (runs.getAndIncrement() == 0) {
                    accounts(elsewhere).put("a", 2L);
                }
                try {
                    return "read " + history(transaction).size();
                } catch (RuntimeException e) {
                    return "hidden";
                }
            });

            assertThat(runs).hasValue(2);
            assertThat(last).isEqualTo("read 0");
        }

        @Test
        void emptyThingThatAnotherCreates_isAConflict() {
            AtomicInteger runs = new AtomicInteger();

            boolean created = group.transact(transaction -> {
                boolean absent = !history(transaction).exists();
                if (runs.getAndIncrement() == 0) {
                    history(elsewhere).addLast("theirs");
                }
                if (absent) {
                    history(transaction).addLast("ours");
                }
                return absent;
            });

            assertThat(created).isFalse();
            assertThat(history(group).toList()).containsExactly("theirs");
        }
    }

    @Nested
    class Limits {
        @Test
        void oneOperationMore_isRefusedAndNothingIsChanged() {
            assertThatThrownBy(() -> group.transactWithoutResult(transaction -> {
                        for (int i = 0; i <= 1_000; i++) {
                            orders(transaction).put(order(i), "open");
                        }
                    }))
                    .isInstanceOf(LimitExceededException.class)
                    .hasMessageContaining(root.text())
                    .hasMessageContaining("1001 operations")
                    .hasMessageContaining("limit is 1000");

            assertThat(cacheOf(manager()).get(order(0))).isNull();
        }

        @Test
        void limitThatTheWorkHides_isRefusedAllTheSame() {
            assertThatThrownBy(() -> group.transactWithoutResult(transaction -> {
                        for (int i = 0; i <= 1_000; i++) {
                            try {
                                orders(transaction).put(order(i), "open");
                            } catch (LimitExceededException hidden) {
                                assertThat(hidden).hasMessageContaining("limit");
                            }
                        }
                    }))
                    .isInstanceOf(LimitExceededException.class);

            assertThat(cacheOf(manager()).get(order(0))).isNull();
        }

        @Test
        void repeatedReadsOfTheSame_areOneOperation() {
            accounts(group).put("a", 1L);

            long sum = group.transact(transaction -> {
                long total = 0;
                for (int i = 0; i < 1_000; i++) {
                    total += amountOf(transaction, "a");
                }
                return total;
            });

            assertThat(sum).isEqualTo(1_000);
        }

        @Test
        void moreBytesThanAllowed_areRefusedAndNothingIsChanged() {
            String large = "x".repeat(1024 * 1024);

            assertThatThrownBy(() -> group.transactWithoutResult(transaction -> {
                        for (int i = 0; i < 5; i++) {
                            history(transaction).addLast(large);
                        }
                    }))
                    .isInstanceOf(LimitExceededException.class)
                    .hasMessageContaining(root.text())
                    .hasMessageContaining("5242880 bytes")
                    .hasMessageContaining("limit is 4194304");

            assertThat(history(group).exists()).isFalse();
        }
    }

    @Nested
    class Misuse {
        @Test
        void keyOfAnotherGroup_isRefusedWithBothKeysAndSlots() {
            EntityKey foreign = EntityKey.of("order", 1).in(EntityKey.of("customer", "stranger"));
            CacheGroup other = manager().group(foreign.root());

            assertThatThrownBy(() -> group.transactWithoutResult(
                            transaction -> orders(transaction).get(foreign)))
                    .isInstanceOf(CrossSlotException.class)
                    .hasMessageContaining(root.text())
                    .hasMessageContaining(foreign.text())
                    .hasMessageContaining("slot " + group.slot())
                    .hasMessageContaining("slot " + other.slot());
            assertThatThrownBy(() -> group.transactWithoutResult(
                            transaction -> transaction.counter(foreign).get()))
                    .isInstanceOf(CrossSlotException.class)
                    .hasMessageContaining(root.text())
                    .hasMessageContaining(foreign.text());
        }

        @Test
        void aggregateOfAnotherType_isRefusedAndNothingIsChanged() {
            history(group).addLast("one");

            assertThatThrownBy(() -> group.transactWithoutResult(transaction -> {
                        transaction.counter("visits").incrementAndGet();
                        transaction.hash("history", String.class, String.class).put("a", "b");
                    }))
                    .isInstanceOf(WrongTypeException.class);

            assertThat(history(group).toList()).containsExactly("one");
            assertThat(group.counter("visits").exists()).isFalse();
        }

        @Test
        void oneKeyAsTwoThings_isRefused() {
            assertThatThrownBy(() -> group.transactWithoutResult(transaction -> {
                        history(transaction).addLast("one");
                        transaction.set("history", String.class).add("one");
                    }))
                    .isInstanceOf(WrongTypeException.class);
        }

        @Test
        void transactionWithinATransaction_isRefused() {
            assertThatThrownBy(
                            () -> group.transactWithoutResult(transaction -> group.transactWithoutResult(inner -> {})))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("within the work of another");

            assertThat(group.<Integer>transact(transaction -> 1)).isEqualTo(1);
        }

        @Test
        void useAfterTheEnd_isRefused() {
            List<GroupTransaction> kept = new ArrayList<>();
            List<RemoteHash<String, Long>> hashes = new ArrayList<>();
            group.transactWithoutResult(transaction -> {
                kept.add(transaction);
                hashes.add(accounts(transaction));
            });

            assertThatThrownBy(() -> kept.get(0).entries(cacheOf(manager())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has ended");
            assertThatThrownBy(() -> hashes.get(0).put("a", 1L))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has ended");
        }

        @Test
        void useByAnotherThread_isRefused() {
            group.transactWithoutResult(transaction -> {
                RemoteHash<String, Long> hash = accounts(transaction);
                CompletableFuture<Long> other = CompletableFuture.supplyAsync(() -> hash.increment("a", 1));

                assertThatThrownBy(other::join)
                        .isInstanceOf(CompletionException.class)
                        .hasCauseInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("thread");
            });
        }

        @Test
        void waitingAndAsynchronousOperationsAndLocks_areRefused() {
            group.transactWithoutResult(transaction -> {
                assertThatThrownBy(() -> history(transaction).takeFirst(Duration.ofSeconds(1)))
                        .isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> history(transaction).async(RemoteList::size))
                        .isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> group.lock().tryLock(Duration.ZERO, Duration.ofSeconds(1)))
                        .isInstanceOf(IllegalStateException.class);
            });
        }

        @Test
        void cacheWithAWriter_refusesChangesAndGivesReads() {
            PartitionedCache<EntityKey, String> written = manager()
                    .createCache(
                            "written" + root.id(),
                            new PartitionedConfiguration<EntityKey, String>()
                                    .setTypes(EntityKey.class, String.class)
                                    .setEntityType("written" + root.id())
                                    .setGroupedBy("customer")
                                    .setWriteThrough(true)
                                    .setCacheWriterFactory(RecordingWriter::new));
            EntityKey key = EntityKey.of("written" + root.id(), 1).in(root);
            written.put(key, "value");

            String read = group.transact(transaction -> {
                assertThatThrownBy(() -> transaction.entries(written).put(key, "other"))
                        .isInstanceOf(UnsupportedOperationException.class);
                return requireNonNull(transaction.entries(written).get(key));
            });

            assertThat(read).isEqualTo("value");
        }
    }

    @Nested
    class TimeToLive {
        @Test
        void expiringAfter_holdsForTheWholeAggregate() {
            group.transactWithoutResult(transaction -> {
                accounts(transaction).expiringAfter(Duration.ofMinutes(1)).put("a", 1L);
                assertThat(accounts(transaction).timeToLive()).hasValue(Duration.ofMinutes(1));
            });

            assertThat(accounts(group).timeToLive())
                    .hasValueSatisfying(
                            left -> assertThat(left).isBetween(Duration.ofSeconds(40), Duration.ofMinutes(1)));
        }

        @Test
        void expireAndPersist_areApplied() {
            accounts(group).put("a", 1L);

            assertThat(group.<Boolean>transact(
                            transaction -> accounts(transaction).expire(Duration.ofMinutes(1))))
                    .isTrue();
            assertThat(accounts(group).timeToLive()).isPresent();
            assertThat(group.<Boolean>transact(
                            transaction -> accounts(transaction).persist()))
                    .isTrue();
            assertThat(accounts(group).timeToLive()).isEmpty();
            assertThat(group.<Boolean>transact(
                            transaction -> history(transaction).expire(Duration.ofMinutes(1))))
                    .isFalse();
        }

        @Test
        void entryWithATimeToLive_hasIt() {
            group.transactWithoutResult(
                    transaction -> orders(transaction).put(order(1), "open", Duration.ofMinutes(1)));

            assertThat(cacheOf(manager()).explain(order(1)).timeToLive()).isNotNull();
        }
    }

    @Test
    void getAll_readsManyEntriesTogether() {
        Map<EntityKey, String> orders = new LinkedHashMap<>();
        for (int i = 0; i < 50; i++) {
            orders.put(order(i), "open");
        }
        cacheOf(manager()).putAll(orders);

        Map<EntityKey, String> found =
                group.transact(transaction -> orders(transaction).getAll(Collections.unmodifiableSet(orders.keySet())));

        assertThat(found).isEqualTo(orders);
    }
}
