// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.RemoteHash;
import io.keyslot.cache.RemoteList;
import io.keyslot.cache.RemoteSet;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CrossSlotException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import io.keyslot.testkit.PartitionFaults;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a group does besides its aggregates' own operations, and what it says if it cannot. */
class GroupHandleTest {
    private static final EntityKey ADA = EntityKey.of("customer", "ada");
    private static final EntityKey BOB = EntityKey.of("customer", "bob");

    @AutoClose
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(KeyslotSettings.defaults()
            .withProperty("keyslot.limits.valueBytes", "64")
            .withProperty("keyslot.limits.batchKeys", "3")
            .withProperty("keyslot.async.threads", "1"));

    private final PartitionedCacheManager manager = keyslot.cacheManager();
    private final CacheGroup group = manager.group(ADA);

    private RemoteHash<String, String> cart() {
        return group.hash("cart", String.class, String.class);
    }

    private RemoteList<String> queue() {
        return group.list("queue", String.class);
    }

    private PartitionFaults partition() {
        return keyslot.partition(group.partition().name());
    }

    @Nested
    class Arguments {
        @Test
        @SuppressWarnings("NullAway") // what this test is about
        void null_isRefused() {
            RemoteSet<String> set = group.set("orders", String.class);
            for (Runnable call : List.<Runnable>of(
                    () -> cart().get(null),
                    () -> cart().put("a", null),
                    () -> cart().putAll(Collections.singletonMap("a", null)),
                    () -> cart().getAll(Collections.singleton(null)),
                    () -> cart().removeAll(null),
                    () -> queue().addFirst(null),
                    () -> queue().addAll(Arrays.asList("a", null)),
                    () -> queue().takeFirst(null),
                    () -> queue().expire(null),
                    () -> queue().async(null),
                    () -> set.contains(null),
                    () -> group.sortedSet("ratings", String.class).addAll(Collections.singletonMap("a", null)),
                    () -> group.hash("cart", null, String.class),
                    () -> group.list((EntityKey) null, String.class),
                    () -> group.transact(null),
                    () -> group.transactWithoutResult(null),
                    () -> group.async(null),
                    () -> manager.group(null))) {
                assertThatThrownBy(call::run).isInstanceOf(NullPointerException.class);
            }
            assertThat(queue().exists()).isFalse();
        }

        @Test
        void elementOfAnotherClass_isRefused() {
            @SuppressWarnings({"unchecked", "rawtypes"}) // as code without generics has it
            RemoteSet<Object> raw = (RemoteSet) group.set("orders", Integer.class);

            assertThatThrownBy(() -> raw.add("seven"))
                    .isInstanceOf(ClassCastException.class)
                    .hasMessageContaining("java.lang.Integer");
        }
    }

    @Nested
    class Limits {
        @Test
        void elementThatIsTooLarge_isRefusedBeforeAnythingIsSent() {
            partition().kill();

            assertThatThrownBy(() -> cart().put("a", "x".repeat(65)))
                    .isInstanceOf(LimitExceededException.class)
                    .hasMessageContaining("customer:ada")
                    .hasMessageContaining("65 bytes, the limit is 64")
                    .hasMessageNotContaining("xxx");
            assertThatThrownBy(() -> cart().get("x".repeat(65))).isInstanceOf(LimitExceededException.class);
        }

        @Test
        void batchThatIsTooLarge_isRefusedBeforeAnythingIsSent() {
            partition().kill();
            List<String> four = List.of("a", "b", "c", "d");
            Map<String, String> entries = Map.of("a", "1", "b", "2", "c", "3", "d", "4");

            for (Runnable call : List.<Runnable>of(
                    () -> cart().putAll(entries),
                    () -> cart().getAll(four),
                    () -> cart().removeAll(four),
                    () -> queue().addAll(four),
                    () -> group.set("orders", String.class).addAll(four),
                    () -> group.set("orders", String.class).removeAll(four),
                    () -> group.sortedSet("ratings", String.class)
                            .addAll(Map.of("a", 1.0, "b", 1.0, "c", 1.0, "d", 1.0)))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(LimitExceededException.class)
                        .hasMessageContaining("customer:ada")
                        .hasMessageContaining("limit is 3");
            }
        }
    }

    @Nested
    class Faults {
        @Test
        void missingPartition_failsEveryOperation() {
            cart().put("a", "1");
            partition().kill();

            for (Runnable call : List.<Runnable>of(
                    () -> cart().get("a"),
                    () -> cart().put("a", "2"),
                    () -> cart().delete(),
                    () -> cart().expire(Duration.ofMinutes(1)),
                    () -> cart().timeToLive(),
                    () -> queue().takeFirst(Duration.ofMinutes(1)))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(PartitionUnavailableException.class)
                        .hasMessageContaining("customer:ada");
            }
            assertThat(keyslot.elapsed()).isLessThan(Duration.ofSeconds(10));
        }

