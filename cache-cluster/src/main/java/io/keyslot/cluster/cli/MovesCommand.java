// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.MoveNote;
import io.keyslot.cluster.operator.MoveReport;
import io.keyslot.cluster.operator.MoveReports;
import io.keyslot.cluster.operator.OpenCatalogue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "moves",
        description = "Shows the moves of the map, and their progress, which coordinators store at the targets once a"
                + " second.",
        footer = {
            "With a name, it also shows finished moves, for about an hour. Exits with 5 if no partition knows the move.",
            "  keyslot moves --config keyslot.yaml",
            "  keyslot moves p-1a2b3c4d --watch --config keyslot.yaml"
        })
final class MovesCommand extends OperatorCommand {
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    @Parameters(arity = "0..1", paramLabel = "<id>", description = "A move, or a plan for all of its moves.")
    private @Nullable String id;

    @Option(names = "--watch", description = "Report progress on standard error until the moves are finished.")
    private boolean isWatched;

    @Override
    public Integer call() throws Exception {
        try (OpenCatalogue catalogue = openChangeable();
                MoveReports reports = new MoveReports(catalogue)) {
            List<MoveReport> now = look(reports);
            while (isWatched && now.stream().anyMatch(report -> report.move() != null)) {
                lines(now).forEach(this::progress);
                catalogue.time().waiter().pause(terminal().interactive() ? CHECK_INTERVAL : BETWEEN_LINES);
                now = look(reports);
            }
            say(now);
            return ExitCode.OK;
        }
    }

    private List<MoveReport> look(MoveReports reports) throws MapStore.UnavailableException {
        return id == null ? reports.settled() : reports.known(id);
    }

    private static List<String> lines(List<MoveReport> reports) {
        List<String> lines = new ArrayList<>();
        for (MoveReport report : reports) {
            MoveNote note = report.note();
            if (note != null && report.isPlayed()) {
                lines.add(MoveText.line(note.progress()));
            } else if (report.move() != null) {
                lines.add(report.id() + ", " + MoveText.phase(report));
            }
        }
        return lines;
    }

    private void say(List<MoveReport> reports) {
        List<String> lines = new ArrayList<>();
        if (reports.isEmpty()) {
            lines.add("No moves.");
        } else {
            lines.addAll(MoveText.table(reports));
            reports.forEach(report -> lines.addAll(MoveText.hints(report)));
        }
        List<String> next = MoveText.next(reports, id);
        result(lines, Map.of("moves", reports.stream().map(MoveText::json).toList()), next);
    }
}
