// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.cli.KeyslotCommand;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program and the commands of {@code docs/step-by-step.md}, on real servers. */
@Tag("thorough")
@SideBySide
@SuppressWarnings("NullAway.Init") // set before each test
class StepByStepIT {
    private static final Path PAGE = Documents.DOCS.resolve("step-by-step.md");
    private static final String OUTAGE = "missingPartitionWrites";
    private static final String QUERY = "database: select";

    @TempDir
    private Path folder;

    @AutoClose
    private LocalServers servers;

    @BeforeEach
    void start() {
        servers = TestServers.none();
        List<LocalServer> unused = servers.start(4);
    }

    @Test
    void everyStep_doesWhatThePageSays() throws Exception {
        assertThat(JavaSnippets.problemsOfProgram(files(), folder)).isEmpty();
        List<String> printed = blocks("text").flatMap(String::lines).toList();
        List<String> printedAgain =
                printed.stream().filter(line -> !line.startsWith(QUERY)).toList();

        configure(false);
        assertThat(run()).isEqualTo(printed);
        assertThat(run()).isEqualTo(printedAgain);

        servers.servers().get(0).kill();
        assertThat(run()).isEqualTo(printedAgain.subList(0, 2));
        configure(true);
        assertThat(run()).isEqualTo(printedAgain);

        servers.servers().get(0).restart();
        List<String> commands = blocks("sh")
                .flatMap(String::lines)
                .filter(line -> line.startsWith("keyslot "))
                .toList();
        assertThat(commands)
                .hasSize(4)
                .allSatisfy(command -> assertThat(printedBy(command)).isNotEmpty());
        assertThat(printedBy("keyslot map show")).contains("p4");
        assertThat(run()).isEqualTo(printedAgain);
    }

    private List<String> run() throws Exception {
        return GettingStartedTest.printedBy(folder, "Shop").lines().toList();
    }

    /** Reads {@code keyslot.yaml} in the folder, in which it runs. */
    private String printedBy(String command) throws Exception {
        List<String> words = new ArrayList<>(List.of(withPorts(command).split(" ")));
        words.set(0, KeyslotCommand.class.getName());
        return GettingStartedTest.printedBy(folder, words.toArray(String[]::new));
    }

    /** Its types, and the first one with the statements of all steps. */
    private static List<String> files() throws IOException {
        List<Snippet> code =
                Snippet.of(PAGE).stream().filter(block -> block.is("java")).toList();
        String statements = code.stream()
                .filter(block -> !block.isUnit())
                .map(Snippet::text)
                .collect(Collectors.joining());
        return code.stream()
                .filter(Snippet::isUnit)
                .map(block -> block.text().replace("// the next step", statements))
                .toList();
    }

    /** Writes what the page has set so far: the last line of each cache. */
    private void configure(boolean afterTheOutage) throws IOException {
        Map<String, String> lines = new LinkedHashMap<>();
        blocks("yaml")
                .filter(block -> afterTheOutage || !block.contains(OUTAGE))
                .flatMap(String::lines)
                .forEach(line -> lines.put(line.substring(0, line.indexOf(':')), line));
        Path unused = Files.writeString(folder.resolve("keyslot.yaml"), withPorts(String.join("\n", lines.values())));
    }

    private static Stream<String> blocks(String language) throws IOException {
        return Snippet.of(PAGE).stream().filter(block -> block.is(language)).map(Snippet::text);
    }

    private String withPorts(String text) {
        String changed = text;
        for (int i = 0; i < servers.servers().size(); i++) {
            changed = changed.replace(
                    ":700" + (i + 1), ":" + servers.servers().get(i).port());
        }
        return changed;
    }
}
