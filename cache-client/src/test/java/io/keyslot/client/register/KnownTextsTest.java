// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KnownTextsTest {
    private final KnownTexts<Integer> known = new KnownTexts<>();
    private final List<String> read = new ArrayList<>();

    private int length(String text) {
        return known.read(text, unknown -> {
            read.add(unknown);
            if (unknown.isEmpty()) {
                throw new IllegalArgumentException("says nothing");
            }
            return unknown.length();
        });
    }

    @Test
    void sameText_isReadOnce_whoeverHasIt() {
        for (int i = 0; i < 8; i++) {
            assertThat(length(new String("abc"))).isEqualTo(3);
        }

        assertThat(read).containsExactly("abc");
    }

    @Test
    void textOfTheSameLength_isAnotherOne() {
        assertThat(length("abc")).isEqualTo(3);
        assertThat(length("abd")).isEqualTo(3);

        assertThat(read).containsExactly("abc", "abd");
    }

    @Test
    void whatWasWritten_isNotRead() {
        known.keep("abc", 7);

        assertThat(length("abc")).isEqualTo(7);
        assertThat(known.textOf(7)).contains("abc");
        assertThat(known.textOf(8)).isEmpty();
        assertThat(read).isEmpty();
    }

    @Test
    void whatIsRefused_isRefusedAgain() {
        assertThatThrownBy(() -> length("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> length("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void onlyTheLastOnes_areKept() {
        for (int i = 1; i <= KnownTexts.MOST + 1; i++) {
            length("x".repeat(i));
        }
        read.clear();

        length("x".repeat(2));
        length("x");

        assertThat(read).containsExactly("x");
    }
}
