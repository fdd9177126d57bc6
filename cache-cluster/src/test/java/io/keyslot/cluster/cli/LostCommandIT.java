// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.ConfigurationLoader;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanDocument;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator declares that a server is gone for good. */
@SideBySide
class LostCommandIT {
    @TempDir
    private Path folder;

    @AutoClose
    private final LocalServers servers = TestServers.none();

    private final List<LocalServer> three = servers.start(3);

    private CommandRun run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--partitions=" + addresses());
        return CommandRun.of(all.toArray(String[]::new));
    }

    private String addresses() {
        return three.stream().map(LocalServer::uri).collect(Collectors.joining(","));
    }

    /** Before anything was agreed on, one that does not answer might know of something. */
    private void agreeOnAMap() throws MapStore.UnavailableException {
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", addresses());
        URI uri = URI.create("test");
        try (OpenCatalogue catalogue = OpenCatalogue.of(ConfigurationLoader.load(
                uri, uri, getClass().getClassLoader(), properties, Map.<String, String>of()::get))) {
            PartitionMap first = catalogue.maps().read();
            PartitionMap next = first.next(
                    new MapCommit("agreed", "test", "", Instant.EPOCH),
                    content -> content.change(new PartitionId("p1"), weighed -> weighed.withWeight(1)));
            assertThat(catalogue.maps().compareAndSet(first, next)).isEqualTo(MapStore.Stored.DONE);
        }
    }

    @Test
    void partitionThatIsGone_isDeclaredLost_andItsSlotsArePlannedElsewhere() throws Exception {
        agreeOnAMap();
        three.get(2).kill();

        CommandRun lost = run("lost", "p3", "--confirm=p3");

        assertThat(lost.exitCode()).as(lost.err()).isZero();
        assertThat(lost.out()).startsWith("p3 is lost in map 1-").contains("5,461 slots", "keyslot plan remove p3");
        assertThat(run("map", "show").out()).contains("lost");
        Path file = folder.resolve("plan.json");
        CommandRun planned = run("plan", "remove", "p3", "--out=" + file);
        assertThat(planned.exitCode()).as(planned.err()).isZero();
        Plan plan = PlanDocument.read(Files.readAllBytes(file));
        assertThat(plan.movedSlots()).isEqualTo(5_461);
        assertThat(plan.moves()).allMatch(move -> move.from().equals(new PartitionId("p3")));

        CommandRun applied = run("apply", file.toString());

        assertThat(applied.exitCode()).as(applied.err()).isZero();
        assertThat(run("map", "show").out()).contains("removed").doesNotContain("lost");
    }

    @Test
    void partitionThatAnswers_isNotLost() {
        CommandRun refused = run("lost", "p3", "--confirm=p3");

        assertThat(refused.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).contains("p3 answers").hasLineCount(1);
        assertThat(run("map", "show").out()).startsWith("Map 0-configured/1");
    }

    @Test
    void wrongNames_areRefused() {
        assertThat(run("lost", "p9", "--confirm=p9").err()).contains("There is no partition p9");
        assertThat(run("lost", "p3", "--confirm=p2").err()).contains("--confirm names p2");
        assertThat(run("map", "show").out()).startsWith("Map 0-configured/1");
    }
}
