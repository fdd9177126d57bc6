// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.hot;

import io.keyslot.client.json.CanonicalJson;
import io.keyslot.cluster.cli.shared.ConnectionOptions;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.cli.shared.OutputOptions;
import io.keyslot.cluster.load.HotLoad;
import io.keyslot.cluster.load.SurveyedLoad;
import io.keyslot.cluster.load.Usage;
import io.keyslot.cluster.terminal.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code keyslot hot}. */
@Command(
        name = "hot",
        description = {
            "Says which keys clients read most, of caches with hotKeys: report.",
            "It asks the partitions what clients have told them in the last minutes, and changes nothing. Reads that near"
                    + " copies have answered are counted too."
        },
        footer = {
            "",
            "Keys are shown as the instances have them. Exits with 1 if a partition does not answer.",
            "",
            "Example:",
            "  keyslot hot --cache product -n 10 --config keyslot.yaml"
        })
public final class HotCommand implements Callable<Integer> {
    private static final int MOST_ROWS = 65_536;

    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--cache", paramLabel = "<name>", description = "Keys of this cache only.")
    private String cache = "";

    @Option(
            names = {"-n", "--top"},
            paramLabel = "<n>",
            defaultValue = "20",
            description = "How many keys are shown; 20 by default.")
    private int top;

    public HotCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (spec != null && (top < 1 || top > MOST_ROWS)) {
            throw new ParameterException(spec.commandLine(), "--top is from 1 to %d".formatted(MOST_ROWS));
        }
        SurveyedLoad load = connection.load(terminal, 0);
        List<HotLoad> keys = load.hot().top(cache, top);
        if (keys.isEmpty()) {
            terminal.err()
                    .println("Note: no client has told hot keys%s (caches.<name>.hotKeys: report)."
                            .formatted(cache.isEmpty() ? "" : " of the cache " + cache));
            terminal.err().flush();
        }
        if (output.isJson()) {
            terminal.out().println(CanonicalJson.write(HotTables.json(load, keys)));
        } else {
            HotTables.lines(load, keys).forEach(terminal.out()::println);
        }
        terminal.out().flush();
        return load.unknown(Usage.CALLS).isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
}
