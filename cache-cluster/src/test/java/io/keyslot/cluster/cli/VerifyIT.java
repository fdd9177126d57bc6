// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ConfigurationLoader;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.Migration;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.Verification;
import io.keyslot.cluster.operator.Verification.Compared;
import io.keyslot.cluster.plan.PlanDocument;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import io.keyslot.it.move.StepWatch;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage that plain commands do to what is stored, and what {@code keyslot verify} says of it. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class VerifyIT {
    private static final int ENTRIES = 300;
    /** These have some hundred slots, with a twentieth of the entries. */
    private static final int CHUNKS = 5;

    private static final int LARGE_BYTES = 3 * 1024 * 1024;
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");

    @TempDir
    private Path folder;

    private final TestServers servers = TestServers.start(2);
    private final RedisClient client = RedisClient.create();
    private final List<RedisCommands<byte[], byte[]>> plain = new ArrayList<>();
    private CacheManager manager;
    private Cache<String, String> texts;
    private Cache<String, String> prices;
    private String config;

    @BeforeEach
    void store() throws IOException {
        for (String uri : servers.uris()) {
            StatefulRedisConnection<byte[], byte[]> connection =
                    client.connect(ByteArrayCodec.INSTANCE, RedisURI.create(uri));
            plain.add(connection.sync());
        }
        Path file = folder.resolve("keyslot.yaml");
        Files.writeString(
                file,
                "partitions: ['%s', '%s']\ndeadlines: { connect: 5s, call: 5s, command: 4s }\n"
                        .formatted(servers.uri(0), servers.uri(1)));
        config = file.toString();
        manager = KeyslotManagers.openPatiently("verify-" + folder.getFileName(), servers.uris());
        texts = manager.createCache("text", types());
        prices = manager.createCache("price", types().setLayout(ValueLayout.RAW));
        for (int i = 0; i < ENTRIES; i++) {
            texts.put("k" + i, "value " + i);
            prices.put("k" + i, "price " + i);
        }
        for (int i = 0; i < 4; i++) {
            texts.put("large" + i, Integer.toString(i).repeat(LARGE_BYTES));
        }
        for (int i = 0; i < 8; i++) {
            storeGroup(i);
        }
    }

    private static PartitionedConfiguration<String, String> types() {
        return new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
    }

    private void storeGroup(int number) {
        CacheGroup group = manager.unwrap(PartitionedCacheManager.class).group(EntityKey.of("customer", number));
        group.hash("cart", String.class, Integer.class).putAll(Map.of("apples", number));
        group.list("history", String.class).addAll(List.of("login", "logout"));
        group.set("orders", Integer.class).add(number);
        group.sortedSet("board", String.class).add("first", number);
        long unused = group.counter("visits").addAndGet(number);
    }

    @AfterEach
    void close() throws Exception {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        manager.close();
        servers.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private RedisCommands<byte[], byte[]> ownerOf(String key) {
        return plain.stream()
                .filter(each -> each.exists(bytes(key)) == 1)
                .findFirst()
                .orElseThrow();
    }

    /** Changes the last byte. */
    private void damage(String key) {
        RedisCommands<byte[], byte[]> owner = ownerOf(key);
        long last = owner.strlen(bytes(key)) - 1;
        byte[] changed = owner.getrange(bytes(key), last, last);
        changed[0] ^= 1;
        owner.setrange(bytes(key), last, changed);
    }

    private CommandRun verify(String... options) {
        List<String> all = new ArrayList<>(List.of("verify", "--config=" + config));
        all.addAll(List.of(options));
        return CommandRun.of(all.toArray(String[]::new));
    }

    @Test
    void eachDamagedValue_isNamed_andWhatHasNoChecksumIsCounted() {
        CommandRun sound = verify("--full");
        assertThat(sound.exitCode()).as(sound.out() + sound.err()).isEqualTo(ExitCode.OK);
        assertThat(sound.out()).contains("Damaged", "Without checksum").doesNotContain("no client has written");

        damage("text:k7");
        damage("text:large1");
        damage("price:k7");
        CommandRun run = verify("--full");
        CommandRun json = verify("--full", "-o", "json");

        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(run.out().lines().filter(line -> line.contains("no client has written")))
                .extracting(line -> line.substring(line.indexOf(": ") + 2))
                .containsExactlyInAnyOrder("text:k7", "text:large1");
        assertThat(json.exitCode()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(sum(json.out(), "damaged")).isEqualTo(2);
        // Of a group: five aggregates, and their stamps.
        assertThat(sum(json.out(), "withoutChecksum")).isEqualTo(ENTRIES + 8 * 6);
        assertThat(sum(json.out(), "read")).isEqualTo(2 * ENTRIES + 4 + 8 * 6);
        assertThat(texts.get("k7")).as("to the application it is a miss").isNull();
        assertThat(texts.get("k8")).isEqualTo("value 8");
    }

    private static long sum(String json, String field) {
        return Pattern.compile("\"" + field + "\":([0-9]+)")
                .matcher(json)
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }

    /** What is at the source while it has not been removed there: it is put back as it was, behind a whole move. */
    @Test
    void whatTheTargetHas_isComparedWithWhatTheSourceStillHas() throws Exception {
        Map<String, byte[]> before = dumped(plain.get(0));
        PartitionMap first = newestMap();
        SlotSet slots = first.slots().slotsOf(P1);
        moveAll(slots);
        before.forEach((key, dump) -> plain.get(0).restore(bytes(key), 0, dump));
        try (OpenCatalogue catalogue = OpenCatalogue.of(options())) {
            PartitionMap cleaning = cleaning(first, slots);
            assertThat(compared(catalogue, cleaning, slots))
                    .isEqualTo(new Compared("m-1", P2, P1, before.size(), 0, 0, 0, 0, List.of()));

            String damaged = key(before, "text:k", 0);
            String missing = key(before, "text:k", 1);
            String written = key(before, "text:k", 2);
            String large = key(before, "text:large", 0);
            String raw = key(before, "price:k", 0);
            String cart = key(before, "cart:", 0);
            onTarget(target -> {
                byte[] stored = target.get(bytes(damaged));
                stored[stored.length - 1] ^= 1;
                return target.set(bytes(damaged), stored);
            });
            onTarget(target -> target.del(bytes(missing)));
            texts.put(written.substring("text:".length()), "written since");
            onTarget(target -> {
                byte[] stored = target.get(bytes(large));
                stored[LARGE_BYTES / 2] ^= 1;
                return target.set(bytes(large), stored);
            });
            onTarget(target -> target.set(bytes(raw), bytes("other")));
            onTarget(target -> target.hset(bytes(cart), bytes("pears"), bytes("1")));

            Compared after = compared(catalogue, cleaning, slots);
            assertThat(after.named())
                    .containsExactlyInAnyOrder(
                            "p2 has other bytes of the same write than p1: " + damaged,
                            "p2 has other bytes of the same write than p1: " + large,
                            "p2 has nothing, and p1 still has what was removed since, has expired, or is lost: "
                                    + missing);
            assertThat(after).isEqualTo(new Compared("m-1", P2, P1, before.size() - 6, 1, 2, 1, 2, after.named()));
        }
    }

    /** Some chunks of slots are at the target, and the source has their keys still: what an operator pauses a move for. */
    @Test
    void movePausedBetweenItsChunks_isCompared_andGoesOn() throws Exception {
        SlotSet slots = newestMap().slots().slotsOf(P1);
        String plan = plan(slots);
        done("apply", plan, "--rate=max", "--detach");
        String id = PlanDocument.read(Files.readAllBytes(Path.of(plan))).id();
        AtomicInteger chunks = new AtomicInteger();
        AtomicBoolean wasPaused = new AtomicBoolean();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (OpenCatalogue catalogue = OpenCatalogue.of(options())) {
            StepWatch watch = new StepWatch(step -> {
                if (step.equals("p1 FROZEN") && chunks.incrementAndGet() > CHUNKS && !wasPaused.get()) {
                    done(
                            chunks.get() == CHUNKS + 1 ? "pause" : "moves",
                            id); // each takes a while, and then the order is seen
                }
            });
            Migration run = new Migration(
                    id + "-1",
                    "coordinator",
                    watch.watch(catalogue.maps()),
                    watch.watch(catalogue::connector),
                    catalogue.time());
            Future<Migration.Outcome> outcome = thread.submit(run::run);
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> run.progress().step() == MoveProgress.Step.PAUSED || outcome.isDone());

            wasPaused.set(true);
            checkPaused(id);

            done("resume", id);
            assertThat(outcome.get(60, TimeUnit.SECONDS)).isEqualTo(Migration.Outcome.FINISHED);
        } finally {
            thread.shutdownNow();
        }
        assertThat(verify("--full").out()).doesNotContain("Compared with");
    }

    private void checkPaused(String id) {
        SlotSet committed = committed(id);
        assertThat(committed.isEmpty()).isFalse();
        CommandRun sound = verify(id, "--full");
        assertThat(sound.exitCode()).as(sound.out() + sound.err()).isEqualTo(ExitCode.OK);
        assertThat(sound.out()).contains("Compared with", "On their way");
        assertThat(sum(verify(id + "-1", "--full", "-o", "json").out(), "same")).isPositive();

        String key = IntStream.range(0, ENTRIES)
                .mapToObj(i -> "text:k" + i)
                .filter(each -> committed.contains(HashSlot.of(each)))
                .findFirst()
                .orElseThrow();
        onTarget(target -> {
            byte[] stored = target.get(bytes(key));
            stored[stored.length - 1] ^= 1;
            return target.set(bytes(key), stored);
        });
        CommandRun damaged = verify(id, "--full");
        assertThat(damaged.exitCode()).as(damaged.out() + damaged.err()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(damaged.out()).contains("p2 has other bytes of the same write than p1: " + key);
    }

    private SlotSet committed(String id) {
        try {
            return newestMap().moves().stream()
                    .filter(move -> move.id().startsWith(id))
                    .map(Move::committed)
                    .reduce(SlotSet.none(), SlotSet::plus);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void done(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--config=" + config);
        CommandRun run = CommandRun.of(all.toArray(String[]::new));
        assertThat(run.exitCode()).as("%s: %s%s", all, run.out(), run.err()).isZero();
    }

    private PartitionMap newestMap() throws Exception {
        try (OpenCatalogue catalogue = OpenCatalogue.of(options())) {
            return catalogue.maps().read();
        }
    }

    private void onTarget(Function<RedisCommands<byte[], byte[]>, ?> change) {
        assertThat(change.apply(plain.get(1))).isNotNull();
    }

    private static String key(Map<String, byte[]> stored, String beginning, int number) {
        return stored.keySet().stream()
                .filter(key -> key.startsWith(beginning))
                .sorted()
                .skip(number)
                .findFirst()
                .orElseThrow();
    }

    /** All but what an instance knows of itself. */
    private static Map<String, byte[]> dumped(RedisCommands<byte[], byte[]> server) {
        Map<String, byte[]> dumps = new LinkedHashMap<>();
        for (byte[] key : server.keys("*")) {
            String text = new String(key, StandardCharsets.UTF_8);
            if (!text.startsWith("keyslot:") || text.startsWith("keyslot:{")) {
                dumps.put(text, Objects.requireNonNull(server.dump(key)));
            }
        }
        return dumps;
    }

    private void moveAll(SlotSet slots) {
        done("apply", plan(slots), "--rate=max");
    }

    private String plan(SlotSet slots) {
        String plan = folder.resolve("plan.json").toString();
        done("plan", "move", slots.toString(), "--to=p2", "--out=" + plan);
        return plan;
    }

    private static PartitionMap cleaning(PartitionMap first, SlotSet slots) {
        return first.next(
                new MapCommit("test", "test", "", Instant.EPOCH),
                content -> content.begin(Move.begun("m-1", P1, P2, slots, "test"))
                        .startMoving("m-1")
                        .commit("m-1", slots)
                        .settle("m-1"));
    }

    private static Compared compared(OpenCatalogue catalogue, PartitionMap map, SlotSet slots) {
        List<Compared> compared =
                new Verification(catalogue, map, slots, true).run().compared();
        assertThat(compared).hasSize(1);
        return compared.get(0);
    }

    private ClientOptions options() {
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", String.join(",", servers.uris()));
        URI uri = URI.create("test");
        return ConfigurationLoader.load(
                uri, uri, getClass().getClassLoader(), properties, Map.<String, String>of()::get);
    }
}
