// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command.CompareAndExpire;
import io.keyslot.client.partition.Command.CompareAndRemove;
import io.keyslot.client.partition.Command.CompareAndSet;
import io.keyslot.client.partition.Command.Describe;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.Command.Get;
import io.keyslot.client.partition.Command.GetAll;
import io.keyslot.client.partition.Command.GetAndExpire;
import io.keyslot.client.partition.Command.GetAndRemove;
import io.keyslot.client.partition.Command.Lease;
import io.keyslot.client.partition.Command.Put;
import io.keyslot.client.partition.Command.PutAll;
import io.keyslot.client.partition.Command.RemoveAll;
import io.keyslot.client.partition.Command.Reserve;
import io.keyslot.client.partition.Command.Scan;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Lookup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every engine does. Each one's test extends this. */
public abstract class PartitionContract extends RawContract {
    @Nested
    class GetOne {
        @Test
        void keyWithAnyBytes_isFound() {
            EncodedKey key =
                    new EncodedKey(new byte[] {0, '\r', '\n', -1, '{', '}', ' ', '"', (byte) prefix().hashCode()});
            put(key, "one");

            assertThat(text(get(key))).isEqualTo("one");
        }

        @Test
        void storedBytes_areTheEnvelopeOfKeyAndEpoch() {
            Envelope stored = put(key("a"), "one");

            assertThat(readRaw(key("a")))
                    .hasValueSatisfying(bytes -> assertThat(bytes)
                            .isEqualTo(stored.toBytes(key("a"), connection().epoch())));
        }
    }

    @Nested
    class GetMany {
        @Test
        void lookups_areInTheOrderOfTheKeys() {
            put(key("a"), "one");
            put(key("c"), "three");

            List<Lookup> found = done(new GetAll(List.of(key("c"), key("b"), key("a"), key("c"))));

            assertThat(found).hasSize(4);
            assertThat(text(found.get(0))).isEqualTo("three");
            assertThat(found.get(1)).isEqualTo(Lookup.absent());
            assertThat(text(found.get(2))).isEqualTo("one");
            assertThat(text(found.get(3))).isEqualTo("three");
        }
    }

    @Nested
    class DescribeQueue {
        private final GroupHome home = new GroupHome("keyslot:" + prefix().replace(":", "") + ":1");

        private void send(String session) {
            done(new QueueCommand.Send(home, Element.of("m"), session, "", 100, 1));
        }

        private QueueCommand.Delivery receive(int deliveries) {
            return Objects.requireNonNull(done(new QueueCommand.Receive(home, false, 600_000, deliveries))
                    .delivery());
        }

        private List<Long> described() {
            return done(new QueueCommand.Describe(home));
        }

        @Test
        void messages_areReadyOrLeasedOrWaitingOrDead() {
            assertThat(described()).containsExactly(0L, 0L, 0L, 0L);
            send("s");
            send("s");
            send("");
            send("");
            assertThat(described()).containsExactly(3L, 0L, 1L, 0L);

            QueueCommand.Delivery first = receive(1);
            assertThat(described()).containsExactly(2L, 1L, 1L, 0L);

            done(new QueueCommand.Settle(home, false, first, QueueCommand.Settlement.ABANDON, 0));
            receive(1);
            receive(1);
            receive(1); // the first one is a dead letter now, and the second of its session follows
            assertThat(described()).containsExactly(0L, 3L, 0L, 1L);
        }

        @Test
        void ofFragment_thatLostOneOfItsKeys_nothingIsCounted() {
            send("");
            done(new Command.Erase(List.of(home.order())));
            assertThat(described()).containsExactly(0L, 0L, 0L, 0L);

            send("");
            done(new Command.Erase(List.of(home.messages())));
            assertThat(described()).containsExactly(0L, 0L, 0L, 0L);
        }
    }

    @Nested
    class PutOne {
        @Test
        void veryLongExpiry_isNotOverflown() {
            put(key("a"), "one", Expiry.afterMillis(200L * 365 * 24 * 3_600_000));
            pass(A_MOMENT);

            assertThat(get(key("a")).isFound()).isTrue();
        }
    }

    @Nested
    class CompareThenSet {
        @ParameterizedTest
        @ValueSource(longs = {1, 255, 256, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x00ff_0000_0d0aL})
        void everyStamp_isComparedInFull(long stamp) {
            done(new Put(key("a"), Envelope.of(stamp, new byte[1]), Expiry.NEVER, Expiry.NEVER));

            assertThat(compareAndSet(key("a"), stamp ^ 0x0100_0000_0000_0000L, envelope("two")))
                    .isFalse();
            assertThat(compareAndSet(key("a"), stamp, envelope("two"))).isTrue();
        }

