// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.history.Operation;
import io.keyslot.history.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One thread of a workload: calls, and writes down what came of it. */
final class RecordingCaller implements Runnable {
    /** Leaves the processors to others as well, and a history of some thousand operations per second. */
    private static final long NANOS_BETWEEN_CALLS = 1_500_000;

    private final String name;
    private final PartitionedCache<String, Long> cache;
    private final Script script;
    private final BooleanSupplier running;
    private final Ticker ticker = new SystemTicker();
    private final List<Operation> history = new ArrayList<>();
    private volatile @Nullable Thread thread;

    RecordingCaller(String name, PartitionedCache<String, Long> cache, Script script, BooleanSupplier running) {
        this.name = name;
        this.cache = cache;
        this.script = script;
        this.running = running;
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        while (running.getAsBoolean()) {
            call(script.next());
            Thread.interrupted(); // it was meant for this call; one that comes in the pause is for the next one
            LockSupport.parkNanos(NANOS_BETWEEN_CALLS);
        }
    }

    /** Interrupts the thread, if it has begun. */
    void interrupt() {
        Thread begun = thread;
        if (begun != null) {
            begun.interrupt();
        }
    }

    private void call(Call call) {
        long start = ticker.nanos();
        try {
            Object result = call.on(cache);
            record(call, start, Outcome.OK, result, "");
            script.answered(result);
        } catch (OutcomeUnknownException | InterruptedException e) { // asynchronous calls go on without the thread
            record(call, start, Outcome.UNKNOWN, null, note(e));
        } catch (RuntimeException e) { // also what no cache may throw: the test names it
            record(call, start, Outcome.FAILED, null, note(e));
        }
    }

    private void record(Call call, long start, Outcome outcome, @Nullable Object result, String note) {
        history.add(new Operation(
                name,
                call.action(),
                call.key(),
                call.argument(),
                call.expected(),
                outcome,
                result,
                start,
                ticker.nanos(),
                note));
    }

    private static String note(Exception failure) {
        return failure.getClass().getSimpleName() + ": " + failure.getMessage();
    }

    /** Returns what was called, once the thread has ended. */
    List<Operation> history() {
        return history;
    }
}
