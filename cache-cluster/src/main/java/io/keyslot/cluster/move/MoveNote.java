// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.json.CanonicalJson;
import io.keyslot.client.json.JsonFields;
import io.keyslot.client.json.JsonProblems;
import io.keyslot.client.json.JsonReader;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.cluster.move.MoveProgress.Amount;
import io.keyslot.cluster.move.MoveProgress.Pauses;
import io.keyslot.cluster.move.MoveProgress.Slots;
import io.keyslot.cluster.move.MoveProgress.Step;
import io.keyslot.slot.SlotRange;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The progress that a coordinator stores at the target of its move, for information only. The outcome is null while the
 * run continues.
 */
public record MoveNote(String coordinator, MoveProgress progress, Migration.@Nullable Outcome outcome) {
    private static final int LONGEST_TROUBLE = 400;
    private static final long MOST = MapStamp.HIGHEST_VERSION;
    private static final String RUNS = "runs";

    /** Returns it as text, short enough to be stored. */
    public String text() {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("coordinator", coordinator);
        fields.put("outcome", outcome == null ? RUNS : word(outcome));
        fields.put("move", progress.move());
        fields.put("step", word(progress.step()));
        fields.put("copiedKeys", progress.copied().keys());
        fields.put("copiedBytes", progress.copied().bytes());
        fields.put("estimatedKeys", progress.estimated().keys());
        fields.put("estimatedBytes", progress.estimated().bytes());
        fields.put("bytesPerSecond", progress.bytesPerSecond());
        fields.put("dirtyKeys", progress.dirtyKeys());
        fields.put("clientsBehind", progress.clientsBehind());
        fields.put("slotsCommitted", progress.slots().committed());
        fields.put("slots", progress.slots().all());
        fields.put("lastPauseMicros", micros(progress.pauses().last()));
        fields.put("longestPauseMicros", micros(progress.pauses().longest()));
        fields.put("lastPauseOfReadsMicros", micros(progress.pauses().lastOfReads()));
        fields.put("longestPauseOfReadsMicros", micros(progress.pauses().longestOfReads()));
        String trouble = progress.lastTrouble();
        fields.put("lastTrouble", trouble.length() > LONGEST_TROUBLE ? trouble.substring(0, LONGEST_TROUBLE) : trouble);
        return CanonicalJson.write(fields);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    private static Duration micros(JsonFields fields, String name) {
        return Duration.ofNanos(1_000 * fields.number(name, 0, MOST / 1_000));
    }

    SlotTransfer.Note command() {
        boolean isEnded = outcome != null && outcome != Migration.Outcome.LEFT && outcome != Migration.Outcome.REPLACED;
        return new SlotTransfer.Note(isEnded ? "" : progress.move(), text());
    }

    /** Parses a note; empty for an unknown format, because a later version may store other notes. */
    public static Optional<MoveNote> read(String text) {
        try {
            JsonProblems problems = new JsonProblems();
            JsonFields fields = JsonFields.of(JsonReader.read(text.getBytes(StandardCharsets.UTF_8)), problems);
            MoveNote note = of(fields);
            return problems.all().isEmpty() ? Optional.of(note) : Optional.empty();
        } catch (JsonReader.JsonException noJson) {
            return Optional.empty();
        }
    }

    private static MoveNote of(JsonFields fields) {
        MoveProgress progress = new MoveProgress(
                fields.text("move"),
                fields.constant("step", Step.class),
                new Amount(fields.number("copiedKeys", 0, MOST), fields.number("copiedBytes", 0, MOST)),
                new Amount(fields.number("estimatedKeys", 0, MOST), fields.number("estimatedBytes", 0, MOST)),
                fields.number("bytesPerSecond", 0, MOST),
                fields.number("dirtyKeys", 0, MOST),
                (int) fields.number("clientsBehind", 0, Integer.MAX_VALUE),
                new Slots((int) fields.number("slotsCommitted", 0, SlotRange.END), (int)
                        fields.number("slots", 0, SlotRange.END)),
                new Pauses(
                        micros(fields, "lastPauseMicros"),
                        micros(fields, "longestPauseMicros"),
                        micros(fields, "lastPauseOfReadsMicros"),
                        micros(fields, "longestPauseOfReadsMicros")),
                fields.text("lastTrouble"));
        boolean runs = fields.text("outcome").equals(RUNS);
        return new MoveNote(
                fields.text("coordinator"),
                progress,
                runs ? null : fields.constant("outcome", Migration.Outcome.class));
    }
}
