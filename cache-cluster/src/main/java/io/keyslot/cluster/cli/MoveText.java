// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.MovePhase;
import io.keyslot.cluster.move.Migration;
import io.keyslot.cluster.move.MoveNote;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.move.MoveProgress.Amount;
import io.keyslot.cluster.operator.MoveReport;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Formats moves. Pure. */
final class MoveText {
    private MoveText() {}

    public static String line(MoveProgress now) {
        List<String> words = new ArrayList<>(List.of(now.move(), step(now)));
        if (now.estimated().bytes() > 0) {
            words.add("%s of about %s"
                    .formatted(
                            Amounts.mebibytes(now.copied().bytes()),
                            Amounts.mebibytes(now.estimated().bytes())));
            words.add(Amounts.mebibytes(now.bytesPerSecond()) + "/s");
        }
        timeLeft(now).ifPresent(left -> words.add("left " + Amounts.duration(left)));
        words.add(
                "slots %d of %d".formatted(now.slots().committed(), now.slots().all()));
        words.add("dirty " + Amounts.count(now.dirtyKeys()));
        words.add("clients behind " + now.clientsBehind());
        words.add("longest pause " + Amounts.duration(now.pauses().longest()));
        if (!now.lastTrouble().isEmpty()) {
            words.add("last trouble: " + now.lastTrouble());
        }
        return String.join(", ", words);
    }

    private static String step(MoveProgress now) {
        return ConstantText.words(now.step());
    }

    /** Returns the remaining time of the pass over the source at its present rate. */
    static Optional<Duration> timeLeft(MoveProgress now) {
        long left = now.estimated().bytes() - now.copied().bytes();
        return now.step() != MoveProgress.Step.COPYING || now.bytesPerSecond() == 0 || left < 0
                ? Optional.empty()
                : Optional.of(Duration.ofMillis((long) (left * 1000.0 / now.bytesPerSecond())));
    }

    public static List<String> table(List<MoveReport> reports) {
        Table table = new Table(
                "Move",
                "From",
                "To",
                "Slots",
                "Done",
                "Phase",
                "Copied",
                "Of about",
                "Rate",
                "Left",
                "Dirty",
                "Behind",
                "Last pause",
                "Longest");
        reports.forEach(report -> row(table, report));
        return table.lines();
    }

    private static void row(Table table, MoveReport report) {
        Move move = report.move();
        MoveNote note = report.note();
        MoveProgress now = note == null ? null : note.progress();
        table.row(
                report.id(),
                move == null ? null : move.from().name(),
                move == null ? null : move.to().name(),
                move != null
                        ? move.slots().size()
                        : now == null ? 0 : now.slots().all(),
                move != null
                        ? move.committed().size()
                        : now == null ? 0 : now.slots().committed(),
                phase(report),
                now == null ? null : Amounts.mebibytes(now.copied().bytes()),
                now == null ? null : Amounts.mebibytes(now.estimated().bytes()),
                now == null ? null : Amounts.mebibytes(now.bytesPerSecond()) + "/s",
                now == null ? null : timeLeft(now).map(Amounts::duration).orElse(null),
                now == null ? null : now.dirtyKeys(),
                now == null ? null : now.clientsBehind(),
                now == null ? null : Amounts.duration(now.pauses().last()),
                now == null ? null : Amounts.duration(now.pauses().longest()));
    }

    /** The phase in the map is newer than the coordinator's last note. */
    public static String phase(MoveReport report) {
        Move move = report.move();
        MoveNote note = report.note();
        if (move == null) {
            Migration.Outcome outcome = note == null ? null : note.outcome();
            return outcome == null ? "over" : ConstantText.words(outcome);
        }
        String paused = move.pace().isPaused() ? "paused, " : "";
        return paused + (note != null && report.isPlayed() ? step(note.progress()) : ConstantText.of(move.phase()));
    }