        @Test
        void race_hasExactlyOneWinner() throws Exception {
            int racers = 4;
            ExecutorService executor = Executors.newFixedThreadPool(racers);
            try {
                for (EncodedKey key : keys("race", 50)) {
                    assertThat(race(executor, racers, () -> compareAndSet(key, Command.ABSENT, envelope("one"))))
                            .isEqualTo(1);
                }
                for (EncodedKey key : keys("leased", 50)) {
                    assertThat(race(executor, racers, () -> isLeased(key, stamp())))
                            .isEqualTo(1);
                }
            } finally {
                executor.shutdownNow();
            }
        }

        private boolean isLeased(EncodedKey key, long stamp) {
            return done(new Lease(key, stamp, MINUTE)).leaseStamp() == stamp;
        }

        private long race(ExecutorService executor, int racers, Callable<Boolean> attempt) throws Exception {
            CyclicBarrier start = new CyclicBarrier(racers);
            Callable<Boolean> racer = () -> {
                start.await(10, TimeUnit.SECONDS);
                return attempt.call();
            };
            long winners = 0;
            for (Future<Boolean> won : executor.invokeAll(Collections.nCopies(racers, racer))) {
                winners += won.get() ? 1 : 0;
            }
            return winners;
        }
    }

    @ParameterizedTest
    @EnumSource(ForeignBytes.class)
    void erase_removesWhateverIsThere(ForeignBytes foreign) {
        storeRaw(key("a"), foreign.under(key("a"), connection().epoch()));
        put(key("kept"), "three");

        assertThat(done(new Command.Erase(List.of(key("a"), key("absent"))))).isLessThanOrEqualTo(1);

        assertThat(readRaw(key("a"))).isEmpty();
        assertThat(get(key("kept")).isFound()).isTrue();
    }

    @Nested
    class ScanPages {
        @Test
        void everyPresentKey_isListed() {
            List<EncodedKey> keys = keys("k", 3_000);
            putAll(keys);

            Scanned scanned = scan(prefix() + "k", 100, () -> {});

            assertThat(scanned.keys).containsExactlyInAnyOrderElementsOf(keys);
            assertThat(scanned.pages).isGreaterThan(2);
        }

        @Test
        void keysThatStay_areListedWhileOthersComeAndGo() {
            List<EncodedKey> staying = keys("stays", 1_000);
            List<EncodedKey> going = keys("goes", 1_000);
            putAll(staying);
            putAll(going);

            Scanned scanned = scan(prefix(), 200, () -> {
                done(new RemoveAll(going));
                putAll(keys("comes", 1_000));
            });

            assertThat(scanned.keys).containsAll(staying);
        }

        @ParameterizedTest
        @ValueSource(strings = {"*", "?", "[x]", "[", "]", "\\", "\\x", "[^y]", "x*", "клю\u20acч", "{x}"})
        void prefix_isTakenLiterally(String start) {
            put(key(start), "one");
            put(key(start + ":1"), "two");
            put(key("x"), "decoy");
            put(key("y:1"), "decoy");

            Set<EncodedKey> listed = scan(prefix() + start, 10, () -> {}).keys;

            assertThat(listed).containsExactlyInAnyOrder(key(start), key(start + ":1"));
        }

        @Test
        void infix_isTakenLiterally() {
            put(key("a:{x*}:1"), "one");
            put(key("a:{xy}:1"), "decoy");

            Set<EncodedKey> listed = new HashSet<>();
            String cursor = ScanPage.START;
            do {
                ScanPage page = done(new Scan(cursor, prefix(), "{x*}", 1_000));
                listed.addAll(page.keys());
                cursor = page.next();
            } while (!cursor.equals(ScanPage.START));

            assertThat(listed).containsExactly(key("a:{x*}:1"));
        }

        @Test
        void expiredKeys_areNotListed() {
            put(key("a"), "one", SOON);
            put(key("b"), "two");
            pass(A_MOMENT);

            assertThat(scan(prefix(), 10, () -> {}).keys).containsExactly(key("b"));
        }

        private Scanned scan(String prefix, int count, Runnable afterFirstPage) {
            ScanPage page = done(new Scan(ScanPage.START, prefix, count));
            Set<EncodedKey> keys = new HashSet<>(page.keys());
            int pages = 1;
            afterFirstPage.run();
            while (!page.isLast()) {
                page = done(new Scan(page.next(), prefix, count));
                keys.addAll(page.keys());
                pages++;
            }
            return new Scanned(keys, pages);
        }

        private record Scanned(Set<EncodedKey> keys, int pages) {}
    }

