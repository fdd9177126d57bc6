// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code keyslot check}. */
@Command(
        name = "check",
        description = "Reads the configuration, shakes hands with each partition and says what each of them owns.",
        footer = {
            "",
            "Exits with 1 if the configuration has a problem or a partition does not answer.",
            "",
            "Example:",
            "  keyslot check --config keyslot.yaml"
        })
final class CheckCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    CheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        try (PartitionedCacheManager manager = connection.open()) {
            List<PartitionStatus> partitions = manager.partitions();
            Table table = new Table("Partition", "Address", "Slots", "State");
            for (PartitionStatus partition : partitions) {
                table.row(
                        partition.id().name(),
                        partition.address(),
                        Amounts.count(partition.slots()),
                        ConstantText.of(partition.state()));
            }
            table.lines().forEach(terminal.out()::println);
            terminal.out().flush();
            return exitCode(partitions);
        }
    }

    private int exitCode(List<PartitionStatus> partitions) {
        List<PartitionStatus> bad = partitions.stream()
                .filter(partition -> partition.state() != PartitionState.HEALTHY)
                .toList();
        bad.forEach(partition -> terminal.err().println(ErrorLine.of(partition)));
        terminal.err().flush();
        return bad.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
}
