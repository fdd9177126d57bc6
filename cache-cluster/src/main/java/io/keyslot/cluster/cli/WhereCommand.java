// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.EntryExplanation.Presence;
import io.keyslot.client.json.CanonicalJson;
import io.keyslot.cluster.cli.shared.ConnectionOptions;
import io.keyslot.cluster.cli.shared.ErrorLine;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.cli.shared.OutputOptions;
import io.keyslot.cluster.cli.shared.Whereabouts;
import io.keyslot.cluster.terminal.Terminal;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "where",
        description = "Says in which slot and partition an entry is, and what is known of it.",
        footer = {
            "",
            "Without --config and --partitions, it shows slot and owner for three partitions with equal shares, as in an"
                    + " application without configuration.",
            "",
            "Examples:",
            "  keyslot where customer:99",
            "  keyslot where 'order:{customer:99}:1001' --config keyslot.yaml",
            "  keyslot where customer:99 --partitions redis://r1:6379,redis://r2:6379"
        })
final class WhereCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "<entity key>",
            description = "The text under which the entry is stored: customer:99, or order:{customer:99}:1001 for a"
                    + " member of a group.")
    private String text = "";

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    private Map<String, String> fields = Map.of();

    WhereCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        EntityKey key = parsed();
        Whereabouts where = Whereabouts.of(connection, key);
        fields = Whereabouts.fields(where.found(), !connection.isEmpty());
        print();
        return connection.isEmpty() || where.found().presence() != Presence.UNKNOWN ? ExitCode.OK : failed(where);
    }

    private int failed(Whereabouts where) {
        where.partitions().stream()
                .filter(partition -> partition.id().equals(where.found().partition()))
                .forEach(partition -> terminal.err().println(ErrorLine.of(partition)));
        terminal.err().flush();
        return ExitCode.FAILED;
    }

    private EntityKey parsed() {
        try {
            return EntityKey.parse(text);
        } catch (IllegalArgumentException e) {
            if (spec == null) {
                throw e;
            }
            throw new ParameterException(spec.commandLine(), ErrorLine.messageOf(e), e);
        }
    }

    private void print() {
        PrintWriter out = terminal.out();
        if (output.isJson()) {
            out.println(CanonicalJson.write(fields));
        } else {
            fields.forEach((name, value) -> out.println(name + " ".repeat(Math.max(1, 14 - name.length())) + value));
        }
        out.flush();
    }
}
