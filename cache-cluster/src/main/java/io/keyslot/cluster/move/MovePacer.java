// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.cluster.copy.Pace;
import io.keyslot.cluster.copy.Throttle;
import java.time.Duration;

/** The pace of a move: between two batches it counts, waits, and looks whether the map says something else by now. */
final class MovePacer implements Pace {
    private final MoveJournal journal;
    private final Throttle throttle;
    private final MoveTime time;
    private final Duration betweenLooks;
    private final Runnable look;

    /** @param look is called between two batches, and so often while the next one is waited for: it may change what is owed */
    MovePacer(MoveJournal journal, Throttle throttle, MoveTime time, Duration betweenLooks, Runnable look) {
        this.journal = journal;
        this.throttle = throttle;
        this.time = time;
        this.betweenLooks = betweenLooks;
        this.look = look;
    }

    /** Returns one that counts, and waits for nothing. */
    static MovePacer unbound(MoveJournal journal, MoveTime time) {
        return new MovePacer(journal, new Throttle(time), time, Duration.ZERO, () -> {});
    }

    @Override
    public void begin() {
        throttle.begin();
    }

    @Override
    public boolean isOneAtATime() {
        return throttle.isPausing();
    }

    @Override
    public void done(long keys, long bytes) {
        if (bytes > 0) {
            journal.copied(keys, bytes);
        }
        throttle.take(bytes);
        look.run();
        for (Duration owed = throttle.owed(); !owed.isZero(); owed = throttle.owed()) {
            time.pause(owed.compareTo(betweenLooks) < 0 ? owed : betweenLooks);
            look.run();
        }
        throttle.begin();
    }
}
