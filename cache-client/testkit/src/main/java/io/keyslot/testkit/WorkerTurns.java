// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Which worker runs: one at a time, in the order in which they could go on, or, while it is left to chance, in any. Not
 * safe for use by several threads.
 */
final class WorkerTurns {
    private final List<Worker> ready = new ArrayList<>();
    private @Nullable Worker running;
    private @Nullable RandomGenerator chance;
    private double oftenness;

    /** From now on chance decides who goes on. How often somebody else does is decided by chance as well. */
    void leaveToChance(RandomGenerator source) {
        chance = source;
        // Few changes find what needs one thread to stand still for long, many find what needs a dance of several.
        oftenness = 0.05 + source.nextDouble() * 0.75;
    }

    /** From now on they go on in the order in which they can. */
    void leaveToOrder() {
        chance = null;
    }

    boolean areLeftToChance() {
        return chance != null;
    }

    /** The worker can go on, and does when it is its turn. */
    void ask(Worker worker) {
        ready.add(worker);
        pass();
    }

    /** These workers can go on; the first choice is among all of them. */
    void askAll(List<Worker> workers) {
        ready.addAll(workers);
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

    /** The worker runs and could go on; returns whether another one does in its place, if chance wants it so. */
    boolean offer(Worker worker) {
        if (chance == null || !has(worker) || ready.isEmpty() || chance.nextDouble() >= oftenness) {
            return false;
        }
        running = null;
        pass();
        ready.add(worker);
        return true;
    }

    /** Whoever runs is not to be waited for any longer. */
    void goOnWithoutRunning() {
        running = null;
        pass();
    }

    boolean has(Worker worker) {
        return worker.equals(running);
    }

    boolean noneRuns() {
        return running == null;
    }

    @Nullable
    Worker running() {
        return running;
    }

    private void pass() {
        if (running == null && !ready.isEmpty()) {
            Worker next = ready.remove(chance == null ? 0 : chance.nextInt(ready.size()));
            running = next;
            next.awaken();
        }
    }
}
