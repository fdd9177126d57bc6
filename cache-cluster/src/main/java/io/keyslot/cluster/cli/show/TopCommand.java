// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.show;

import io.keyslot.client.json.CanonicalJson;
import io.keyslot.cluster.cli.shared.ConnectionOptions;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.cli.shared.OutputOptions;
import io.keyslot.cluster.cli.shared.WatchOptions;
import io.keyslot.cluster.load.LoadSurvey;
import io.keyslot.cluster.load.SurveyedLoad;
import io.keyslot.cluster.load.Usage;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.survey.CounterRates;
import io.keyslot.cluster.survey.CounterSurvey;
import io.keyslot.cluster.terminal.Terminal;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code keyslot top}. */
@Command(
        name = "top",
        description = {
            "Says what is asked for at this moment: commands, keys found and missed at each partition; calls, what caches"
                    + " find, the slots and the keys that all clients ask for most.",
            "It asks the partitions and changes nothing."
        },
        footer = {
            "",
            "Commands, Found, Missed and Evicted are counted by the servers, between two looks, whoever asks them: not",
            "only clients of Keyslot, and a call may look up several keys. Calls and hot keys are what clients have",
            "told in the last minutes (trafficReports; hotKeys: report of a cache), and so are hits, misses, loads and near",
            "copies of caches. Exits with 1 if a partition does not answer.",
            "",
            "Examples:",
            "  keyslot top --config keyslot.yaml",
            "  keyslot top --watch -n 5 --config keyslot.yaml"
        })
public final class TopCommand implements Callable<Integer> {
    private static final int MOST_ROWS = 65_536;

    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private WatchOptions watch = new WatchOptions();

    @Option(
            names = {"-n", "--top"},
            paramLabel = "<n>",
            defaultValue = "10",
            description = "How many slots and keys are shown; 10 by default.")
    private int top;

    public TopCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        watch.check();
        if (spec != null && (top < 1 || top > MOST_ROWS)) {
            throw new ParameterException(spec.commandLine(), "--top is from 1 to %d".formatted(MOST_ROWS));
        }
        try (OpenCatalogue catalogue = connection.catalogue();
                CounterSurvey counters = new CounterSurvey(catalogue)) {
            counters.look(new ArrayList<>());
            watch.pause(catalogue.time());
            return watch.run(terminal, catalogue.time(), output.isJson(), () -> look(catalogue, counters));
        }
    }

    private int look(OpenCatalogue catalogue, CounterSurvey counters) {
        List<String> notes = new ArrayList<>();
        Map<PartitionId, CounterRates> rates = counters.look(notes);
        SurveyedLoad load = new LoadSurvey(catalogue.newest(), catalogue::connector, catalogue.time(), 0).ask();
        notes.addAll(load.remarks());
        Notes.say(terminal, notes);
        if (output.isJson()) {
            terminal.out().println(CanonicalJson.write(TopTables.json(load, rates, top, notes)));
        } else {
            TopTables.lines(load, rates, top).forEach(terminal.out()::println);
        }
        return load.unknown(Usage.CALLS).isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
}