        @Test
        void lostAnswer_isUnknownForAChange_andAskedForAgainOtherwise() {
            cart().put("a", "1");

            partition().dropReplies(1);
            assertThat(cart().get("a")).isEqualTo("1");

            partition().dropReplies(1);
            assertThatThrownBy(() -> cart().put("a", "2"))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("no answer to put");
            assertThat(cart().get("a")).isEqualTo("2");
        }

        @Test
        void partitionThatGoesMissing_endsTheWaitingForAnElement() {
            keyslot.after(Duration.ofSeconds(3), () -> partition().kill());

            assertThatThrownBy(() -> queue().takeFirst(Duration.ofMinutes(1)))
                    .isInstanceOf(PartitionUnavailableException.class);
            assertThat(keyslot.elapsed()).isLessThan(Duration.ofSeconds(5));
        }
    }

    @Nested
    class Take {
        @Test
        void elementOfAnotherProcess_isTakenSoonAfter() {
            RemoteList<String> elsewhere = keyslot.cacheManager(1).group(ADA).list("queue", String.class);
            keyslot.after(Duration.ofSeconds(3), () -> elsewhere.addLast("a"));

            assertThat(queue().takeLast(Duration.ofMinutes(1))).isEqualTo("a");
            assertThat(keyslot.elapsed()).isBetween(Duration.ofSeconds(3), Duration.ofMillis(3_100));
        }

        @Test
        void deadline_isKept() {
            assertThat(queue().takeFirst(Duration.ofSeconds(7))).isNull();
            assertThat(keyslot.elapsed()).isEqualTo(Duration.ofSeconds(7));
        }
    }

    @Nested
    class Async {
        @Test
        void fullPool_failsTheStageAtOnce() {
            CompletionStage<@Nullable String> running = queue().async(list -> list.takeFirst(Duration.ofMinutes(1)));
            List<CompletionStage<Integer>> waiting = IntStream.range(0, 10_000)
                    .mapToObj(i -> cart().async(RemoteHash::size))
                    .toList();

            CompletionStage<Integer> refused = cart().async(RemoteHash::size);

            assertThatThrownBy(() -> keyslot.await(refused))
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(CacheOverloadedException.class);
            queue().addLast("a");
            assertThat(keyslot.<@Nullable String>await(running)).isEqualTo("a");
            assertThat(keyslot.await(waiting.get(0))).isZero();
        }
    }

    @Nested
    class Places {
        private final PartitionedCache<EntityKey, String> orders = manager.createCache(
                "order",
                new PartitionedConfiguration<EntityKey, String>()
                        .setTypes(EntityKey.class, String.class)
                        .setGroupedBy("customer"));

        @Test
        void keyOfAnotherGroup_isRefusedBeforeAnythingIsSent() {
            keyslot.partitions().forEach(PartitionFaults::kill);

            assertThatThrownBy(() -> group.set(EntityKey.of("orders").in(BOB), String.class))
                    .isInstanceOf(CrossSlotException.class)
                    .hasMessageContaining("customer:ada in slot " + group.slot())
                    .hasMessageContaining(
                            "{customer:bob} is in slot " + manager.group(BOB).slot());
        }

        @Test
        void cacheOfAnotherManager_isRefused() {
            CacheGroup elsewhere = keyslot.cacheManager(1).group(ADA);

            assertThatThrownBy(() -> elsewhere.transact(transaction -> transaction.entries(orders)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("order");
        }

        @Test
        void closedCache_isRefused() {
            orders.close();

            assertThatThrownBy(() -> group.transact(transaction -> transaction.entries(orders)))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void member_hasNoGroupOfItsOwn() {
        assertThatThrownBy(() -> manager.group(EntityKey.of("order", 1).in(ADA)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void closedManager_isRefused() {
        RemoteHash<String, String> cart = cart();
        manager.close();

        for (Runnable call : List.<Runnable>of(
                () -> manager.group(ADA),
                () -> group.count(),
                () -> group.partition(),
                () -> cart(),
                () -> cart.get("a"),
                () -> cart.delete(),
                () -> cart.async(RemoteHash::size),
                () -> group.async(CacheGroup::slot))) {
            assertThatThrownBy(call::run).isInstanceOf(IllegalStateException.class);
        }
    }
}
