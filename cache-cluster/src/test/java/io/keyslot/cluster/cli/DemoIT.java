// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DemoIT {
    private static final String SALES = "5000";
    private static final double HIGHEST_SLOT_SKEW = 1.05;

    @Test
    void demo_goesOnWithoutAPartition() {
        CommandRun run = CommandRun.of("demo", "--engine", "embedded", "--sales", SALES);

        assertGoesOnWithoutAPartition(run);
    }

    @Test
    void demoOnServers_goesOnWithoutOne_andAddsOne_andLosesNothing() {
        CommandRun run = CommandRun.of("demo", "--engine", "instances", "--sales", SALES);

        assertGoesOnWithoutAPartition(run);
        assertThat(run.out())
                .contains("Growth by p4")
                .containsPattern("Slots that went there +4,096\n")
                .containsPattern("Keys that went there +[1-9]")
                .containsPattern("Entries lost +0\n")
                .containsPattern("Stale or wrong answers +0\n")
                .containsPattern("Calls that failed +0\n")
                .containsPattern("Longest pause of writes to a slot +[0-9.]+ m?s\n")
                .containsPattern("p4 +4,096 +[1-9]");
    }

    private static void assertGoesOnWithoutAPartition(CommandRun run) {
        assertThat(run.err()).contains("100 %").contains("5,000 of 5,000");
        assertThat(run.out())
                .contains("FoodMart: 10,281 customers, 1,560 products, 251,395 sales")
                .contains("Sales outside their customer's slot: 0.")
                .containsPattern("Errors seen by the program +0\n")
                .containsPattern("Reads answered by the loader +[1-9]")
                .containsPattern("Time until decided +[0-9.]+ m?s\n")
                .containsPattern("until used again +[0-9.]+ m?s\n")
                .doesNotContain("never", "First error");
        assertThat(slotSkew(run.out())).isLessThanOrEqualTo(HIGHEST_SLOT_SKEW);
        assertThat(run.exitCode()).as(run.err()).isZero();
    }

    private static double slotSkew(String report) {
        Matcher skew = Pattern.compile("^Skew +([0-9.]+) ", Pattern.MULTILINE).matcher(report);
        assertThat(skew.find()).isTrue();
        return Double.parseDouble(skew.group(1));
    }

    @Test
    void demo_overGivenServers_takesNoneAway_andLeavesItsEntriesForSomeTime() {
        try (LocalServers servers = LocalServers.create()) {
            List<LocalServer> given = servers.start(2);
            String addresses = given.stream().map(LocalServer::uri).collect(Collectors.joining(","));

            CommandRun demo = CommandRun.of("demo", "--partitions", addresses, "--sales", "500");
            CommandRun again = CommandRun.of("demo", "--partitions", addresses, "--sales", "500");
            CommandRun cleared = CommandRun.of("demo", "--partitions", addresses, "--sales", "500", "--clear");

            assertThat(demo.out()).contains("over 2 given servers").contains("No outage: ");
            assertThat(demo.exitCode()).isZero();
            assertThat(given)
                    .allSatisfy(server -> assertThat(server.process().isAlive()).isTrue());
            assertThat(again.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(again.err()).contains("hold entries of customer, product, sale already");
            assertThat(cleared.exitCode()).isZero();
        }
    }

    @Test
    void demo_overServersThatDoNotAnswer_isOneLineAndExit1() {
        CommandRun run = CommandRun.of("demo", "--partitions", "redis://127.0.0.1:1", "--sales", "500");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines().filter(line -> line.startsWith("keyslot: ")))
                .hasSize(1)
                .first()
                .asString()
                .contains("127.0.0.1:1");
    }
}
