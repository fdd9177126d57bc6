// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.operator.MoveOrders;
import io.keyslot.cluster.operator.MoveReport;
import io.keyslot.cluster.operator.MoveReports;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.RefusedException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "complete",
        description = "Continues moves that another process left unfinished, for example because apply was stopped or"
                + " crashed, and finishes undoing canceled moves.",
        footer = {
            "Exits with 5 if another process is executing them or another move of their plan, or if no partition knows them,"
                    + " and with 0 if they are finished.",
            "  keyslot complete p-1a2b3c4d --config keyslot.yaml"
        })
final class CompleteCommand extends NamedMovesCommand {
    @Option(
            names = "--take-over",
            description =
                    "Continue even if another process seems to execute them; that process stops. Safe, and seldom needed.")
    private boolean takesOver;

    @Override
    public Integer call() throws Exception {
        try (OpenCatalogue catalogue = openChangeable()) {
            PartitionMap map = catalogue.maps().read();
            List<Move> moves = map.moves().stream()
                    .filter(move -> MoveOrders.isNamed(move, id))
                    .toList();
            if (moves.isEmpty()) {
                requireOver(catalogue);
                result(
                        List.of("Nothing to do: %s is over in map %s.".formatted(id, map.stamp())),
                        Map.of("moves", List.of(), "isFinished", true),
                        List.of());
                return ExitCode.OK;
            }
            if (!takesOver) {
                requireIdle(catalogue);
            }
            return new PlayedMoves(this, catalogue).play(id, id, moves);
        }
    }

    /** An unknown name may be mistyped, while the moves that the operator means still wait for this command. */
    private void requireOver(OpenCatalogue catalogue) throws Exception {
        try (MoveReports reports = new MoveReports(catalogue)) {
            List<MoveReport> unused = reports.known(id);
        }
    }

    private void requireIdle(OpenCatalogue catalogue) throws Exception {
        try (MoveReports reports = new MoveReports(catalogue)) {
            Optional<MoveReport> played = reports.played(id);
            if (played.isPresent()) {
                throw new RefusedException(
                        "Another process carries out move %s, and goes on with what waits for it: see keyslot moves %s"
                                .formatted(played.get().id(), id));
            }
        }
    }
}
