// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.history.Operation;
import io.keyslot.history.Period;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The two processes that are the load of a fault test, and what both have written down. */
record TwoProcesses(WorkloadJvm left, WorkloadJvm right) {
    static final String LEFT = "left";
    static final String RIGHT = "right";

    @FunctionalInterface
    private interface Written<T> {
        List<T> of(WorkloadJvm process) throws IOException;
    }

    void go() throws IOException {
        left.go();
        right.go();
    }

    /** Lets time pass, while both go on. */
    void goOn(Duration duration) throws InterruptedException {
        right.runFor(duration);
    }

    /** Ends the load and returns all that was called, by the time of its beginning. */
    List<Operation> stop() throws IOException, InterruptedException {
        left.stop();
        right.stop();
        List<Operation> history = new ArrayList<>(left.history());
        history.addAll(right.history());
        history.sort(Comparator.comparingLong(Operation::start));
        return history;
    }

    /** Returns when the machine stalled; after {@link #stop}. */
    List<Period> stalls() throws IOException {
        return both(WorkloadJvm::stalls);
    }

    /** Returns when a process may have used a journal; after {@link #stop}. */
    List<Period> journals() throws IOException {
        return both(WorkloadJvm::journals);
    }

    /** Returns what the listeners heard, each in its order; after {@link #stop}. */
    List<Heard> heard() throws IOException {
        return both(WorkloadJvm::heard);
    }

    private <T> List<T> both(Written<T> written) throws IOException {
        List<T> all = new ArrayList<>(written.of(left));
        all.addAll(written.of(right));
        return all;
    }
}
