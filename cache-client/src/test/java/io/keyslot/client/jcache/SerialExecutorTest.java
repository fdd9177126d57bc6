// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void tasksBeyondTheBound_areRefused() {
        for (int i = 0; i < SerialExecutor.CAPACITY; i++) {
            executor.execute(() -> ran.add(1));
        }

        assertThatThrownBy(() -> executor.execute(() -> ran.add(1))).isInstanceOf(RejectedExecutionException.class);
        runThreads();
        assertThat(ran).hasSize(SerialExecutor.CAPACITY);
    }

    @Test
    void taskThatGetsNoThread_isRefused_andTheNextOneTriesAgain() {
        boolean[] full = {true};
        SerialExecutor limited = new SerialExecutor("Cache customer", task -> {
            if (full[0]) {
                throw new RejectedExecutionException("full");
            }
            threads.add(task);
        });

        assertThatThrownBy(() -> limited.execute(() -> ran.add(1))).isInstanceOf(RejectedExecutionException.class);
        full[0] = false;
        limited.execute(() -> ran.add(2));
        runThreads();

        assertThat(ran).containsExactly(2);
    }
}
