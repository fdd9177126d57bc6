// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.show;

import io.keyslot.client.json.CanonicalJson;
import io.keyslot.cluster.cli.shared.ByteSize;
import io.keyslot.cluster.cli.shared.ConnectionOptions;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.cli.shared.OutputOptions;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.survey.GroupSurvey;
import io.keyslot.cluster.survey.SeenGroups;
import io.keyslot.cluster.terminal.Terminal;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code keyslot groups}. */
@Command(
        name = "groups",
        description = {
            "Finds the groups that take much: one partition has all of each.",
            "It goes over all keys, or some, with little memory, and changes nothing."
        },
        footer = {
            "",
            "A group is all that has one root: its entries, its aggregates, its index. An entry in no group is one of",
            "its own. Bytes are as MEMORY USAGE says, or by length where that is forbidden. '+-' is by how much a size",
            "may be too low, where there are very many groups. Exits with 1 if a partition does not answer.",
            "",
            "Example:",
            "  keyslot groups --larger-than 10MiB --config keyslot.yaml"
        })
public final class GroupsCommand implements Callable<Integer> {
    private static final int MOST_ROWS = 65_536;

    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private SampleOptions sample = new SampleOptions();

    @Option(
            names = "--larger-than",
            paramLabel = "<bytes>",
            defaultValue = "1MiB",
            converter = ByteSize.Converter.class,
            description = "Only groups that take more: 10MiB, or 4096; 1MiB by default.")
    private ByteSize least = new ByteSize(0);

    @Option(
            names = {"-n", "--top"},
            paramLabel = "<n>",
            defaultValue = "100",
            description = "How many of them are shown; 100 by default.")
    private int top;

    public GroupsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        long most = sample.keys();
        if (spec != null && (top < 1 || top > MOST_ROWS)) {
            throw new ParameterException(spec.commandLine(), "--top is from 1 to %d".formatted(MOST_ROWS));
        }
        try (OpenCatalogue catalogue = connection.catalogue()) {
            SeenGroups seen = GroupSurvey.look(catalogue, least.bytes(), most);
            Notes.say(terminal, seen.notes());
            if (output.isJson()) {
                terminal.out().println(CanonicalJson.write(GroupTables.json(seen, top)));
            } else {
                GroupTables.lines(seen, least.bytes(), top).forEach(terminal.out()::println);
            }
            terminal.out().flush();
            return seen.isComplete() ? ExitCode.OK : ExitCode.FAILED;
        }
    }
}
