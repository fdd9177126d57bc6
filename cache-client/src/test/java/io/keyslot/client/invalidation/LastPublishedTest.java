// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.invalidation;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import org.junit.jupiter.api.Test;

class LastPublishedTest {
    private static final EncodedKey KEY = EncodedKey.of("price:1");

    private final LastPublished known = new LastPublished();

    private boolean fill() {
        boolean isKept = true;
        for (int i = 0; i < LastPublished.MOST_NOTES; i++) {
            isKept &= known.note(EncodedKey.of("other:" + i), 1);
        }
        return isKept;
    }

    @Test
    void whatWasTold_isKnownUntilSomethingElseIs() {
        known.note(KEY, 7);
        assertThat(known.isKnown(KEY, 7)).isTrue();

        known.note(KEY, 8);
        assertThat(known.isKnown(KEY, 7)).isFalse();

        known.forget(KEY);
        assertThat(known.isKnown(KEY, 8)).isFalse();
    }

    @Test
    void noteThatIsNeeded_isMissed() {
        known.note(KEY, 7);
        known.passed();

        assertThat(fill()).isFalse();
        assertThat(known.isKnown(KEY, 7)).isFalse();
    }

    @Test
    void noteThatEverythingHasPassed_isNotMissed() {
        known.note(KEY, 7);
        known.passed();
        known.passed();

        assertThat(fill()).isTrue();
    }

    @Test
    void thatThereWasNothing_isNotKnownAfterAGap_andAValueIs() {
        known.note(KEY, Command.ABSENT);
        known.missed();
        assertThat(known.isKnown(KEY, Command.ABSENT)).isFalse();

        known.note(KEY, Command.ABSENT);
        assertThat(known.isKnown(KEY, Command.ABSENT)).isTrue();
        known.missed(KEY);
        assertThat(known.isKnown(KEY, Command.ABSENT)).isFalse();

        known.note(KEY, 7);
        known.missed();
        known.missed(KEY);
        assertThat(known.isKnown(KEY, 7)).isTrue();
    }
}
