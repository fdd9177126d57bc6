// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Which worker runs: one at a time, in the order in which they could go on. Not safe for use by several threads. */
final class Turns {
    private final Deque<Worker> ready = new ArrayDeque<>();
    private @Nullable Worker running;

    /** The worker can go on, and does when those before it wait or have ended. */
    void ask(Worker worker) {
        ready.add(worker);
        pass();
    }

    /** The worker waits for something, or has ended. */
    void leave(Worker worker) {
        ready.remove(worker);
        if (has(worker)) {
            running = null;
        }
        pass();
    }

    /** Whoever runs is not to be waited for any longer. */
    void goOnWithoutRunning() {
        running = null;
        pass();
    }

    boolean has(Worker worker) {
        return worker.equals(running);
    }

    boolean nobodyRuns() {
        return running == null;
    }

    private void pass() {
        if (running == null) {
            running = ready.poll();
        }
    }
}
