// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.ErasureReport;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.cache.feed.FeedChange;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.cache.feed.FeedStart;
import io.keyslot.cache.feed.FeedSubscription;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearState;
import io.keyslot.client.jcache.MapLoader;
import io.keyslot.client.jcache.RecordingWriter;
import io.keyslot.client.json.JsonReader;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.OtherJvm;
import io.keyslot.it.SideBySide;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SideBySide
class EraseIT {
    private static final EntityKey ROOT = EntityKey.of("customer", 99);
    private static final EntityKey OTHER = EntityKey.of("customer", 9);
    private static final Duration STALENESS = Duration.ofSeconds(1);
    private static final AtomicInteger OPENED = new AtomicInteger();

    private final LocalServers servers = TestServers.none();
    private final List<LocalServer> all = servers.start(3, "--appendonly", "yes", "--appendfsync", "always");
    private final List<String> addresses = all.stream().map(LocalServer::uri).toList();
    private final PartitionedCacheManager manager = open(Map.of());

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        manager.close();
        servers.close();
    }

    private PartitionedCacheManager open(Map<String, ?> settings) {
        return KeyslotManagers.openPatiently("erase-" + OPENED.incrementAndGet(), addresses, settings)
                .unwrap(PartitionedCacheManager.class);
    }

    private static PartitionedConfiguration<Long, String> customers() {
        return new PartitionedConfiguration<Long, String>()
                .setTypes(Long.class, String.class)
                .setFeed(FeedOptions.defaults().withValues(true));
    }

    private static PartitionedConfiguration<EntityKey, String> members() {
        return new PartitionedConfiguration<EntityKey, String>()
                .setTypes(EntityKey.class, String.class)
                .setGroupedBy("customer");
    }

    /** Stores entries of all kinds in the groups of two customers. */
    private void fill() {
        PartitionedCache<Long, String> customers = manager.createCache("customer", customers());
        PartitionedCache<EntityKey, String> orders = manager.createCache("order", members());
        PartitionedCache<EntityKey, String> unlisted =
                manager.createCache("note", members().setIndexed(false));
        for (long id : List.of(99L, 9L)) {
            EntityKey root = EntityKey.of("customer", id);
            customers.put(id, "Sheri Nowmer");
            for (int i = 0; i < 1200; i++) {
                orders.put(EntityKey.of("order", i).in(root), "bread");
            }
            unlisted.put(EntityKey.of("note", 1).in(root), "likes bread");
            CacheGroup group = manager.group(root);
            group.hash("cart", String.class, Long.class).put("bread", 2L);
            group.list("history", String.class).addLast("order 1");
            group.counter("visits").incrementAndGet();
            assertThat(group.lock().tryLock(Duration.ZERO, Duration.ofHours(1))).isPresent();
        }
    }

    private Path configuration(String caches) throws Exception {
        return Files.writeString(
                folder.resolve("keyslot.yaml"),
                "partitions: [%s]\ndeadlines: { connect: 5s, call: 5s, command: 4s }\n%s"
                        .formatted(
                                addresses.stream().map(each -> "'" + each + "'").collect(Collectors.joining(", ")),
                                caches));
    }

    private Path configuration() throws Exception {
        return configuration("""
                caches:
                  customer: { valueType: com.example.NotHere, feed: { values: true } }
                  order: { groupedBy: customer }
                  note: { groupedBy: customer, indexed: false }
                """);
    }

    /** Returns all that servers have of a customer, as another program sees it. */
    private List<String> remains(String customer) {
        return all.stream()
                .filter(LocalServer::isRunning)
                .flatMap(server -> remains(server, customer).stream())
                .toList();
    }

    private static List<String> remains(LocalServer server, String customer) {
        try (RedisClient client = RedisClient.create(server.uri());
                StatefulRedisConnection<String, String> connection = client.connect()) {
            List<String> found = new CopyOnWriteArrayList<>();
            for (String key : connection.sync().keys("*")) {
                if (key.equals(customer) || key.contains("{" + customer + "}")) {
                    found.add(key);
                }
                if (key.startsWith("keyslot:feed:")) {
                    connection.sync().xrange(key, Range.unbounded()).stream()
                            .map(change -> String.valueOf(change.getBody().get("c")))
                            .filter(change -> change.equals("p" + customer)
                                    || (change.startsWith("p") && change.contains("{" + customer + "}")))
                            .forEach(found::add);
                }
            }
            return found;
        }
    }

    private static Map<String, Long> counts(ErasureReport report) {
        return report.parts().stream()
                .collect(Collectors.toMap(ErasureReport.Part::content, ErasureReport.Part::removed, Long::sum));
    }

    @Test
    void everythingOfAGroup_isRemoved_andNothingElse() {
        fill();
        List<String> others = remains(OTHER.text());
        assertThat(remains(ROOT.text())).hasSameSizeAs(others).hasSizeGreaterThan(1200);

        ErasureReport report = manager.erase(ROOT);

        assertThat(report.isComplete()).isTrue();
        assertThat(counts(report))
                .containsEntry("entries of customer", 1L)
                .containsEntry("entries of order", 1200L)
                .containsEntry("other values of note", 1L)
                .containsEntry("hash cart", 1L)
                .containsEntry("list history", 1L)
                .containsEntry("counter visits", 1L)
                .containsEntry("feed of customer", 1L)
                .containsKey("index, stamps and lock");
        assertThat(remains(ROOT.text())).isEmpty();
        assertThat(remains(OTHER.text())).hasSameElementsAs(others);
        assertThat(manager.erase(ROOT).parts()).isEmpty();
        assertThat(manager.group(ROOT).lock().tryLock(Duration.ZERO, Duration.ofSeconds(1)))
                .isPresent();
    }

    @Test
    void memberOfAGroup_isRemovedAlone() {
        fill();
        EntityKey order = EntityKey.of("order", 7).in(ROOT);
        int before = remains(ROOT.text()).size();

        assertThat(counts(manager.erase(order))).containsExactly(Map.entry("entries of order", 1L));
        assertThat(counts(manager.erase(EntityKey.of("cart").in(ROOT)))).containsExactly(Map.entry("hash cart", 1L));

        assertThat(remains(ROOT.text())).hasSize(before - 2);
        assertThat(manager.group(ROOT).members())
                .noneMatch(member -> member.key().equals(order.text()));
    }

    @Test
    void rawEntry_isRemoved() {
        PartitionedCache<Long, String> raw = manager.createCache(
                "customer",
                new PartitionedConfiguration<Long, String>()
                        .setTypes(Long.class, String.class)
                        .setLayout(ValueLayout.RAW));
        raw.put(99L, "gold");

        assertThat(counts(manager.erase(ROOT))).containsExactly(Map.entry("other values of customer", 1L));
        assertThat(remains(ROOT.text())).isEmpty();
    }

    /** A reader of the feed that has a copy hears of the removal, but finds no value any more. */
    @Test
    void readersOfAFeed_hearOfTheRemoval_andGetNoValue() {
        PartitionedCache<Long, String> customers = manager.createCache("customer", customers());
        customers.put(99L, "Sheri");
        customers.put(99L, "Sheri Nowmer");
        customers.put(9L, "Derrick");

        assertThat(counts(manager.erase(ROOT)))
                .containsEntry("feed of customer", 2L)
                .containsEntry("entries of customer", 1L);

        Collection<FeedChange<Long, String>> changes = new CopyOnWriteArrayList<>();
        try (FeedSubscription unused = customers.subscribe("copy", FeedStart.earliest(), batch -> {
            changes.addAll(batch.changes());
            batch.checkpoint();
        })) {
            await().atMost(Duration.ofSeconds(60)).until(() -> changes.size() >= 2);
        }
        assertThat(changes.stream().map(change -> change.kind() + " " + change.key()))
                .containsExactlyInAnyOrder("REMOVE 99", "PUT 9");
    }

    @Test
    void waitingWrites_areGivenUp_andDoNotComeBack() {
        RecordingWriter<Long, String> writer = new RecordingWriter<>();
        PartitionedCache<Long, String> customers = manager.createCache(
                "customer",
                customers()
                        .setWriteThrough(true)
                        .setReadThrough(true)
                        .setCacheLoaderFactory(() -> MapLoader.answering(key -> null))
                        .setCacheWriterFactory(() -> writer)
                        .setWriteBehind(WriteBehindOptions.defaults().withDelay(Duration.ofMinutes(10))));
        customers.put(99L, "Sheri Nowmer");
        customers.put(9L, "Derrick");

        ErasureReport report = manager.erase(ROOT);

        assertThat(counts(report)).containsEntry("write-behind queue of customer", 1L);
        assertThat(customers.get(99L)).isNull();
        assertThat(customers.flushWrites(Duration.ofSeconds(60))).isTrue();
        assertThat(writer.takeWrites()).singleElement().asString().startsWith("write 9=");
        assertThat(remains(ROOT.text())).isEmpty();
    }

    @Test
    void impossibleKeys_areRefused() {
        assertThatThrownBy(() -> manager.erase(EntityKey.of("keyslot", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reserved");
        assertThatThrownBy(() -> manager.erase(EntityKey.of("customer", "9".repeat(100_000))))
                .isInstanceOf(LimitExceededException.class);
    }

    /** The process stands still while the value is erased, as in a long garbage collection. */
    @Test
    void sleepingProcess_servesNoNearCopyWhenItGoesOn() throws Exception {
        PartitionedCache<Long, String> customers = manager.createCache("customer", customers());
        customers.put(99L, "Sheri Nowmer");
        try (OtherJvm reader = OtherJvm.start(Reader.class, String.join(",", addresses))) {
            reader.awaitLine("ready");
            String nearHit = "Sheri Nowmer NEAR";
            await().atMost(Duration.ofSeconds(60)).until(() -> answer(reader).equals(nearHit));
            reader.suspend();

            ErasureReport report = manager.erase(ROOT);
            reader.runFor(STALENESS);
            reader.resume();

            assertThat(report.isComplete()).isTrue();
            assertThat(answer(reader)).startsWith("null");
        }
    }

    private static String answer(OtherJvm reader) throws Exception {
        reader.say("get");
        return reader.readLine();
    }

    /** Answers the value each time that it is told to, and whether it was a near copy. */
    static final class Reader {
        private Reader() {}

        @SuppressWarnings("unchecked")
        public static void main(String[] arguments) throws Exception {
            BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            try (CacheManager manager = KeyslotManagers.openPatiently("reader", List.of(arguments[0].split(",", -1)))) {
                PartitionedCache<Long, String> cache = manager.createCache(
                                "customer",
                                customers().setNear(NearOptions.ofEntries(100).withStaleness(STALENESS)))
                        .unwrap(PartitionedCache.class);
                System.out.println("ready");
                while (orders.readLine() != null) {
                    NearState near = cache.explain(99L).near();
                    boolean isNear = near != null && near.isServed();
                    System.out.println(cache.get(99L) + (isNear ? " NEAR" : ""));
                }
            }
        }
    }

    @Test
    void deadPartition_isReported_andRepeatingItIsEnough() throws Exception {
        fill();
        Path config = configuration();
        LocalServer owner = all.get(
                manager.slotMap().partitions().indexOf(manager.group(ROOT).partition()));
        owner.kill();

        CommandRun first = CommandRun.of("erase", ROOT.text(), "-o", "json", "--config", config.toString());
        ErasureReport byApplication = manager.erase(ROOT);

        assertThat(first.exitCode()).as(first.err()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(first.out()).contains("\"complete\":false");
        assertThat(first.err()).contains("Not erased: group of customer at p", "repeat the command");
        assertThat(byApplication.isComplete()).isFalse();
        owner.restart();
        assertThat(remains(ROOT.text())).as("the server has its file again").isNotEmpty();

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            CommandRun repeated = CommandRun.of("erase", ROOT.text(), "-o", "json", "--config", config.toString());
            assertThat(repeated.exitCode()).as(repeated.err()).isZero();
            assertThat(repeated.out()).contains("\"complete\":true");
        });
        assertThat(remains(ROOT.text())).isEmpty();
    }

    @Test
    void command_printsAndStoresItsReport() throws Exception {
        fill();
        Path config = configuration();
        Path report = folder.resolve("erased.json");

        CommandRun table =
                CommandRun.of("erase", ROOT.text(), "--report", report.toString(), "--config", config.toString());
        CommandRun again = CommandRun.of("erase", ROOT.text(), "--config", config.toString());

        assertThat(table.exitCode()).as(table.err()).isZero();
        assertThat(table.out())
                .containsPattern("p[123] +entries of order +1,200")
                .contains("feed of customer");
        assertThat(remains(ROOT.text())).isEmpty();
        Map<?, ?> document = (Map<?, ?>) Objects.requireNonNull(JsonReader.read(Files.readAllBytes(report)));
        assertThat(document.get("key")).isEqualTo("customer:99");
        assertThat(document.get("complete")).isEqualTo(true);
        assertThat((List<?>) document.get("parts")).hasSizeGreaterThan(5);
        assertThat(again.exitCode()).isZero();
        assertThat(again.out()).isEqualTo("Nothing is stored under this key." + System.lineSeparator());
    }

    @Test
    void commandThatCannotBeRight_removesNothing() throws Exception {
        fill();
        Path config = configuration();
        int before = remains(ROOT.text()).size();

        CommandRun unknown = CommandRun.of("erase", "costumer:99", "--config", config.toString());
        CommandRun malformed = CommandRun.of("erase", "customer", "--config", config.toString());
        CommandRun fullDisk =
                CommandRun.of("erase", ROOT.text(), "--report", "/dev/full", "--config", config.toString());

        assertThat(unknown.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(unknown.err())
                .contains("Nothing was removed: No cache of the configuration has keys of the type costumer;"
                        + " it has customer, note, order");
        assertThat(malformed.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(fullDisk.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(fullDisk.err()).contains("/dev/full").contains("No space left");
        assertThat(fullDisk.out()).isEmpty();
        assertThat(remains(ROOT.text())).hasSize(before);
    }
}
