// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Selects the worker that runs: one at a time, in the order in which they became ready or at random. Not thread-safe.
 */
final class WorkerTurns {
    private final List<Worker> ready = new ArrayList<>();
    private @Nullable Worker running;
    private @Nullable RandomGenerator chance;
    private double oftenness;

    /** Switches to random order. The frequency of switches is random too. */
    void leaveToChance(RandomGenerator source) {
        chance = source;
        // Few switches find bugs that need one thread to pause for long, many find those that need several to
        // alternate.
        oftenness = 0.05 + source.nextDouble() * 0.75;
    }

    void leaveToOrder() {
        chance = null;
    }

    boolean areLeftToChance() {
        return chance != null;
    }

    void ask(Worker worker) {
        ready.add(worker);
        pass();
    }

    /** Adds ready workers; the first choice is among all of them. */
    void askAll(List<Worker> workers) {
        ready.addAll(workers);
        pass();
    }

    /** Removes a worker that waits or has ended. */
    void leave(Worker worker) {
        ready.remove(worker);
        if (has(worker)) {
            running = null;
        }
        pass();
    }

    /** Returns whether a random choice selects another worker in place of the running one, which stays ready. */
    boolean offer(Worker worker) {
        if (chance == null || !has(worker) || ready.isEmpty() || chance.nextDouble() >= oftenness) {
            return false;
        }
        running = null;
        pass();
        ready.add(worker);
        return true;
    }

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
