// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.json.CanonicalJson;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePace;
import io.keyslot.cluster.move.Migration;
import io.keyslot.cluster.move.MoveNote;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.move.MoveProgress.Amount;
import io.keyslot.cluster.move.MoveProgress.Pauses;
import io.keyslot.cluster.move.MoveProgress.Slots;
import io.keyslot.cluster.move.MoveProgress.Step;
import io.keyslot.cluster.operator.MoveReport;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

class MoveTextTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final Move MOVE = Move.waiting(
            "p-1a2b3c4d-1", new PartitionId("p1"), new PartitionId("p4"), SlotSet.parse("0-99"), "none", MovePace.FULL);

    private static MoveProgress copying(String trouble) {
        return new MoveProgress(
                MOVE.id(),
                Step.COPYING,
                new Amount(10, 30 * MEBIBYTE),
                new Amount(40, 90 * MEBIBYTE),
                20 * MEBIBYTE,
                143,
                2,
                new Slots(0, 100),
                new Pauses(Duration.ofMillis(2), Duration.ofMillis(4), Duration.ofMillis(1), Duration.ofMillis(3)),
                trouble);
    }

    private static MoveReport report(Move move, MoveProgress progress, Migration.Outcome outcome, Duration age) {
        boolean isPlayed = outcome == null && age.toSeconds() < 5;
        return new MoveReport(
                MOVE.id(),
                move,
                new MoveNote("cli-1", progress, outcome),
                age,
                "",
                isPlayed ? MoveReport.State.PLAYED : MoveReport.State.IDLE);
    }

    @Test
    void line_saysHowFarItIs() {
        assertThat(MoveText.line(copying("p1: lost")))
                .isEqualTo("p-1a2b3c4d-1, copying, 30.0 MiB of about 90.0 MiB, 20.0 MiB/s, left 3.0 s, slots 0 of 100,"
                        + " dirty 143, clients behind 2, longest pause 4.0 ms, last trouble: p1: lost");
    }

    @Test
    void whoWaits_isShownByTheMapAlone() {
        MoveReport waiting = new MoveReport(MOVE.id(), MOVE, null, Duration.ZERO, "", MoveReport.State.WAITS);

        assertThat(MoveText.phase(waiting)).isEqualTo("waiting");
        assertThat(MoveText.hints(waiting)).isEmpty();
        assertThat(MoveText.table(List.of(waiting)).get(2)).contains("p1", "p4", "100", "waiting");
    }

    @Test
    void silence_isSaid() {
        Move begun = Move.begun(MOVE.id(), MOVE.from(), MOVE.to(), MOVE.slots(), "cli-1");
        @SuppressWarnings("NullAway") // it goes on
        MoveReport played = report(begun, copying(""), null, Duration.ofMillis(900));
        @SuppressWarnings("NullAway") // it went on
        MoveReport silent = report(begun, copying("p1: lost"), null, Duration.ofSeconds(40));

        assertThat(MoveText.phase(played)).isEqualTo("copying");
        assertThat(MoveText.hints(played)).containsExactly("p-1a2b3c4d-1: carried out by cli-1");
        assertThat(MoveText.phase(silent)).isEqualTo("preparing");
        assertThat(MoveText.hints(silent))
                .containsExactly(
                        "p-1a2b3c4d-1: last trouble: p1: lost",
                        "p-1a2b3c4d-1: no process carries it out; cli-1 was heard 40.0 s ago");
    }

    @Test
    void json_hasWhatTheTableHas() {
        MoveReport report = report(MOVE, copying(""), Migration.Outcome.LEFT, Duration.ofSeconds(1));

        assertThat(CanonicalJson.write(MoveText.json(report)))
                .contains(
                        "\"phase\":\"waiting\"",
                        "\"copied\":{\"bytes\":31457280,\"keys\":10}",
                        "\"secondsLeft\":3",
                        "\"isPlayed\":false",
                        "\"rate\":null");
    }

    @Nested
    class Rates {
        @ParameterizedTest
        @CsvSource({"1B,1", "3KiB/s,3072", "20MiB/s,20971520", "1GiB,1073741824"})
        void areReadWithUnits(String text, long bytes) {
            assertThat(new Rate.Converter().convert(text)).isEqualTo(new Rate(bytes));
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "20", "20MB/s", "0MiB/s", "-1B", "1.5MiB", "999999999999GiB", "9999999999999B"})
        void ofOtherForms_areRefused(String text) {
            assertThatThrownBy(() -> new Rate.Converter().convert(text))
                    .isInstanceOf(TypeConversionException.class)
                    .hasMessageContaining("is no rate: write 20MiB/s");
        }
    }

    @Nested
    class Paces {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                nullValues = "most",
                value = {
                    "| most | 15",
                    "--rate max | most | 100",
                    "--rate max --share 50 | most | 50",
                    "--rate 1KiB/s | 1024 | 15",
                    "--share 80 | most | 80",
                    "--share 80 --rate 2B | 2 | 80"
                })
        void areModestUnlessToldOtherwise(@Nullable String arguments, @Nullable Long rate, int share) {
            PaceOptions options = new PaceOptions();
            new CommandLine(options).parseArgs(arguments == null ? new String[0] : arguments.split(" "));

            assertThat(options.changed(MovePace.MODEST))
                    .isEqualTo(new MovePace(rate == null ? MovePace.FULL.bytesPerSecond() : rate, share, false));
        }

        @Test
        void whatIsNotSaid_staysAsItIs() {
            MovePace before = new MovePace(7, 30, true);

            assertThat(new PaceOptions().changed(before)).isEqualTo(before);
        }
    }
}
