// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.HashSlot;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SideBySide
class WhereIT {
    @AutoClose
    private LocalServers servers;

    private String addresses;

    @BeforeAll
    void start() {
        servers = TestServers.none();
        addresses = servers.start(3).stream().map(LocalServer::uri).collect(Collectors.joining(","));
    }

    @Nested
    class Where {
        @Test
        void withoutConfiguration_tellsSlotAndOwnerOnly() {
            CommandRun run = CommandRun.of("where", "customer:99");

            assertThat(run.exitCode()).isZero();
            assertThat(run.err()).isEmpty();
            assertThat(run.out().lines())
                    .containsExactly(
                            "entity key    customer:99",
                            "slot          " + HashSlot.of("customer:99"),
                            "partition     " + ownerOfThree(HashSlot.of("customer:99")));
        }

        @Test
        void entryThatIsThere_isDescribed() {
            put("customer", 99, "Nowmer");

            CommandRun run = CommandRun.of("where", "customer:99", "--partitions", addresses);

            assertThat(run.exitCode()).isZero();
            assertThat(run.out())
                    .contains("entry         present")
                    .contains("time to live  does not expire")
                    .containsPattern("address +.*127.0.0.1:")
                    .containsPattern("size +[0-9]+ bytes")
                    .containsPattern("stamp +-?[0-9]+");
        }

        /** What a cache of the file needs besides, such as classes of the application, is not needed. */
        @Test
        void rawEntry_isDescribed_ifTheFileSaysThatItsCacheIsRaw(@TempDir Path directory) throws Exception {
            Path file = Files.writeString(
                    directory.resolve("keyslot.yaml"), """
                    partitions: [ %s ]
                    caches:
                      price: { layout: raw, entityType: prices, codec: json, ttl: 1m }
                      customer: { codec: json, ttl: 1m }
                    """.formatted(String.join(", ", addresses.split(","))));
            put("prices", 42, "1250", ValueLayout.RAW);
            put("customer", 98, "Nowmer");

            CommandRun run = CommandRun.of("where", "prices:42", "--config", file.toString());

            assertThat(run.err()).isEmpty();
            assertThat(run.out()).contains("entry         present").containsPattern("size +4 bytes");
            assertThat(CommandRun.of("where", "customer:98", "--config", file.toString())
                            .out())
                    .contains("entry         present");
            assertThat(CommandRun.of("where", "prices:42", "--partitions", addresses)
                            .out())
                    .contains("entry         unreadable");
            CommandRun ofNoCache = CommandRun.of("where", "price:42", "--config", file.toString());
            assertThat(ofNoCache.exitCode()).isOne();
            assertThat(ofNoCache.err())
                    .contains("No cache of the configuration has keys of the type price; it has customer, prices");
        }

        @Test
        void entryThatIsNotThere_isAbsent() {
            CommandRun run = CommandRun.of("where", "customer:100", "--partitions", addresses);

            assertThat(run.out()).contains("entry         absent").doesNotContain("stamp");
        }

        @Test
        void partitionThatDoesNotAnswer_isOneLineAndExit1() {
            CommandRun run = CommandRun.of("where", "customer:99", "--partitions", "redis://127.0.0.1:1");

            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(run.out()).contains("slot          " + HashSlot.of("customer:99"), "entry         unknown");
            assertThat(run.err().lines()).hasSize(1).first().asString().contains("p1", "127.0.0.1:1", "missing");
        }

        private String ownerOfThree(int slot) {
            return slot < 5462 ? "p1" : slot < 10923 ? "p2" : "p3";
        }

        private void put(String cacheName, Integer key, String value) {
            put(cacheName, key, value, ValueLayout.KEYSLOT);
        }

        private void put(String cacheName, Integer key, String value, ValueLayout layout) {
            Properties properties = new Properties();
            properties.setProperty("keyslot.engine", "instances");
            properties.setProperty("keyslot.partitions", addresses);
            try (CacheManager manager = Caching.getCachingProvider()
                    .getCacheManager(URI.create("keyslot:where-it"), WhereIT.class.getClassLoader(), properties)) {
                Cache<Integer, String> cache = manager.createCache(
                        cacheName,
                        new PartitionedConfiguration<Integer, String>()
                                .setTypes(Integer.class, String.class)
                                .setLayout(layout));
                cache.put(key, value);
            }
        }
    }

    @Nested
    class Check {
        @Test
        void serverThatDoesNotAnswer_isOneLineAndExit1(@TempDir Path directory) throws Exception {
            Path file = directory.resolve("keyslot.yaml"); // whoever answers has time for it
            Files.writeString(file, """
                    partitions: [%s, redis://127.0.0.1:1]
                    startup: { wait: 5s }
                    deadlines: { connect: 5s, call: 5s, command: 4s }
                    """.formatted(servers.start().uri()));

            CommandRun run = CommandRun.of("check", "--config", file.toString());

            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(run.err().lines()).hasSize(1).first().asString().contains("p2", "127.0.0.1:1");
        }

        @Test
        void listInAnotherOrder_leavesNothingBehindInBlankServers() throws Exception {
            String first = servers.start().uri();
            String second = servers.start().uri();
            CommandRun.of("check", "--partitions", second + "," + first);

            CommandRun run = CommandRun.of("check", "--partitions", first + "," + second);

            assertThat(run.err()).startsWith("Note: p1, p2: without maxmemory, ");
            assertThat(run.exitCode()).isZero();
        }
    }
}
