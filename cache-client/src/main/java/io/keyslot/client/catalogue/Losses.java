// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.DecidedValue;
import io.keyslot.client.register.Register;
import io.keyslot.client.register.RegisterAnswer;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Restores what instances have lost of the register: the copy at once, the vote after a random pause, because other
 * clients may have noticed too. One vote at a time; remaining losses are noticed again. Thread-safe.
 */
final class Losses {
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final Register register;
    private final Timing timing;
    private final Consumer<DecidedValue> learned;
    private final AtomicBoolean isMending = new AtomicBoolean();

    Losses(Register register, Timing timing, Consumer<DecidedValue> learned) {
        this.register = register;
        this.timing = timing;
        this.learned = learned;
    }

    void giveBack(PartitionId instance, AcceptorAnswer.Stamped stamped, DecidedValue known) {
        if (stamped.copy() == null || known.stamp().isAfter(stamped.copy())) {
            CompletableFuture<AcceptorAnswer> unused = register.copyTo(instance, known);
        }
        boolean isLost = known.value()
                .voters()
                .incarnationAt(instance)
                .filter(incarnation -> !incarnation.equals(stamped.incarnation()))
                .isPresent();
        if (isLost) {
            mend(() -> register.returnVote(instance));
        } else if (!known.value().isSettled()) {
            mend(() -> register.settle(known));
        }
    }

    private void mend(Supplier<CompletableFuture<RegisterAnswer>> change) {
        if (isMending.compareAndSet(false, true)
                && timing.schedule(() -> begin(change), timing.upTo(LONGEST_PAUSE))
                        .isEmpty()) {
            isMending.set(false);
        }
    }

    private void begin(Supplier<CompletableFuture<RegisterAnswer>> change) {
        Futures.whenOver(change.get(), (answer, failure) -> {
            isMending.set(false);
            if (answer instanceof RegisterAnswer.Ok ok) {
                learned.accept(ok.decided());
            } else if (answer instanceof RegisterAnswer.NotMade none) {
                learned.accept(none.decided());
            }
        });
    }
}
