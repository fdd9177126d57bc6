// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The commands on their way into the event loop of their connection. What several threads add before the event loop comes
 * to it leaves in one write, and in the order in which it was added. Safe for use by several threads.
 *
 * <p>It is as long as the commands that may be in flight, no longer: {@link CommandWriter} counts them.
 */
final class Outbox {
    /** How many commands are mostly there at a time. */
    private static final int USUAL = 4;

    private final Gate gate;
    private final Queue<Gated> commands = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    Outbox(Gate gate) {
        this.gate = gate;
    }

    /** Hands over a command. */
    void add(Gated command) {
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
            gate.eventLoop().execute(this::empty);
        } catch (RejectedExecutionException ended) {
            gate.shut();
            empty();
        }
    }

    private void empty() {
        // Before the queue is looked at: who adds something later schedules again.
        isScheduled.set(false);
        List<Gated> together = new ArrayList<>(USUAL);
        for (Gated next = commands.poll(); next != null; next = commands.poll()) {
            together.add(next);
        }
        gate.send(together);
    }
}
