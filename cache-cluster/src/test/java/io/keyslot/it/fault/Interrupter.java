// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Interrupts one of the callers now and then, at moments that have nothing to do with what they call. */
final class Interrupter implements Runnable {
    private static final long MOST_NANOS_BETWEEN = TimeUnit.MILLISECONDS.toNanos(150);

    private final List<RecordingCaller> callers;
    private final Random random;
    private final BooleanSupplier running;

    Interrupter(List<RecordingCaller> callers, Random random, BooleanSupplier running) {
        this.callers = List.copyOf(callers);
        this.random = random;
        this.running = running;
    }

    @Override
    public void run() {
        while (running.getAsBoolean()) {
            LockSupport.parkNanos(random.nextLong(MOST_NANOS_BETWEEN));
            callers.get(random.nextInt(callers.size())).interrupt();
        }
    }
}
