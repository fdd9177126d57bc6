// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.cluster.inspect.ClusterSurvey;
import io.keyslot.cluster.inspect.SeenCluster;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.terminal.Terminal;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "status",
        description = {
            "Summarizes the cluster: which partitions answer, their slots, keys and memory, their"
                    + " clients, and the moves.",
            "It only reads."
        },
        footer = {
            "",
            "Pending deletes of a missing partition are not shown: see the meters of the application. Exits with 1 if a"
                    + " partition does not answer.",
            "",
            "Examples:",
            "  keyslot status --config keyslot.yaml",
            "  keyslot status --watch --interval 5 --config keyslot.yaml"
        })
final class StatusCommand extends OperatorCommand {
    @Mixin
    private WatchOptions watch = new WatchOptions();

    public StatusCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws MapStore.UnavailableException, IOException {
        watch.check();
        if (connection.options().engine() == Engine.CLUSTER) {
            return CheckCommand.with(terminal, connection, output).call();
        }
        try (OpenCatalogue catalogue = connection.catalogue();
                ClusterSurvey survey = new ClusterSurvey(catalogue)) {
            return watch.run(terminal, catalogue.time(), output.isJson(), () -> look(survey));
        }
    }

    private int look(ClusterSurvey survey) {
        SeenCluster seen = survey.look();
        seen.notes().forEach(note -> terminal.err().println("Note: " + note + "."));
        print(() -> StatusTables.json(seen), () -> StatusTables.lines(seen));
        return seen.isComplete() ? ExitCode.OK : ExitCode.FAILED;
    }
}
