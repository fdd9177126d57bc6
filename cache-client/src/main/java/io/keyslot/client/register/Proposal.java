// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.client.concurrent.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Executes a {@link Round}. Thread-safe. */
final class Proposal {
    /** A change that is outbid more often than this fails. */
    static final int MOST_ATTEMPTS = 12;

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final Acceptors acceptors;
    private final Timing timing;
    private final CompletableFuture<RegisterAnswer> over = new CompletableFuture<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final Round.Step first;
    private Round round; // guarded by this
    private int attempts = 1; // guarded by this
    private Duration pause = SHORTEST_PAUSE; // guarded by this
    private boolean isHurried; // guarded by this

    Proposal(Acceptors acceptors, Timing timing, Round.Step first) {
        this.acceptors = acceptors;
        this.timing = timing;
        this.first = first;
        this.round = first.round();
    }

    CompletableFuture<RegisterAnswer> run() {
        send(first.sendings());
        return over;
    }

    /** Starts a held round. The future completes when it is ready or over. */
    CompletableFuture<Void> prepare() {
        send(first.sendings());
        return ready;
    }

    /** Continues a held round. If it was outbid meanwhile, it starts again at once. */
    CompletableFuture<RegisterAnswer> go() {
        Round.Step step;
        synchronized (this) {
            step = round.go();
            round = step.round();
            isHurried = true;
        }
        follow(step, false);
        return over;
    }

    private void send(List<Round.Sending> sendings) {
        for (Round.Sending sending : sendings) {
            CompletableFuture<Void> unused = acceptors
                    .ask(sending.to(), sending.request())
                    .thenAccept(answer -> take(sending, answer))
                    .whenComplete((done, failure) -> {
                        if (failure != null) {
                            giveUp(String.valueOf(
                                    failure.getMessage())); // such as a change that cannot be encoded as text
                        }
                    });
        }
    }

    private void take(Round.Sending sending, AcceptorAnswer answer) {
        Round.Step step;
        boolean isNowOutbid;
        synchronized (this) {
            boolean was = round.isOutbid();
            step = round.on(sending.to(), sending.request(), answer);
            round = step.round();
            isNowOutbid = round.isOutbid() && !was;
        }
        follow(step, isNowOutbid);
    }

    private void follow(Round.Step step, boolean isOutbid) {
        RegisterAnswer answer = step.round().answer();
        if (answer != null) {
            over.complete(answer);
            ready.complete(null);
        } else if (step.round().isReady()) {
            ready.complete(null);
        } else if (isOutbid) {
            pause();
        } else {
            send(step.sendings());
        }
    }

    private void pause() {
        long nanos;
        synchronized (this) {
            attempts++;
            if (isHurried) {
                isHurried = false;
                nanos = 0;
            } else {
                nanos = timing.random().nextLong(pause.toNanos()) + SHORTEST_PAUSE.toNanos();
                pause = Timing.doubled(pause, 1, LONGEST_PAUSE);
            }
        }
        if (nanos == 0) {
            again();
        } else if (timing.schedule(this::again, nanos).isEmpty()) {
            giveUp("this client is closing");
        }
    }

    private void again() {
        Round.Step step;
        synchronized (this) {
            if (attempts > MOST_ATTEMPTS) {
                step = null;
            } else {
                step = round.again();
                round = step.round();
            }
        }
        if (step == null) {
            giveUp("others changed what is agreed on at the same time, %d times in a row: try again"
                    .formatted(MOST_ATTEMPTS));
        } else {
            send(step.sendings());
        }
    }

    private void giveUp(String why) {
        Round ended;
        synchronized (this) {
            round = round.giveUp(why);
            ended = round;
        }
        follow(new Round.Step(ended, List.of()), false);
    }
}
