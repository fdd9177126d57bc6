// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.inspect.LoadTables;
import io.keyslot.cluster.inspect.SurveyedLoad;
import io.keyslot.cluster.plan.Measure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "load",
        description = {
            "Shows the load of each partition, and the slots, groups and keys with the highest load.",
            "It reads the reports that clients sent in the last minutes, and samples keys; it changes nothing."
        },
        footer = {
            "Calls are estimates by samples of clients (trafficReports). Bytes are as MEMORY USAGE says, or by length where"
                    + " that is forbidden. Keys are shown as the instances have them. Exits with 1 if a partition does not answer.",
            "  keyslot load --top 10 --by calls --config keyslot.yaml",
            "  keyslot load --by bytes --sample 1000000 --config keyslot.yaml"
        })
final class LoadCommand extends OperatorCommand {
    private static final int MOST_ROWS = 65_536;

    @Option(
            names = "--top",
            paramLabel = "<n>",
            defaultValue = "20",
            description = "How many slots, groups and keys are shown; 20 by default.")
    private int top;

    @Option(
            names = "--by",
            paramLabel = "<what>",
            defaultValue = "calls",
            description = "calls, which is the default, keys or bytes.")
    private Measure by = Measure.CALLS;

    @Option(
            names = "--sample",
            paramLabel = "<n>",
            defaultValue = "100000",
            description = "How many keys of each partition are sampled, approximately; 100000 by default, 0 for none.")
    private long keys;

    @Override
    public Integer call() {
        if (top < 1 || top > MOST_ROWS || keys < 0) {
            throw misused("--top is from 1 to %d, and --sample is not negative".formatted(MOST_ROWS), null);
        }
        SurveyedLoad load = connection.load(terminal(), keys);
        print(() -> LoadTables.json(load, by, top), () -> LoadTables.lines(load, by, top));
        return load.unknown(Measure.CALLS).isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
}
