// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrorLineTest {
    @Test
    void messageOfSeveralLines_becomesOneLine() {
        assertThat(ErrorLine.of("two problems:\n  first\r\n  second\n"))
                .isEqualTo("keyslot: two problems: first; second");
    }

    @Test
    void failureWithoutMessage_isNamedByItsClass() {
        assertThat(ErrorLine.of(new NullPointerException())).isEqualTo("keyslot: NullPointerException");
    }

    @Test
    void cause_thatSaysMore_isAdded() {
        Exception failure = new IllegalStateException("Cannot start", new IllegalArgumentException("port 1 is taken"));

        assertThat(ErrorLine.of(failure)).isEqualTo("keyslot: Cannot start: port 1 is taken");
    }

    @Test
    void cause_thatIsRepeated_isNotAdded() {
        Exception cause = new IllegalArgumentException("port 1 is taken");

        assertThat(ErrorLine.of(new IllegalStateException(cause))).doesNotContain("taken: port 1 is taken");
    }
}
