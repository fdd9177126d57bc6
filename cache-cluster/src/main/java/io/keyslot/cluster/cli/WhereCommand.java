// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.EntryExplanation.Presence;
import io.keyslot.cluster.cli.shared.ErrorLine;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.cli.shared.OperatorCommand;
import io.keyslot.cluster.cli.shared.Whereabouts;
import io.keyslot.cluster.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "where",
        description = "Shows the slot and the partition of an entry, and the state of the entry.",
        footer = {
            "",
            "Without --config and --partitions, it assumes three partitions with equal shares, as does an"
                    + " application without configuration.",
            "",
            "Examples:",
            "  keyslot where customer:99",
            "  keyslot where 'order:{customer:99}:1001' --config keyslot.yaml",
            "  keyslot where customer:99 --partitions redis://r1:6379,redis://r2:6379"
        })
final class WhereCommand extends OperatorCommand {

    @Parameters(
            paramLabel = "<entity key>",
            description = "The stored key: customer:99, or order:{customer:99}:1001 for a member of a group.")
    private String text = "";

    WhereCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() {
        EntityKey key = parsed();
        Whereabouts where = Whereabouts.of(connection, key);
        Map<String, String> fields = Whereabouts.fields(where.found(), !connection.isEmpty());
        print(() -> fields, () -> lines(fields));
        return connection.isEmpty() || where.found().presence() != Presence.UNKNOWN ? ExitCode.OK : failed(where);
    }

    private int failed(Whereabouts where) {
        where.partitions().stream()
                .filter(partition -> partition.id().equals(where.found().partition()))
                .forEach(partition -> terminal.err().println(ErrorLine.of(partition)));
        return ExitCode.FAILED;
    }

    private EntityKey parsed() {
        try {
            return EntityKey.parse(text);
        } catch (IllegalArgumentException e) {
            throw misused(ErrorLine.messageOf(e), e);
        }
    }

    private static List<String> lines(Map<String, String> fields) {
        List<String> lines = new ArrayList<>();
        fields.forEach((name, value) -> lines.add(name + " ".repeat(Math.max(1, 14 - name.length())) + value));
        return lines;
    }
}