    /** Returns advice for an operator, each in one line. */
    public static List<String> hints(MoveReport report) {
        List<String> hints = new ArrayList<>();
        Move move = report.move();
        MoveNote note = report.note();
        if (!report.trouble().isEmpty()) {
            hints.add("%s: how far it is cannot be read: %s".formatted(report.id(), report.trouble()));
        }
        if (note != null && !note.progress().lastTrouble().isEmpty()) {
            hints.add("%s: last trouble: %s"
                    .formatted(report.id(), note.progress().lastTrouble()));
        }
        if (move == null) {
            return hints;
        }
        if (report.isPlayed() && note != null) {
            hints.add("%s: carried out by %s".formatted(report.id(), note.coordinator()));
        } else if (report.state() == MoveReport.State.IDLE && move.phase() != MovePhase.WAITING) {
            hints.add(
                    note == null
                            ? "%s: no process carries it out".formatted(report.id())
                            : "%s: no process carries it out; %s was heard %s ago"
                                    .formatted(report.id(), note.coordinator(), Amounts.duration(report.age())));
        }
        return hints;
    }

    /** Returns the commands that may come next; {@code name} is null if all moves were asked for. */
    public static List<String> next(List<MoveReport> reports, @Nullable String name) {
        Map<String, List<MoveReport>> plans = new LinkedHashMap<>();
        reports.stream()
                .filter(report -> report.state() != MoveReport.State.OVER)
                .forEach(report -> plans.computeIfAbsent(name == null ? report.plan() : name, plan -> new ArrayList<>())
                        .add(report));
        List<String> next = new ArrayList<>();
        plans.forEach((plan, moves) -> next.addAll(next(plan, moves)));
        return next;
    }

    private static List<String> next(String plan, List<MoveReport> moves) {
        List<String> idle = moves.stream()
                .filter(report -> report.state() == MoveReport.State.IDLE)
                .map(MoveReport::id)
                .toList();
        List<String> next = new ArrayList<>();
        if (idle.size() == moves.size()) {
            next.add("keyslot complete " + plan);
        } else {
            idle.forEach(id -> next.add("keyslot complete " + id));
        }
        if (moves.stream()
                .map(MoveReport::move)
                .anyMatch(move -> move != null && move.pace().isPaused())) {
            next.add("keyslot resume " + plan);
        }
        if (next.isEmpty()) {
            next.add(
                    moves.stream().anyMatch(report -> report.state() == MoveReport.State.UNKNOWN)
                            ? "keyslot check"
                            : "keyslot moves %s --watch".formatted(plan));
        }
        return next;
    }

    public static Map<String, @Nullable Object> json(MoveReport report) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        Move move = report.move();
        MoveNote note = report.note();
        fields.put("id", report.id());
        fields.put("phase", phase(report));
        fields.put("isPlayed", report.isPlayed());
        fields.put("state", ConstantText.of(report.state()));
        fields.put("trouble", report.trouble());
        if (move != null) {
            fields.put("from", move.from().name());
            fields.put("to", move.to().name());
            fields.put("slots", move.slots().toString());
            fields.put("committed", move.committed().toString());
            fields.put("isPaused", move.pace().isPaused());
            fields.put(
                    "rate",
                    move.pace().bytesPerSecond() == MovePace.FULL.bytesPerSecond()
                            ? null
                            : move.pace().bytesPerSecond());
            fields.put("share", move.pace().share());
        }
        if (note != null) {
            fields.put("coordinator", note.coordinator());
            fields.put("saidMillisAgo", report.age().toMillis());
            fields.putAll(json(note.progress()));
        }
        return fields;
    }

    public static Map<String, @Nullable Object> json(MoveProgress now) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("step", ConstantText.of(now.step()));
        fields.put("copied", amount(now.copied()));
        fields.put("estimated", amount(now.estimated()));
        fields.put("bytesPerSecond", now.bytesPerSecond());
        fields.put("secondsLeft", timeLeft(now).map(Duration::toSeconds).orElse(null));
        fields.put("dirtyKeys", now.dirtyKeys());
        fields.put("clientsBehind", now.clientsBehind());
        fields.put("slotsCommitted", now.slots().committed());
        fields.put("lastPauseMicros", now.pauses().last().toNanos() / 1_000);
        fields.put("longestPauseMicros", now.pauses().longest().toNanos() / 1_000);
        fields.put("longestPauseOfReadsMicros", now.pauses().longestOfReads().toNanos() / 1_000);
        fields.put("lastTrouble", now.lastTrouble());
        return fields;
    }

    private static Map<String, Object> amount(Amount amount) {
        return Map.of("keys", amount.keys(), "bytes", amount.bytes());
    }
}
