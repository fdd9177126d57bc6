// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.client.Clockwork;
import io.keyslot.client.pool.Threads;
import io.keyslot.client.time.SystemTicker;
import io.keyslot.client.time.SystemWaiter;
import io.keyslot.client.time.Ticker;
import io.keyslot.client.time.Waiter;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The clock, the threads and the chance of this machine, and who asks for the time. */
final class WatchedClockwork implements Clockwork {
    private static final StackWalker STACK = StackWalker.getInstance();
    private static final ThreadLocal<@Nullable List<List<String>>> WALKS = new ThreadLocal<>();

    private final Ticker real = new SystemTicker();
    private final SecureRandom seeds = new SecureRandom();

    /**
     * Runs a call and returns the ways by which this thread came to the clock meanwhile: our classes at the top of a file,
     * outermost first, each as often as it was come back to.
     */
    List<List<String>> walksOf(Supplier<?> call) {
        List<List<String>> recorded = new ArrayList<>();
        WALKS.set(recorded);
        try {
            Object unused = call.get();
        } finally {
            WALKS.remove();
        }
        return recorded;
    }

    private void record() {
        List<List<String>> recorded = WALKS.get();
        if (recorded != null) {
            recorded.add(STACK.walk(frames -> {
                List<String> names = new ArrayList<>();
                frames.map(StackWalker.StackFrame::getClassName)
                        .filter(name -> name.startsWith("io.keyslot.client."))
                        .map(name -> name.substring(name.lastIndexOf('.') + 1).replaceFirst("\\$.*", ""))
                        .forEach(name -> {
                            if (names.isEmpty() || !names.get(0).equals(name)) {
                                names.add(0, name);
                            }
                        });
                return names;
            }));
        }
    }

    @Override
    public Ticker ticker() {
        return new Ticker() {
            @Override
            public long nanos() {
                record();
                return real.nanos();
            }

            @Override
            public long epochMillis() {
                record();
                return real.epochMillis();
            }
        };
    }

    @Override
    public Waiter waiter() {
        return new SystemWaiter();
    }

    @Override
    public RandomGenerator seeds() {
        return seeds;
    }

    @Override
    public ScheduledExecutorService scheduler(String client) {
        return Threads.scheduler(client);
    }

    @Override
    public ExecutorService pool(String client, String role, int threads, int queue) {
        return Threads.pool(client, role, threads, queue);
    }
}
