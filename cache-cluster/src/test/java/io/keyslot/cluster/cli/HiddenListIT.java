// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slots cannot be moved where nobody may list clients: a client that did not hear of it would go on as before. */
@SideBySide
class HiddenListIT {
    @TempDir
    private Path folder = Path.of("");

    @AutoClose
    private final LocalServers servers = TestServers.none();

    private CommandRun run(String config, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add(config);
        return CommandRun.of(all.toArray(String[]::new));
    }

    @Test
    void plan_isNotApplied_andNothingIsChanged() throws IOException {
        List<LocalServer> started =
                servers.start(3, "--user", "app", "on", ">secret", "~*", "&*", "+@all", "-role", "-client|list");
        String addresses = started.subList(0, 2).stream()
                .map(server -> "'" + server.uri() + "'")
                .collect(Collectors.joining(", "));
        Path file = Files.writeString(
                folder.resolve("keyslot.yaml"),
                "partitions: [%s]\nconnection: { username: app, password: secret }\n".formatted(addresses)
                        + "deadlines: { connect: 5s, call: 5s, command: 4s }\n");
        String config = "--config=" + file;
        String plan = folder.resolve("add.json").toString();
        CommandRun planned = run(config, "plan", "add", "p3=" + started.get(2).uri(), "--out=" + plan);
        assertThat(planned.exitCode()).as(planned.err()).isZero();
        String before = run(config, "map", "show").out();

        CommandRun applied = run(config, "apply", plan);

        assertThat(applied.exitCode()).isNotZero();
        assertThat(applied.err()).contains("The plan is not applied").containsIgnoringCase("client|list");
        assertThat(run(config, "map", "show").out()).isEqualTo(before);
        assertThat(run(config, "check").exitCode()).isZero();
    }
}
