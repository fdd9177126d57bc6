// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.redis.RouteVersionGuard.Gated;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The commands on their way into the event loop of their connection. Commands of several threads leave in one write and
 * in the order in which they were added; nothing comes between the commands of one element. Thread-safe.
 * {@link CommandWriter} limits its length.
 */
final class WriteQueue {
    /** An element of the queue: one command, or several that are written without another one in between. */
    @FunctionalInterface
    interface Outgoing {
        void addTo(List<Gated> commands);
    }

    private static final int USUAL = 4;

    private final RouteVersionGuard versionGuard;
    private final Consumer<List<Gated>> beforeWrite;
    private final Queue<Outgoing> commands = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    /** Creates a queue; the consumer may add commands before each write, in the event loop. */
    WriteQueue(RouteVersionGuard versionGuard, Consumer<List<Gated>> beforeWrite) {
        this.versionGuard = versionGuard;
        this.beforeWrite = beforeWrite;
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
        beforeWrite.accept(together);
        for (Outgoing next = first; next != null; next = commands.poll()) {
            next.addTo(together);
        }
        versionGuard.send(together);
    }
}
