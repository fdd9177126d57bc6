// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.cluster.move.MoveProgress.Amount;
import io.keyslot.cluster.move.MoveProgress.Pauses;
import io.keyslot.cluster.move.MoveProgress.Slots;
import io.keyslot.cluster.move.MoveProgress.Step;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** The progress of a move. Written by the coordinator's thread, read by any. */
final class MoveLog {
    private final MoveTime time;
    private long copyingSinceNanos;
    private volatile MoveProgress now;

    MoveLog(String move, MoveTime time) {
        this.time = time;
        this.copyingSinceNanos = time.nanos();
        this.now = new MoveProgress(
                move, Step.PREPARING, Amount.NONE, Amount.NONE, 0, 0, 0, new Slots(0, 0), Pauses.NONE, "");
    }

    MoveProgress now() {
        return now;
    }

    void step(Step step) {
        change(was -> with(was, step, was.copied(), was.estimated(), was.dirtyKeys(), was.clientsBehind()));
    }

    void begin(Amount estimated) {
        copyingSinceNanos = time.nanos();
        change(was -> with(was, Step.COPYING, Amount.NONE, estimated, 0, 0));
    }

    void copied(long keys, long bytes) {
        change(was -> {
            Amount copied = was.copied().plus(keys, bytes);
            long nanos = Math.max(1, time.nanos() - copyingSinceNanos);
            boolean isPass = was.step() == Step.COPYING;
            long rate = isPass
                    ? (long) (copied.bytes() * (double) TimeUnit.SECONDS.toNanos(1) / nanos)
                    : was.bytesPerSecond();
            return new MoveProgress(
                    was.move(),
                    was.step(),
                    copied,
                    was.estimated(),
                    rate,
                    was.dirtyKeys(),
                    was.clientsBehind(),
                    was.slots(),
                    was.pauses(),
                    was.lastTrouble());
        });
    }

    void dirty(long keys) {
        change(was -> with(was, was.step(), was.copied(), was.estimated(), keys, was.clientsBehind()));
    }

    void behind(int clients) {
        change(was -> with(was, was.step(), was.copied(), was.estimated(), was.dirtyKeys(), clients));
    }

    void slots(int committed, int all) {
        change(was -> new MoveProgress(
                was.move(),
                was.step(),
                was.copied(),
                was.estimated(),
                was.bytesPerSecond(),
                was.dirtyKeys(),
                was.clientsBehind(),
                new Slots(committed, all),
                was.pauses(),
                was.lastTrouble()));
    }

    void paused(Duration writes, Duration reads) {
        change(was -> new MoveProgress(
                was.move(),
                was.step(),
                was.copied(),
                was.estimated(),
                was.bytesPerSecond(),
                was.dirtyKeys(),
                was.clientsBehind(),
                was.slots(),
                was.pauses().and(writes, reads),
                was.lastTrouble()));
    }

    void trouble(String what) {
        change(was -> new MoveProgress(
                was.move(),
                was.step(),
                was.copied(),
                was.estimated(),
                was.bytesPerSecond(),
                was.dirtyKeys(),
                was.clientsBehind(),
                was.slots(),
                was.pauses(),
                what));
    }

    private static MoveProgress with(
            MoveProgress was, Step step, Amount copied, Amount estimated, long dirty, int behind) {
        return new MoveProgress(
                was.move(),
                step,
                copied,
                estimated,
                was.bytesPerSecond(),
                dirty,
                behind,
                was.slots(),
                was.pauses(),
                was.lastTrouble());
    }

    private void change(UnaryOperator<MoveProgress> change) {
        now = change.apply(now);
    }
}
