// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.cluster.move.MoveProgress.Amount;
import io.keyslot.cluster.move.MoveProgress.Pauses;
import io.keyslot.cluster.move.MoveProgress.Slots;
import io.keyslot.cluster.move.MoveProgress.Step;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The progress of a move. Thread-safe. */
final class MoveLog {
    private final String move;
    private final MoveTime time;

    // Guarded by this.
    private long copyingSinceNanos;
    private Step step = Step.PREPARING;
    private Amount copied = Amount.NONE;
    private Amount estimated = Amount.NONE;
    private long bytesPerSecond;
    private long dirtyKeys;
    private int clientsBehind;
    private Slots slots = new Slots(0, 0);
    private Pauses pauses = Pauses.NONE;
    private String lastTrouble = "";

    MoveLog(String move, MoveTime time) {
        this.move = move;
        this.time = time;
        this.copyingSinceNanos = time.nanos();
    }

    synchronized MoveProgress now() {
        return new MoveProgress(
                move, step, copied, estimated, bytesPerSecond, dirtyKeys, clientsBehind, slots, pauses, lastTrouble);
    }

    synchronized void step(Step next) {
        step = next;
    }

    synchronized void begin(Amount all) {
        copyingSinceNanos = time.nanos();
        step = Step.COPYING;
        copied = Amount.NONE;
        estimated = all;
        dirtyKeys = 0;
        clientsBehind = 0;
    }

    synchronized void copied(long keys, long bytes) {
        copied = copied.plus(keys, bytes);
        if (step == Step.COPYING) {
            long nanos = Math.max(1, time.nanos() - copyingSinceNanos);
            bytesPerSecond = (long) (copied.bytes() * (double) TimeUnit.SECONDS.toNanos(1) / nanos);
        }
    }

    synchronized void dirty(long keys) {
        dirtyKeys = keys;
    }

    synchronized void behind(int clients) {
        clientsBehind = clients;
    }

    synchronized void slots(int committed, int all) {
        slots = new Slots(committed, all);
    }

    synchronized void paused(Duration writes, Duration reads) {
        pauses = pauses.and(writes, reads);
    }

    synchronized void trouble(String what) {
        lastTrouble = what;
    }
}
