// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.catalogue.Catalogue.MapChange;
import io.keyslot.client.map.ConfiguredMap;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.client.partition.SlotTransfer.ServerFacts;
import io.keyslot.cluster.cli.ClusterHistory.Event;
import io.keyslot.cluster.cli.ClusterHistory.Figures;
import io.keyslot.cluster.cli.ClusterHistory.Health;
import io.keyslot.cluster.cli.ClusterHistory.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ClusterHistoryTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final String READS = "reads are misses";

    private final PartitionMap map = map();
    private final ClusterHistory history = new ClusterHistory();
    private Instant now = NOON;

    @Command(name = "connected")
    private static final class Connected {
        @Mixin
        private ConnectionOptions connection = new ConnectionOptions();
    }

    private static PartitionMap map() {
        Connected connected = new Connected();
        new CommandLine(connected).parseArgs("--partitions=redis://h:1,redis://h:2,redis://h:3");
        return ConfiguredMap.of(connected.connection.options());
    }

    private static Reply<MemoryUse> answer(long used, String policy, String role) {
        return Reply.done(new MemoryUse(used, 1_000, 5, policy, new ServerFacts("Redis 8.0.0", role, 0L)));
    }

    private static Reply<MemoryUse> well() {
        return answer(100, "noeviction", "master");
    }

    private static Reply<MemoryUse> refused() {
        return Reply.unknown("cannot connect: Connection refused", null);
    }

    /** A second passes. */
    @SafeVarargs
    private void observe(Reply<MemoryUse>... replies) {
        now = now.plusSeconds(1);
        Map<MappedPartition, Reply<MemoryUse>> heard = new HashMap<>();
        for (int i = 0; i < replies.length; i++) {
            heard.put(map.partitions().get(i), replies[i]);
        }
        history.observe(heard, now);
    }

    private Health health() {
        return history.health(map, READS, 0, "");
    }

    @Test
    void silentPartition_isSilentSinceItsLastAnswer_andTheSentenceSaysTheCost() {
        observe(well(), well(), well());
        observe(well(), refused(), well());
        observe(well(), refused(), well());

        assertThat(health())
                .isEqualTo(new Health(
                        Level.DOWN,
                        "p2 has been silent",
                        NOON.plusSeconds(1),
                        "33\u00a0% of the slots; reads are misses"));
        assertThat(history.health(map, READS, 1, "").cost()).endsWith("; 1 pending delete");
        assertThat(history.events())
                .containsExactly(new Event(NOON.plusSeconds(3), "p2 is silent: cannot connect: Connection refused"));

        observe(refused(), refused(), refused());
        observe(refused(), refused(), refused());

        assertThat(health())
                .isEqualTo(new Health(
                        Level.DOWN,
                        "p1, p2 and p3 have been silent",
                        NOON.plusSeconds(1),
                        "100\u00a0% of the slots; reads are misses"));
    }

    @Test
    void replica_andFullServer_andDoubt_areWarnings() {
        observe(well(), answer(10, "noeviction", "slave"), answer(960, "noeviction", "master"));
        assertThat(health().text()).isEqualTo("p2 is read-only");

        observe(answer(999, "noeviction", "master"), well(), answer(960, "noeviction", "master"));
        assertThat(health().text()).isEqualTo("p1 and p3 are almost full");

        observe(answer(999, "allkeys-lru", "master"), well(), well());
        assertThat(health().level()).isEqualTo(Level.WELL);
        assertThat(history.health(map, READS, 0, "p4 may know one").level()).isEqualTo(Level.WARNING);
    }

    @Test
    void changesOfTheMap_areEventsOnce_alsoThoseOfUnknownTime() {
        MapChange first = new MapChange(1, "init", "2026-01-01T11:00:00Z", "ann", "the first map");
        MapChange second = new MapChange(2, "edit");

        history.change(List.of(first), 1);
        history.change(List.of(first, second), 2);

        assertThat(history.isNewer(2)).isFalse();
        assertThat(history.isNewer(3)).isTrue();
        assertThat(history.events())
                .containsExactly(
                        new Event(NOON.minus(Duration.ofHours(1)), "map version 1: the first map (ann)"),
                        new Event(Instant.EPOCH, "map version 2: edit"));
    }

    @Test
    void historyIsBounded() {
        history.change(
                IntStream.range(0, 500)
                        .mapToObj(i -> new MapChange(i, "edit " + i))
                        .toList(),
                499);
        for (int i = 0; i < 500; i++) {
            history.add(new Figures(NOON.plusSeconds(10L * i), null, null, null, (long) i));
        }

        assertThat(history.events()).hasSize(ClusterHistory.MOST_EVENTS);
        assertThat(history.figures()).hasSize(91);
        assertThat(history.figures().get(90).clients()).isEqualTo(499);
    }
}
