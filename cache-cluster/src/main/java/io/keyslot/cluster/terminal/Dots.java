// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.terminal;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Prints a label and a dot every two seconds during work of unknown length. Close it on the creating thread. */
public final class Dots implements AutoCloseable {
    private static final Duration BETWEEN = Duration.ofSeconds(2);

    private final PrintWriter err;
    private final ScheduledFuture<?> drawing;

    public Dots(Terminal terminal, String work, ScheduledExecutorService scheduler) {
        err = terminal.err();
        draw(work);
        drawing = scheduler.scheduleAtFixedRate(
                () -> draw("."), BETWEEN.toMillis(), BETWEEN.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void draw(String text) {
        err.print(text);
        err.flush();
    }

    @Override
    public void close() {
        drawing.cancel(false);
        err.println();
        err.flush();
    }
}
