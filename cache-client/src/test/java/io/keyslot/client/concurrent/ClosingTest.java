// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {
    private final List<String> taken = new ArrayList<>();

    private Runnable step(String name) {
        return () -> taken.add(name);
    }

    private Runnable failing(String name, Throwable failure) {
        return () -> {
            taken.add(name);
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        };
    }

    @Test
    void all_takesEachStepInOrder() {
        Closing.all(List.of(step("a"), step("b")));

        assertThat(taken).containsExactly("a", "b");
    }

    @Test
    void failures_stopNothingAndTheFirstCarriesTheOthers() {
        StackOverflowError first = new StackOverflowError();
        IllegalStateException second = new IllegalStateException("second");

        assertThatThrownBy(() -> Closing.all(List.of(failing("a", first), failing("b", second), step("c"))))
                .isSameAs(first)
                .hasSuppressedException(second);
        assertThat(taken).containsExactly("a", "b", "c");
    }

    @Test
    void sameFailureTwice_isThrownOnce() {
        IllegalStateException same = new IllegalStateException("same");

        assertThatThrownBy(() -> Closing.all(List.of(failing("a", same), failing("b", same))))
                .isSameAs(same)
                .hasNoSuppressedExceptions();
    }

    @Test
    void after_letsTheCallersFailureCarryThose() {
        IllegalStateException cause = new IllegalStateException("cause");
        IllegalStateException closing = new IllegalStateException("closing");

        Closing.after(cause, List.of(failing("a", closing), step("b")));

        assertThat(cause).hasSuppressedException(closing);
        assertThat(taken).containsExactly("a", "b");
    }
}
