// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class SerialExecutorTest {
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final SerialExecutor executor = new SerialExecutor("Cache customer", threads::add);
    private final List<Integer> ran = new ArrayList<>();

    private void runThreads() {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
    }

    private static String logged(Runnable code) {
        PrintStream before = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            code.run();
        } finally {
            System.setErr(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void error_endsItsThread_andTheNextTaskHasAnother() {
        executor.execute(() -> {
            throw new StackOverflowError();
        });
        executor.execute(() -> ran.add(2));

        assertThatThrownBy(this::runThreads).isInstanceOf(StackOverflowError.class);
        runThreads();

        assertThat(ran).containsExactly(2);
        executor.execute(() -> ran.add(3));
        runThreads();
        assertThat(ran).containsExactly(2, 3);
    }

    @Test
    void tasksBeyondTheBound_areDroppedWithOneWarning() {
        String log = logged(() -> {
            for (int i = 0; i < SerialExecutor.CAPACITY + 10; i++) {
                executor.execute(() -> ran.add(1));
            }
        });
        runThreads();

        assertThat(ran).hasSize(SerialExecutor.CAPACITY);
        assertThat(log).containsOnlyOnce("events are dropped");
    }

    @Test
    void rejectedThread_dropsWhatWaits_andTheNextTaskTriesAgain() {
        boolean[] full = {true};
        SerialExecutor limited = new SerialExecutor("Cache customer", task -> {
            if (full[0]) {
                throw new RejectedExecutionException("full");
            }
            threads.add(task);
        });

        limited.execute(() -> ran.add(1));
        full[0] = false;
        limited.execute(() -> ran.add(2));
        runThreads();

        assertThat(ran).containsExactly(2);
    }
}