    @Nested
    class DescribeEntry {
        @Test
        void entry_isDescribedWithItsSizeExpiryAndEpoch() {
            Envelope stored = put(key("a"), "one", MINUTE);

            Description description = done(new Describe(key("a")));

            assertThat(description.lookup().stamp()).isEqualTo(stored.stamp());
            assertThat(description.sizeBytes()).isEqualTo(stored.sizeBytes());
            assertThat(description.expiresInMillis()).isBetween(40_000L, 60_000L);
            assertThat(description.epoch()).isEqualTo(connection().epoch());
        }
    }

    @Nested
    class ForeignBytesUnderAKey {
        @ParameterizedTest
        @EnumSource
        void areNoEntry_andTheLookupSaysWhy(ForeignBytes foreign) {
            EncodedKey key = stored(foreign);

            assertThat(get(key).outcome()).isEqualTo(foreign.outcome());
            assertThat(done(new GetAll(List.of(key))).get(0).outcome()).isEqualTo(foreign.outcome());
            assertThat(done(new GetAndExpire(key, MINUTE)).outcome()).isEqualTo(foreign.outcome());
            assertThat(done(new Describe(key)).lookup().outcome()).isEqualTo(foreign.outcome());
        }

        @ParameterizedTest
        @EnumSource
        void haveNoStamp(ForeignBytes foreign) {
            EncodedKey key = stored(foreign);
            byte[] before = foreign.under(key, connection().epoch());

            assertThat(compareAndSet(key, ForeignBytes.STAMP, envelope("one"))).isFalse();
            assertThat(done(new CompareAndExpire(key, ForeignBytes.STAMP, SOON)))
                    .isFalse();
            assertThat(done(new CompareAndRemove(key, ForeignBytes.STAMP))).isFalse();
            assertThat(done(new Command.Claim(key, ForeignBytes.STAMP, 4_711, 1)))
                    .isFalse();

            assertThat(readRaw(key))
                    .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(before));
        }

