// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.ErasureReport;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.json.CanonicalJson;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "erase",
        description = "Removes all that is stored under a key: the entry; for a root also its whole group, with"
                + " aggregates, index and lock; and its values in change feeds.",
        footer = {
            "",
            "Erase it in the database first: an application that loads it later stores it again. Exits with 3 if something"
                    + " could not be reached, such as a partition that does not answer: repeat the command. Exits with 5 if no cache of"
                    + " the configuration has keys of this type; then nothing was removed.",
            "",
            "Examples:",
            "  keyslot erase customer:99 --config keyslot.yaml",
            "  keyslot erase 'order:{customer:99}:1001' --report erased.json"
        })
final class EraseCommand extends OperatorCommand {
    @Parameters(
            paramLabel = "<entity key>",
            description = "The stored key: customer:99, or order:{customer:99}:1001 for a member of a group.")
    private String text = "";

    @Option(
            names = "--report",
            paramLabel = "<file>",
            description = "Also write the result as JSON to this file. If that is not possible, nothing is removed.")
    private @Nullable Path file;

    EraseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws IOException {
        EntityKey key = WhereCommand.parsed(text, this);
        if (WhereCommand.isOfNoCache(key, connection.options())) {
            throw new RefusedException("Nothing was removed: " + WhereCommand.noCache(key, connection.options()));
        }
        write(Map.of("key", key.text(), "complete", false, "parts", List.of()));
        ErasureReport report;
        try (PartitionedCacheManager manager = connection.open()) {
            report = manager.erase(key);
        }
        Map<String, ?> document = document(report);
        print(() -> document, () -> lines(report));
        report.parts().stream().filter(part -> part.problem() != null).forEach(this::complain);
        write(document); // what is printed is not lost if this fails
        return report.isComplete() ? ExitCode.OK : ExitCode.DIFFERENT;
    }

    private void write(Map<String, ?> document) throws IOException {
        if (file != null) {
            try {
                Files.writeString(file, CanonicalJson.write(document) + "\n");
            } catch (IOException e) {
                throw new IOException("The report cannot be written to %s".formatted(file), e);
            }
        }
    }

    private void complain(ErasureReport.Part part) {
        // The rest is of a process with caches, which this one ends without.
        String problem = Objects.requireNonNull(part.problem()).replaceFirst("; repeat the erasure.*", "");
        ErrorLine.print(
                terminal,
                "Not erased: %s at %s: %s; repeat the command".formatted(part.content(), part.place(), problem));
    }

    private static Map<String, ?> document(ErasureReport report) {
        List<Map<String, ?>> parts = new ArrayList<>();
        for (ErasureReport.Part part : report.parts()) {
            Map<String, @Nullable Object> fields = new HashMap<>();
            fields.put("place", part.place());
            fields.put("content", part.content());
            fields.put("removed", part.removed());
            fields.put("problem", part.problem());
            parts.add(fields);
        }
        return Map.of("key", report.key().text(), "complete", report.isComplete(), "parts", parts);
    }

    private static List<String> lines(ErasureReport report) {
        if (report.parts().isEmpty()) {
            return List.of("Nothing is stored under this key.");
        }
        Table table = new Table("Partition", "Content", "Removed");
        report.parts()
                .forEach(part -> table.row(
                        part.place(),
                        part.content(),
                        part.problem() == null ? Amounts.count(part.removed()) : "not reached"));
        return table.lines();
    }
}
