// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.ErasureReport;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.json.CanonicalJson;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.cluster.terminal.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
            "Erase it in the database first: an application that loads it later stores it again. Exits with 3 if something"
                    + " could not be reached, such as a partition that does not answer: repeat the command. Exits with 5 if no cache of"
                    + " the configuration has keys of this type; then nothing was removed.",
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
        Table parts = new Table("Partition=place", "Content=content", "Removed=removed", "=problem");
        for (ErasureReport.Part part : report.parts()) {
            Object removed = part.problem() == null ? part.removed() : new Table.Cell(part.removed(), "not reached");
            parts.row(part.place(), part.content(), removed, part.problem());
        }
        Map<String, ?> document =
                Map.of("key", report.key().text(), "complete", report.isComplete(), "parts", parts.documents());
        print(() -> document, () -> parts.isEmpty() ? List.of("Nothing is stored under this key.") : parts.lines());
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
                terminal(),
                "Not erased: %s at %s: %s; repeat the command".formatted(part.content(), part.place(), problem));
    }
}
