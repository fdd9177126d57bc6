// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.history.Operation;
import io.keyslot.history.Period;
import io.keyslot.it.OtherJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A process that does a {@link Workload}. */
final class WorkloadJvm implements AutoCloseable {
    private final Workload workload;
    private final OtherJvm jvm;

    private WorkloadJvm(Workload workload, OtherJvm jvm) {
        this.workload = workload;
        this.jvm = jvm;
    }

    static WorkloadJvm start(Workload workload) throws IOException {
        return new WorkloadJvm(workload, OtherJvm.start(WorkloadMain.class, workload.toArguments()));
    }

    void go() throws IOException {
        jvm.awaitLine(WorkloadMain.READY);
        jvm.say("go");
    }

    void runFor(Duration duration) throws InterruptedException {
        jvm.runFor(duration);
    }

    void suspend() throws IOException, InterruptedException {
        jvm.suspend();
    }

    void resume() throws IOException, InterruptedException {
        jvm.resume();
    }

    /** Tells it to stop; {@link #history} waits for the end. */
    void stop() throws IOException {
        jvm.say("stop");
    }

    List<Operation> history() throws IOException, InterruptedException {
        jvm.awaitLine(WorkloadMain.DONE);
        jvm.awaitSuccess();
        try (var lines = Files.lines(workload.history())) {
            return lines.map(Operation::parse).toList();
        }
    }

    /** Returns when the machine stalled; after {@link #history}. */
    List<Period> stalls() throws IOException {
        return periods(workload.stalls());
    }

    /** Returns when the process may have used a journal; after {@link #history}. */
    List<Period> journals() throws IOException {
        return periods(workload.journals());
    }

    /** Returns what the listener heard, in this order; after {@link #history}. */
    List<Heard> heard() throws IOException {
        try (var lines = Files.lines(workload.heard())) {
            return lines.map(Heard::parse).toList();
        }
    }

    private static List<Period> periods(Path file) throws IOException {
        try (var lines = Files.lines(file)) {
            return lines.map(Period::parse).toList();
        }
    }

    @Override
    public void close() {
        jvm.close();
    }
}
