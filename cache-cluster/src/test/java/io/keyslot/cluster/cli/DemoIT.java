// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.client.time.SystemTicker;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
class DemoIT {
    private static final String SALES = "5000";
    private static final double HIGHEST_SLOT_SKEW = 1.05;
    private static final Pattern PAGE = Pattern.compile("The page is at (http://\\S+), its token");

    @Test
    void demo_goesOnWithoutAPartition() {
        CommandRun run = CommandRun.of("demo", "--engine", "embedded", "--sales", SALES);

        assertGoesOnWithoutAPartition(run);
    }

    @Test
    void demoOnServers_goesOnWithoutOne_andAddsOne_andLosesNothing() throws Exception {
        CommandRun run = withAPage("demo", "--engine", "instances", "--serve", "0", "--sales", SALES);

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

    /** Runs it with a page until it is ended, which here is an interrupt. */
    private static CommandRun withAPage(String... arguments) throws Exception {
        StringWriter err = new StringWriter();
        StringWriter out = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), false, false);
        FutureTask<Integer> demo =
                new FutureTask<>(() -> KeyslotCommand.run(terminal, new SystemTicker()::nanos, arguments));
        Thread thread = new Thread(demo, "demo");
        thread.start();
        await().atMost(Duration.ofMinutes(2))
                .until(() -> demo.isDone() || err.toString().contains("stay until this is ended"));
        Matcher page = PAGE.matcher(err.toString());
        assertThat(page.find()).as(err.toString()).isTrue();
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(stateOf(page.group(1)))
                        .contains("\"p4\"", "answers")
                        .doesNotContain("silent"));
        thread.interrupt();
        return new CommandRun(demo.get(30, TimeUnit.SECONDS), out.toString(), err.toString());
    }

    private static String stateOf(String page) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(page + "api/state")).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
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
