// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The commands on their way into the event loop of their connection. Commands of several threads leave in one write and
 * in the order in which they were added; nothing comes between the commands of a {@link CommandPair}. Thread-safe.
 * {@link CommandWriter} limits its length.
 */
public final class WriteQueue {
    @FunctionalInterface
    public interface Lookout {
        /** Adds such commands, if there are any. Called in the event loop, before each write. */
        void checkBefore(List<Gated> commands);
    }

    private static final int USUAL = 4;

    private final RouteVersionGuard versionGuard;
    private final Lookout lookout;
    private final Queue<Outgoing> commands = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    public WriteQueue(RouteVersionGuard versionGuard, Lookout lookout) {
        this.versionGuard = versionGuard;
        this.lookout = lookout;
    }

    void add(Outgoing command) {
        commands.add(command);
        schedule();
    }

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
        // Before the queue is read: a thread that adds something later schedules again.
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
