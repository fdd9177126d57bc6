// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.cluster.move.MoveProgress.Amount;
import io.keyslot.cluster.move.MoveProgress.Pauses;
import io.keyslot.cluster.move.MoveProgress.Slots;
import io.keyslot.cluster.move.MoveProgress.Step;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MoveNoteTest {
    private static final Pauses PAUSES =
            new Pauses(Duration.ofNanos(2_000), Duration.ofMillis(9), Duration.ofNanos(1_000), Duration.ofMillis(3));

    private static MoveNote random(Random random, String trouble) {
        Step[] steps = Step.values();
        Migration.Outcome[] outcomes = Migration.Outcome.values();
        MoveProgress progress = new MoveProgress(
                "m-" + random.nextInt(100),
                steps[random.nextInt(steps.length)],
                new Amount(random.nextInt(1 << 30), random.nextInt(1 << 30) * 1_000L),
                new Amount(random.nextInt(1 << 30), random.nextInt(1 << 30) * 1_000L),
                random.nextInt(1 << 30),
                random.nextInt(1 << 30),
                random.nextInt(1 << 20),
                new Slots(random.nextInt(100), 16_384),
                PAUSES,
                trouble);
        int outcome = random.nextInt(outcomes.length + 1);
        return new MoveNote("c-" + random.nextInt(9), progress, outcome < outcomes.length ? outcomes[outcome] : null);
    }

    @Test
    void whatWasWritten_isRead() {
        Random random = new Random(71);
        for (int i = 0; i < 1_000; i++) {
            MoveNote note = random(random, "p1: \u00e4 \"quoted\" \n");

            assertThat(MoveNote.read(note.text())).contains(note);
        }
    }

    @Test
    void longTrouble_isShortened() {
        MoveNote note = random(new Random(1), "\u20ac".repeat(100_000));

        assertThat(note.text()).hasSizeLessThan(SlotTransfer.Note.LONGEST);
        assertThat(MoveNote.read(note.text()))
                .hasValueSatisfying(
                        read -> assertThat(read.progress().lastTrouble()).hasSize(400));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "{}", "[]", "null", "{\"move\":3}", "{\"outcome\":\"runs\",\"step\":\"dancing\"}"})
    void whatSomebodyElseWrote_isNothing(String text) {
        assertThat(MoveNote.read(text)).isEmpty();
    }
}
