// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import io.keyslot.it.fault.Resp;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A running application reads from a replica that an operator names in the map, and no longer after its removal. */
@SideBySide
class ReplicaCommandIT {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Pattern MGET = Pattern.compile("cmdstat_mget:calls=(\\d+)");

    @AutoClose
    private final LocalServers servers = TestServers.none();

    private final LocalServer primary = servers.start("--repl-diskless-sync-delay", "0");
    private final LocalServer replica = servers.start("--replicaof", "127.0.0.1 " + primary.port());

    private CommandRun run(String... words) {
        String[] all = new String[words.length + 2];
        all[0] = "replica";
        System.arraycopy(words, 0, all, 1, words.length);
        all[words.length + 1] = "--partitions=" + primary.uri();
        return CommandRun.of(all);
    }

    private long answered() throws IOException {
        Matcher calls = MGET.matcher(Resp.run(replica.port(), "INFO", "commandstats"));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    @Test
    void replicaOfTheMap_isReadByRunningClients_untilItIsRemoved() throws IOException {
        CacheManager manager =
                KeyslotManagers.openPartitions("replica-command", Map.of("keyslot.partitions.p1.uri", primary.uri()));
        try (manager) {
            PartitionedConfiguration<String, Long> configuration = new PartitionedConfiguration<>();
            configuration.setTypes(String.class, Long.class);
            configuration.setReads(ReplicaReads.upTo(Duration.ofMillis(500)));
            Cache<String, Long> cache = manager.createCache("versions", configuration);
            cache.put("a", 1L);
            assertThat(cache.get("a")).isEqualTo(1L);
            assertThat(answered()).isZero();

            CommandRun added = run("add", "p1=" + replica.uri(), "zone=b");
            assertThat(added.exitCode()).as(added.err()).isZero();
            assertThat(added.out()).contains("p1", "127.0.0.1:" + replica.port(), "b");
            await().atMost(LONG).until(() -> {
                assertThat(cache.get("a")).isEqualTo(1L);
                return answered() > 0;
            });

            CommandRun removed = run("remove", "p1=" + replica.uri(), "-o", "json");
            assertThat(removed.exitCode()).as(removed.err()).isZero();
            assertThat(removed.out()).contains("\"replicas\":{\"p1\":[]}");
            await().atMost(LONG).until(() -> {
                long before = answered();
                for (int i = 0; i < 50; i++) {
                    assertThat(cache.get("a")).isEqualTo(1L);
                }
                return answered() == before;
            });
        }
    }

    @Test
    void whatIsNoReplica_isRefused() {
        assertThat(run("add", "p9=" + replica.uri()).exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(run("add", "p1=" + primary.uri()).err()).contains("is the address of partition p1, and no replica");
        assertThat(run("remove", "p1=" + replica.uri()).err()).contains("the map has no replica p1=redis://");
        CommandRun login = run("add", "p1=redis://user:secret@127.0.0.1:6379");
        assertThat(login.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(login.err())
                .contains("names a user, a password or sentinels")
                .doesNotContain("secret");
    }
}
