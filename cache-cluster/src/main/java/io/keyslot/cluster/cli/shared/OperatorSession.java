// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ClientOptions.CatalogueOptions;
import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.client.json.CanonicalJson;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.Move;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.MoveReports;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.cluster.terminal.Terminal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The catalogue and the output of commands about moves. */
public record OperatorSession(Terminal terminal, ConnectionOptions connection, OutputOptions output) {
    /** Opens the catalogue; throws {@link RefusedException} if its map never changes. */
    public OpenCatalogue open() {
        ClientOptions options = connection.options();
        if (options.engine() == Engine.EMBEDDED) {
            throw refused("Partitions that live in the process of the application are not moved by commands");
        }
        OpenCatalogue.refuseCluster(options);
        if (options.catalogue().kind() == CatalogueOptions.Kind.CONFIGURATION) {
            throw refused("The map is that of the configuration (catalogue: configuration) and never changes");
        }
        return OpenCatalogue.of(options);
    }

    private static RefusedException refused(String why) {
        return new RefusedException(why);
    }

    /** Returns the author of changes of the map. */
    public static String actor() {
        return "keyslot, by " + System.getProperty("user.name", "unknown");
    }

    /** Returns the commit of a change by this command; {@code operation} gets a unique suffix. */
    public static MapCommit commit(OpenCatalogue catalogue, String operation, String reason) {
        return new MapCommit(
                operation + "-" + UUID.randomUUID(),
                actor(),
                reason,
                catalogue.time().now());
    }

    /** Returns the commands that may come next; {@code name} is null if all moves were asked for. */
    public static List<String> next(OpenCatalogue catalogue, Predicate<Move> which, @Nullable String name) {
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

    /** Prints a line that is not part of the result. */
    public void progress(String line) {
        terminal.err().println(line);
        terminal.err().flush();
    }

    public void end() {
        terminal.out().flush();
        terminal.err().flush();
        terminal.end().accept(ExitCode.ENDED);
    }

    /** Prints the result: lines for people, fields for programs, and the commands that may come next. */
    public void result(List<String> lines, Map<String, ? extends @Nullable Object> fields, List<String> next) {
        if (output.isJson()) {
            Map<String, @Nullable Object> all = new HashMap<>(fields);
            all.put("next_steps", next);
            terminal.out().println(CanonicalJson.write(all));
        } else {
            lines.forEach(terminal.out()::println);
            next.forEach(command -> terminal.out().println("  " + command));
        }
        terminal.out().flush();
    }
}