        @ParameterizedTest
        @MethodSource("io.keyslot.client.partition.ForeignBytes#foreign")
        void ofAForeignClient_areLeftAlone(ForeignBytes foreign) {
            EncodedKey key = stored(foreign);
            byte[] before = foreign.under(key, connection().epoch());

            assertRefused(reply(new CompareAndSet(key, Command.ABSENT, envelope("one"), Expiry.NEVER)));
            assertRefused(reply(new Reserve(key, Command.ABSENT, 4_711, 60_000)));
            assertRefused(reply(new Reserve(key, Reserve.ANY, 4_711, 60_000)));
            assertThat(done(new Lease(key, 4_711, MINUTE)).outcome()).isEqualTo(foreign.outcome());
            assertThat(done(new GetAndRemove(key)).outcome()).isEqualTo(foreign.outcome());
            assertThat(done(new CompareAndRemove(key, Command.ABSENT))).isTrue();
            assertThat(done(new RemoveAll(List.of(key)))).isZero();
            assertThat(done(new RemoveAll(List.of(key.indexed())))).isZero();

            assertThat(readRaw(key))
                    .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(before));
        }

        private void assertRefused(Reply<?> reply) {
            assertThat(reply)
                    .isInstanceOfSatisfying(
                            Reply.Refused.class,
                            refused -> assertThat(refused.refusal()).isEqualTo(Refusal.FORBIDDEN));
        }

        private EncodedKey stored(ForeignBytes foreign) {
            EncodedKey key = key(foreign.name());
            storeRaw(key, foreign.under(key, connection().epoch()));
            return key;
        }
    }

    @Nested
    class TimePasses {
        @Test
        void entry_isThereBeforeItsTimeAndGoneAfterwards() {
            put(key("short"), "one", SOON);
            put(key("long"), "two", MINUTE);
            put(key("forever"), "three");

            pass(A_MOMENT);

            assertThat(get(key("short"))).isEqualTo(Lookup.absent());
            assertThat(text(get(key("long")))).isEqualTo("two");
            assertThat(text(get(key("forever")))).isEqualTo("three");
        }

        @Test
        void expiredEntry_isInvisibleToEveryRead() {
            Envelope stored = put(key("a"), "one", SOON);
            pass(A_MOMENT);

            assertThat(done(new GetAll(List.of(key("a"))))).containsExactly(Lookup.absent());
            assertThat(done(new GetAndExpire(key("a"), MINUTE))).isEqualTo(Lookup.absent());
            assertThat(done(new GetAndRemove(key("a")))).isEqualTo(Lookup.absent());
            assertThat(done(new CompareAndExpire(key("a"), stored.stamp(), MINUTE)))
                    .isFalse();
            assertThat(done(new CompareAndRemove(key("a"), stored.stamp()))).isFalse();
        }

        @Test
        void entryWhoseExpiryWasPutOff_isStillThere() {
            Expiry lifetime = Expiry.afterMillis(1_000); // enough to put it off on a busy machine
            put(key("a"), "one", lifetime);
            put(key("b"), "two", lifetime);
            Envelope third = put(key("c"), "three", lifetime);

            done(new GetAndExpire(key("a"), Expiry.afterMillis(10_000)));
            put(key("b"), "two again", Expiry.NEVER);
            done(new CompareAndExpire(key("c"), third.stamp(), MINUTE));
            pass(Duration.ofMillis(1_100));

            List<Lookup> found = done(new GetAll(List.of(key("a"), key("b"), key("c"))));
            assertThat(found).allMatch(Lookup::isFound);
        }
    }

    @Nested
    class Connections {
        @Test
        void twoConnections_areUsableAndOfTheSameIncarnation() throws Exception {
            try (PartitionConnection first = connect();
                    PartitionConnection second = connect()) {
                assertThat(first.epoch()).isEqualTo(second.epoch());

                answer(reply(first, new Put(key("a"), envelope("one"), Expiry.NEVER, Expiry.NEVER)));

                assertThat(text(answer(reply(second, new Get(key("a")))))).isEqualTo("one");
                assertThat(second.lost()).isNotDone();
            }
        }

        @Test
        void closedConnection_refusesEveryCommandAndSaysThatItIsLost() throws Exception {
            PartitionConnection closed = connect();
            closed.close();
            closed.close();

            List<Reply<?>> replies = new ArrayList<>();
            replies.add(reply(closed, new Get(key("a"))));
            replies.add(reply(closed, new Put(key("a"), envelope("one"), Expiry.NEVER, Expiry.NEVER)));
            replies.add(reply(closed, new PutAll(List.of())));
            replies.add(reply(closed, new Scan(ScanPage.START, prefix(), 10)));

            assertThat(replies)
                    .allSatisfy(reply -> assertThat(reply)
                            .isInstanceOfSatisfying(
                                    Reply.Refused.class,
                                    refused -> assertThat(refused.refusal()).isEqualTo(Refusal.UNAVAILABLE)));
            assertThat(closed.lost()).succeedsWithin(Duration.ofSeconds(10));
            assertThat(get(key("a"))).isEqualTo(Lookup.absent());
        }

        @Test
        void commandOfAnOlderMapThanTheAnnouncedOne_isRefused_andNotExecuted() throws Exception {
            try (PartitionConnection connection = connect()) {
                Reply<Boolean> announced = connection.announce(MAP_VERSION + 1).get(10, TimeUnit.SECONDS);

                assertThat(announced).isEqualTo(Reply.done(true));
                assertThat(reply(connection, new Put(key("a"), envelope("one"), Expiry.NEVER, Expiry.NEVER)))
                        .isInstanceOfSatisfying(
                                Reply.Refused.class,
                                refused -> assertThat(refused.refusal()).isEqualTo(Refusal.STALE_ROUTE));
                assertThat(get(key("a"))).isEqualTo(Lookup.absent());
            }
        }

        @Test
        void commandsOfTheAnnouncedMapAndOfNewerOnes_areExecuted() throws Exception {
            try (PartitionConnection connection = connect()) {
                assertThat(connection.announce(MAP_VERSION + 1)).succeedsWithin(Duration.ofSeconds(10));

                for (long version : List.of(MAP_VERSION + 1, MAP_VERSION + 2)) {
                    assertThat(connection.send(new Get(key("a")), Route.plain(version), Patience.UNLIMITED))
                            .succeedsWithin(Duration.ofSeconds(10))
                            .isEqualTo(Reply.done(Lookup.absent()));
                }
            }
        }

        @Test
        void announcementOfAnOlderMap_changesNothing() throws Exception {
            try (PartitionConnection connection = connect()) {
                assertThat(connection.announce(MAP_VERSION + 1)).succeedsWithin(Duration.ofSeconds(10));
                assertThat(connection.announce(MAP_VERSION)).succeedsWithin(Duration.ofSeconds(10));

                assertThat(reply(connection, new Get(key("a")))).isInstanceOf(Reply.Refused.class);
            }
        }

        /** What was sent before it is answered first: that is how a partition knows when it may leave. */
        @Test
        void announcement_isAnsweredAfterWhatWasSentBefore() throws Exception {
            try (PartitionConnection connection = connect()) {
                List<CompletableFuture<Reply<Lookup>>> before = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    before.add(connection.send(new Get(key("a" + i)), Route.plain(MAP_VERSION), Patience.UNLIMITED));
                }
                CompletableFuture<Boolean> areThere = connection
                        .announce(MAP_VERSION + 1)
                        .thenApply(done -> before.stream().allMatch(CompletableFuture::isDone));

                assertThat(areThere).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
                assertThat(before).allMatch(reply -> reply.join() instanceof Reply.Done);
            }
        }

        private PartitionConnection connect() throws Exception {
            return connector().connect().get(10, TimeUnit.SECONDS);
        }
    }
}
