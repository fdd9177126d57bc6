// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static io.keyslot.client.health.Replies.now;
import static io.keyslot.client.health.Replies.refused;
import static io.keyslot.client.routing.RouterFixture.P1;
import static io.keyslot.client.routing.RouterFixture.P2;
import static io.keyslot.client.routing.RouterFixture.keysOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.health.Replies;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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

    @Nested
    class GetAll {
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
    }

    @Test
    void onlyRefusedPutsThatMayBeAccepted_areSentAgain() {
        List<Command.Put> puts = keysOf(P1, 3).stream().map(Replies::put).toList();
        CompletableFuture<List<Reply<Boolean>>> replies = RouterFixture.putAll(router, puts, fixture.patience());
        fixture.connection1.answer(
                Reply.done(List.of(Reply.done(true), refused(Refusal.NOT_NOW), Reply.unknown("no answer", null))));
        fixture.time.advance(RetryPauses.FIRST_PAUSE);
        fixture.connection1.answer(Reply.done(List.of(Reply.done(true))));

        assertThat(((Command.PutAll) fixture.connection1.sent().get(1)).puts()).containsExactly(puts.get(1));
        assertThat(now(replies)).containsExactly(Reply.done(true), Reply.done(true), Reply.unknown("no answer", null));
    }
}
