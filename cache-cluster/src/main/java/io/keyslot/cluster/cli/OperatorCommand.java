// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.Move;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.MoveReports;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.RefusedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command that connects as its options say, and prints lines for people or a document for programs. */
abstract class OperatorCommand extends TerminalCommand implements Callable<Integer> {
    @Mixin
    protected ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    protected OutputOptions output = new OutputOptions();

    /** Opens the catalogue; throws {@link RefusedException} if its map never changes. */
    protected final OpenCatalogue openChangeable() {
        return OpenCatalogue.changeable(connection.options());
    }

    /** Returns the commands that may come next; {@code name} is null if all moves were asked for. */
    protected static List<String> next(OpenCatalogue catalogue, Predicate<Move> which, @Nullable String name) {
        try (MoveReports reports = new MoveReports(catalogue)) {
            return MoveText.next(
                    reports.settled().stream()
                            .filter(report -> report.move() != null && which.test(report.move()))
                            .toList(),
                    name);
        } catch (MapStore.UnavailableException e) {
            return List.of("keyslot moves"); // the moves are complete
        }
    }

    public final void progress(String line) {
        terminal().progress(line);
    }

    /** Prints the result: lines for people, fields for programs, and the commands that may come next. */
    public final void result(List<String> lines, Map<String, ? extends @Nullable Object> fields, List<String> next) {
        Map<String, @Nullable Object> all = new HashMap<>(fields);
        all.put("next_steps", next);
        List<String> shown = new ArrayList<>(lines);
        next.forEach(command -> shown.add("  " + command));
        print(() -> all, () -> shown);
    }

    protected final void print(Supplier<?> document, Supplier<List<String>> lines) {
        output.print(terminal(), document, lines);
    }
}
