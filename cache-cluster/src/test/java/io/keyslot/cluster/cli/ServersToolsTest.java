// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ServersToolsTest {
    /** What there is on a cluster as well, or asks no server. */
    private static final Set<String> ON_A_CLUSTER =
            Set.of("check", "status", "where", "erase", "demo", "help", "completion");

    @Test
    void everyOtherCommand_hasSomethingInItsPlace() {
        Terminal terminal =
                new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), false, false);
        Set<String> commands = new TreeSet<>(KeyslotCommand.commands(terminal, () -> 0, List.of())
                .getSubcommands()
                .keySet());
        commands.removeAll(ON_A_CLUSTER);

        assertThat(ServersTools.commands()).containsExactlyInAnyOrderElementsOf(commands);
    }
}
