// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The commands on their way into the event loop of their connection. What several threads add before the event loop comes
 * to it leaves in one write, and in the order in which it was added; between {@link CommandPair} commands nothing leaves. Safe for use by several threads.
 *
 * <p>It is as long as the commands that may be in flight, no longer: {@link CommandWriter} counts them.
 */
public final class WriteQueue {
    /** Whatever has to leave before what leaves. */
    @FunctionalInterface
    public interface Lookout {
        /** Adds it, if there is something for now. Called in the event loop, before each write. */
        void checkBefore(List<Gated> commands);
    }

    /** How many commands are mostly there at a time. */
    private static final int USUAL = 4;

    private final RouteVersionGuard versionGuard;
    private final Lookout lookout;
    private final Queue<Outgoing> commands = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    public WriteQueue(RouteVersionGuard versionGuard, Lookout lookout) {
        this.versionGuard = versionGuard;
        this.lookout = lookout;
    }

    /** Hands over a command, or {@link CommandPair} ones. */
    void add(Outgoing command) {
        commands.add(command);
        schedule();
    }

    /** Hands over several commands. */
    void addAll(List<? extends Gated> several) {
        commands.addAll(several);
        schedule();
    }

    private void schedule() {
        if (isScheduled.get() || !isScheduled.compareAndSet(false, true)) {
            return;
        }
        try {
            versionGuard.eventLoop().execute(this::empty);
        } catch (RejectedExecutionException ended) {
            versionGuard.shut();
            empty();
        }
    }

    private void empty() {
        // Before the queue is looked at: who adds something later schedules again.
        isScheduled.set(false);
        Outgoing first = commands.poll();
        if (first == null) {
            return;
        }
        List<Gated> together = new ArrayList<>(USUAL);
        lookout.checkBefore(together);
        for (Outgoing next = first; next != null; next = commands.poll()) {
            next.addTo(together);
        }
        versionGuard.send(together);
    }
}
