// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static io.keyslot.client.health.Replies.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.health.Replies;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Nothing is sent for a call that was given up. */
class GivingUpTest {
    private static final Duration LONG = Duration.ofSeconds(1);

    private final RouterFixture fixture = new RouterFixture().started();
    private final EncodedKey key = RouterFixture.keysOf(RouterFixture.P1, 1).get(0);
    private final Deadline deadline = fixture.deadline();

    private CompletableFuture<Reply<Boolean>> put() {
        return fixture.router.send(key, Replies.put(key), Patience.until(deadline));
    }

    @Test
    void refusedCommand_isNotSentAgain() {
        fixture.connection1.answering(command -> refused(Refusal.NOT_NOW));
        CompletableFuture<Reply<Boolean>> reply = put();
        deadline.giveUp();
        fixture.time.advance(LONG);

        assertThat(fixture.connection1.sent()).hasSize(1);
        assertThat(reply).isDone();
    }

    @Test
    void commandThatMovedMeanwhile_isNotSentToTheNewOwner() {
        fixture.connection1.hold();
        CompletableFuture<Reply<Boolean>> reply = put();
        fixture.giveAllTo(RouterFixture.P2);
        deadline.giveUp();
        fixture.connection1.answer(refused(Refusal.STALE_ROUTE));
        fixture.time.advance(LONG);

        assertThat(fixture.connection2.sent()).isEmpty();
        assertThat(reply).isDone();
    }

    /** Races of one thread that begins with another that gives up: 20,000 of them, each with a deadline of its own. */
    @Test
    void whatBegins_hasBegunWhenGivingUpReturns() throws InterruptedException {
        int races = 20_000;
        Deadline[] deadlines = new Deadline[races];
        AtomicInteger[] begun = new AtomicInteger[races];
        for (int i = 0; i < races; i++) {
            deadlines[i] = fixture.deadline();
            begun[i] = new AtomicInteger();
        }
        Thread other = new Thread(() -> {
            for (int i = 0; i < races; i++) {
                AtomicInteger count = begun[i];
                for (int step = 0; step < 3; step++) {
                    int unused = deadlines[i].begin(count::incrementAndGet, () -> 0);
                }
            }
        });
        int[] known = new int[races];
        other.start();
        for (int i = 0; i < races; i++) {
            deadlines[i].giveUp();
            known[i] = begun[i].get();
        }
        other.join();

        for (int i = 0; i < races; i++) {
            assertThat(begun[i].get()).isEqualTo(known[i]);
        }
    }
}
