// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static io.keyslot.client.health.Replies.TIMEOUT;
import static io.keyslot.client.health.Replies.now;
import static io.keyslot.client.health.Replies.refused;
import static io.keyslot.client.routing.RouterFixture.P1;
import static io.keyslot.client.routing.RouterFixture.P2;
import static io.keyslot.client.routing.RouterFixture.keysOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.ScriptedWaiter;
import io.keyslot.client.health.Replies;
import io.keyslot.client.health.ScriptedConnection;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BulkTest {
    private final RouterFixture fixture = new RouterFixture().started();
    private final PartitionRouter router = fixture.router;

    /** Returns an entry that can be told from that of any other key of these tests. */
    private static Lookup entryOf(EncodedKey key) {
        return Lookup.of(Envelope.of(Long.parseLong(key.text().substring("customer:".length())) + 1, new byte[0]));
    }

    private static Reply<?> entries(Command<?> command) {
        return Reply.done(((Command.GetAll) command)
                .keys().stream().map(BulkTest::entryOf).toList());
    }

    private static List<EncodedKey> mixed(int ofEach) {
        List<EncodedKey> keys = new ArrayList<>(keysOf(P1, ofEach));
        keys.addAll(keysOf(P2, ofEach));
        Collections.shuffle(keys, new Random(1));
        return keys;
    }

    private static List<Long> stamps(List<Reply<Lookup>> replies) {
        return replies.stream()
                .map(reply -> ((Reply.Done<Lookup>) reply).value().stamp())
                .toList();
    }

    private static List<Long> stampsOf(List<EncodedKey> keys) {
        return keys.stream().map(key -> entryOf(key).stamp()).toList();
    }

    @Nested
    class GetAll {
        @Test
        void replies_areInTheOrderOfTheKeys() {
            fixture.connection1.answering(BulkTest::entries);
            fixture.connection2.answering(BulkTest::entries);
            List<EncodedKey> keys = mixed(700);

            assertThat(stamps(now(RouterFixture.getAll(router, keys, fixture.patience()))))
                    .isEqualTo(stampsOf(keys));
        }

        @Test
        void noKeys_needNoCommand() {
            assertThat(now(RouterFixture.getAll(router, List.of(), fixture.patience())))
                    .isEmpty();
            assertThat(fixture.observed).isEmpty();
        }

        @Test
        void commands_areSentInParallelWithAtMost500KeysEach() {
            CompletableFuture<List<Reply<Lookup>>> replies =
                    RouterFixture.getAll(router, mixed(1001), fixture.patience());

            assertThat(replies).isNotDone();
            assertThat(fixture.connection1.sent())
                    .extracting(command -> ((Command.GetAll) command).keys().size())
                    .containsExactly(500, 500, 1);
            assertThat(fixture.connection2.held()).isEqualTo(3);
        }

        @Test
        void missingPartition_failsItsKeysOnly() {
            fixture.losePartition1();
            fixture.connection2.answering(BulkTest::entries);
            List<EncodedKey> keys = mixed(3);
            List<Reply<Lookup>> replies = now(RouterFixture.getAll(router, keys, fixture.patience()));

            for (int i = 0; i < keys.size(); i++) {
                assertThat(replies.get(i))
                        .isInstanceOf(keys.get(i).slot() < 8192 ? Reply.Refused.class : Reply.Done.class);
            }
        }

        @Test
        void keysWithoutOwner_areRefused() {
            fixture.offer(new SlotMap(2, Map.of(P1, List.of(new SlotRange(0, 8191)))));
            fixture.connection1.answering(BulkTest::entries);
            EncodedKey unowned = keysOf(P2, 1).get(0);
            List<EncodedKey> keys = List.of(unowned, keysOf(P1, 1).get(0));
            List<Reply<Lookup>> replies = now(RouterFixture.getAll(router, keys, fixture.patience()));

            assertThat(replies.get(0))
                    .isEqualTo(Reply.refused(
                            Refusal.UNAVAILABLE, "slot " + unowned.slot() + " has no owner in slot map version 2"));
            assertThat(replies.get(1)).isInstanceOf(Reply.Done.class);
        }

        @Test
        void wrongNumberOfAnswers_isUnknown() {
            fixture.connection1.answering(command -> Reply.done(List.of(Lookup.absent())));

            assertThat(now(RouterFixture.getAll(router, keysOf(P1, 2), fixture.patience())))
                    .hasSize(2)
                    .allMatch(reply -> reply instanceof Reply.Unknown);
        }

        @Test
        void staleRoute_isSplitAgainByTheNewerMap() {
            fixture.connection2.answering(BulkTest::entries);
            List<EncodedKey> keys = mixed(5);
            CompletableFuture<List<Reply<Lookup>>> replies = RouterFixture.getAll(router, keys, fixture.patience());
            fixture.giveAllTo(P2);
            fixture.connection1.answer(refused(Refusal.STALE_ROUTE));
            fixture.time.advance(RetryPauses.FIRST_PAUSE);

            assertThat(stamps(now(replies))).isEqualTo(stampsOf(keys));
            assertThat(fixture.connection1.sent()).hasSize(1);
            assertThat(fixture.connection2.versions()).containsExactly(1L, 2L);
        }
    }

    @Nested
    class GetAllAndWait {
        private final List<EncodedKey> keys = mixed(3);
        private final List<Boolean> seen = new ArrayList<>();

        private CompletableFuture<List<Reply<Lookup>>> getAll(Runnable whileWaiting) {
            return RouterFixture.getAll(
                    router, keys, new Patience(fixture.deadline(), new ScriptedWaiter(seen, whileWaiting)));
        }

        private void answer(ScriptedConnection connection) {
            if (connection.held() > 0) {
                connection.answer(entries(connection.oldest()));
            }
        }

        @Test
        void replies_areThereWhenTheCallReturns() {
            CompletableFuture<List<Reply<Lookup>>> replies = getAll(() -> {
                assertThat(fixture.connection1.sent()).hasSize(1);
                assertThat(fixture.connection2.sent()).hasSize(1);
                answer(fixture.connection1);
                answer(fixture.connection2);
            });

            assertThat(stamps(now(replies))).isEqualTo(stampsOf(keys));
            assertThat(seen).startsWith(false).containsOnlyOnce(false);
        }

        @Test
        void repliesThatComeLater_areStillJoined() {
            CompletableFuture<List<Reply<Lookup>>> replies = getAll(() -> answer(fixture.connection1));
            assertThat(replies).isNotDone();
            answer(fixture.connection2);

            assertThat(stamps(now(replies))).isEqualTo(stampsOf(keys));
        }

        @Test
        void roundAfterAPause_isNotWaitedForByTheThreadThatContinues() {
            fixture.connection1.answering(BulkTest::entries);
            CompletableFuture<List<Reply<Lookup>>> replies = getAll(() -> {
                if (fixture.connection2.held() > 0) {
                    fixture.connection2.answer(refused(Refusal.NOT_NOW));
                }
            });
            int waits = seen.size();
            fixture.time.advance(RetryPauses.FIRST_PAUSE);
            assertThat(replies).isNotDone();
            answer(fixture.connection2);

            assertThat(stamps(now(replies))).isEqualTo(stampsOf(keys));
            assertThat(seen).hasSize(waits);
        }
    }

    @Nested
    class PutAll {
        @Test
        void eachPut_hasItsOwnReply() {
            List<Command.Put> puts = keysOf(P1, 3).stream().map(Replies::put).toList();
            List<Reply<Boolean>> answers =
                    List.of(Reply.done(true), refused(Refusal.NOT_WRITABLE), Reply.unknown("no answer", null));
            fixture.connection1.answering(command -> Reply.done(answers));

            assertThat(now(RouterFixture.putAll(router, puts, fixture.patience())))
                    .isEqualTo(answers);
        }

        @Test
        void onlyRefusedPutsThatMayBeAccepted_areSentAgain() {
            List<Command.Put> puts = keysOf(P1, 3).stream().map(Replies::put).toList();
            CompletableFuture<List<Reply<Boolean>>> replies = RouterFixture.putAll(router, puts, fixture.patience());
            fixture.connection1.answer(
                    Reply.done(List.of(Reply.done(true), refused(Refusal.NOT_NOW), Reply.unknown("no answer", null))));
            fixture.time.advance(RetryPauses.FIRST_PAUSE);
            fixture.connection1.answer(Reply.done(List.of(Reply.done(true))));

            assertThat(((Command.PutAll) fixture.connection1.sent().get(1)).puts())
                    .containsExactly(puts.get(1));
            assertThat(now(replies))
                    .containsExactly(Reply.done(true), Reply.done(true), Reply.unknown("no answer", null));
        }

        @Test
        void unknownOutcome_isUnknownForEveryPutOfTheCommandAndNotSentAgain() {
            List<Command.Put> puts = keysOf(P1, 2).stream().map(Replies::put).toList();
            CompletableFuture<List<Reply<Boolean>>> replies = RouterFixture.putAll(router, puts, fixture.patience());
            fixture.connection1.answer(TIMEOUT);

            assertThat(now(replies)).hasSize(2).allMatch(reply -> reply instanceof Reply.Unknown);
            assertThat(fixture.connection1.sent()).hasSize(1);
        }

        @Test
        void commands_haveAtMost500Puts() {
            List<Command.Put> puts = keysOf(P1, 501).stream().map(Replies::put).toList();
            CompletableFuture<List<Reply<Boolean>>> unused = RouterFixture.putAll(router, puts, fixture.patience());

            assertThat(fixture.connection1.held()).isEqualTo(2);
        }
    }

    @Nested
    class RemoveAll {
        @Test
        void executedCommand_isTrueForEachKeyWhateverWasThere() {
            CompletableFuture<List<Reply<Boolean>>> replies =
                    RouterFixture.removeAll(router, keysOf(P1, 3), fixture.patience());
            fixture.connection1.answer(Reply.done(1L));

            assertThat(now(replies)).containsExactly(Reply.done(true), Reply.done(true), Reply.done(true));
        }

        @Test
        void unknownOutcome_isRepeated() {
            CompletableFuture<List<Reply<Boolean>>> replies =
                    RouterFixture.removeAll(router, keysOf(P1, 1), fixture.patience());
            fixture.connection1.answer(TIMEOUT);
            fixture.time.advance(RetryPauses.FIRST_PAUSE);
            fixture.connection1.answer(Reply.done(0L));

            assertThat(now(replies)).containsExactly(Reply.done(true));
        }

        @Test
        void slotThatItsServerHasMoved_isRemovedElsewhere_andNoOtherTwice() {
            List<EncodedKey> keys = keysOf(P1, 3);
            fixture.offerOfServers(SlotMap.ofEqualShares(2, List.of(P1, P2)));
            CompletableFuture<List<Reply<Boolean>>> replies = RouterFixture.removeAll(router, keys, fixture.patience());
            assertThat(fixture.connection1.held()).isEqualTo(3);
            fixture.connection1.answer(Reply.done(1L));
            fixture.connection1.answer(refused(Refusal.MOVED));
            fixture.connection1.answer(Reply.done(1L));

            fixture.offerOfServers(new SlotMap(3, Map.of(P2, List.of(new SlotRange(0, 16383)), P1, List.of())));
            fixture.time.advance(RetryPauses.FIRST_PAUSE);
            assertThat(fixture.connection2.sent()).containsExactly(new Command.RemoveAll(List.of(keys.get(1))));
            fixture.connection2.answer(Reply.done(1L));

            assertThat(now(replies)).containsExactly(Reply.done(true), Reply.done(true), Reply.done(true));
        }

        @Test
        void slotOfServersThatIsRefusedToTheEnd_isToldForItAlone() {
            List<EncodedKey> keys = keysOf(P1, 2);
            fixture.offerOfServers(SlotMap.ofEqualShares(2, List.of(P1, P2)));
            CompletableFuture<List<Reply<Boolean>>> replies = RouterFixture.removeAll(router, keys, fixture.patience());
            fixture.connection1.answer(Reply.done(1L));
            fixture.connection1.answer(refused(Refusal.NOT_WRITABLE));

            assertThat(now(replies)).containsExactly(Reply.done(true), refused(Refusal.NOT_WRITABLE));
        }
    }
}
