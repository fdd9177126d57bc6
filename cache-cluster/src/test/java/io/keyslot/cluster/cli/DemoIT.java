// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.cluster.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
class DemoIT {
    private static final String SALES = "5000";
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
                .containsPattern("a server comes +[1-9]")
                .containsPattern("Keys that went to the new server +[1-9]")
                .containsPattern("Longest pause of writes to a slot +[0-9.]+ m?s\n")
                .containsPattern("p4 +4,096 +[1-9]");
    }

    private static void assertGoesOnWithoutAPartition(CommandRun run) {
        assertThat(run.err()).contains("100 %").contains("5,000 of 5,000");
        assertThat(run.out())
                .containsPattern("load +[34],")
                .containsPattern("Entries lost +0\n")
                .containsPattern("Reads of its keys answered by the loader +[1-9]")
                .containsPattern("Time until p2 counts as missing +[0-9.]+ m?s\n")
                .containsPattern("until it is used +[0-9.]+ m?s\n")
                .doesNotContain("never", "First error");
        assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(run.exitCode()).as(run.err()).isZero();
    }

    @Test
    void report_isJsonForPrograms() {
        CommandRun run = CommandRun.of("demo", "--sales", "500", "-o", "json");

        assertThat(run.out())
                .contains("\"isGood\":true", "\"lost\":0", "\"answeredByLoader\":", "\"untilUsedMillis\":")
                .contains("\"phases\":[{\"calls\":");
        assertThat(run.exitCode()).isZero();
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
}
