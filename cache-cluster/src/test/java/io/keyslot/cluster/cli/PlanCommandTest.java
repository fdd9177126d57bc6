// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanCommandTest {
    /** Nobody is asked for the map. */
    private static final String NONE = "catalogue: configuration\n";

    @TempDir
    private Path folder;

    private CommandRun run(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--config=" + config("three.yaml", "partitions: ['redis://a', 'redis://b', 'redis://c']\n"));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private Path config(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), NONE + text);
    }

    private CommandRun plan(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("plan"));
        all.addAll(List.of(arguments));
        all.add("--out=" + folder.resolve("plan.json"));
        return run(all.toArray(String[]::new));
    }

    private Plan written() throws IOException {
        return PlanDocument.read(Files.readAllBytes(folder.resolve("plan.json")));
    }

    @Nested
    class Maps {
        @Test
        void table_hasALineForEachPartition() throws IOException {
            CommandRun run = run("map", "show");

            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).startsWith("Map 0-configured/1").contains("a:6379", "5,462", "10923-16383");
        }
    }

    @Test
    void coldPlan_saysHowLongItDrains() throws IOException {
        CommandRun run = plan("move", "0-99", "--to=p2", "--cold");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("100 slots move, cold.");
        assertThat(written().drain()).isEqualTo(Duration.ofMinutes(10));
        assertThat(plan("move", "0-99", "--to=p2", "--cold", "--drain=soon").err())
                .contains("--drain is soon, must be a duration such as 10m");
        assertThat(plan("move", "0-99", "--to=p2").exitCode()).isZero();
        assertThat(written().drain()).isNull();
    }

    @Test
    void whatIsRefused_isOneLine_andExit5() throws IOException {
        assertRefused("There is no partition p9", "remove", "p9");
        assertRefused("two partitions have the address redis://a:6379/0", "add", "p4=redis://a");
        assertRefused("Slots 20000 have no owner", "move", "20000", "--to", "p1");
    }

    private void assertRefused(String why, String... arguments) throws IOException {
        CommandRun run = plan(arguments);

        assertThat(run.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(run.err().lines()).hasSize(1).allMatch(line -> line.contains(why));
        assertThat(folder.resolve("plan.json")).doesNotExist();
    }

    @Test
    void whatIsMisspelt_isOneLine_andExit64_withoutThePassword() throws IOException {
        assertThat(plan("add", "p4").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(plan("move", "x", "--to", "p1").exitCode()).isEqualTo(ExitCode.USAGE);
        CommandRun run = plan("add", "p4=redis://:secret@d");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("names a user or a password").doesNotContain("secret");
    }
}
