// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.testkit.EmbeddedKeyslot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One thread of a program: makes its calls, one after the other. */
final class Caller implements Runnable {
    private final String name;
    private final Program program;
    private final int number;
    private final OneProcess process;
    private final Recorder recorder;
    private final EmbeddedKeyslot keyslot;
    private @Nullable Thread thread;

    Caller(String name, Program program, int number, OneProcess process, Recorder recorder) {
        this.name = name;
        this.program = program;
        this.number = number;
        this.process = process;
        this.recorder = recorder;
        this.keyslot = process.keyslot();
    }

    void interrupt() {
        if (thread != null && thread.isAlive()) {
            thread.interrupt();
        }
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        for (Call call : program.of(number)) {
            pause(call);
            if (!process.hasCache()) {
                return; // it was destroyed, and cannot be made again before all is well
            }
            if (call.isInterrupted()) {
                Thread.currentThread().interrupt();
            }
            make(call);
        }
    }

    private void make(Call call) {
        Duration begin = keyslot.elapsed();
        Attempt attempt = new Attempt(name, call, process, recorder);
        recorder.note("%s begins %s %s".formatted(name, call.kind(), call.keys()));
        attempt.make();
        boolean interrupted = Thread.interrupted();
        recorder.note(
                "%s ends %s: %s%s".formatted(name, call.kind(), attempt.answer(), interrupted ? ", interrupted" : ""));
        Duration took = keyslot.elapsed().minus(begin);
        if (took.compareTo(ProgramRun.LONGEST_CALL) > 0) {
            throw new AssertionError("%s %s took %s".formatted(name, call.kind(), took));
        }
    }

    /** Time passes only when all threads wait: who has no pause does not. */
    private void pause(Call call) {
        if (call.pauseMillis() > 0) {
            keyslot.advance(Duration.ofMillis(call.pauseMillis()));
        } else {
            keyslot.yieldTurn();
        }
    }
}
