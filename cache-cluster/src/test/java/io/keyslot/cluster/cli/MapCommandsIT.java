// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapDocument;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.register.Generation;
import io.keyslot.client.register.RegisterText;
import io.keyslot.client.register.RegisterValue;
import io.keyslot.client.register.Voters;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator's commands about the map, at three servers that an application has used. */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class MapCommandsIT {
    private static final String MAP = "keyslot:map:";
    private static final int FORGERIES = Integer.getInteger("tests.forgeries", 9);

    private final TestServers servers = TestServers.start(3);
    private final RedisClient client = RedisClient.create();
    private KeyslotCachingProvider provider;

    @BeforeEach
    void open() {
        provider = new KeyslotCachingProvider();
        manager();
    }

    /** One voter can forge a change of the map while another does not answer, so on a busy machine it has time to. */
    private Properties patient() {
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", String.join(",", servers.uris()));
        properties.setProperty("keyslot.deadlines.command", "20s");
        properties.setProperty("keyslot.deadlines.call", "20s");
        return properties;
    }

    private PartitionedCacheManager manager() {
        Properties properties = patient();
        return provider.getCacheManager(URI.create("application"), getClass().getClassLoader(), properties)
                .unwrap(PartitionedCacheManager.class);
    }

    @AfterEach
    void close() throws Exception {
        provider.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        servers.close();
    }

    private CommandRun run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--partitions=" + String.join(",", servers.uris()));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private void at(int server, Consumer<RedisCommands<String, String>> work) {
        try (StatefulRedisConnection<String, String> connection =
                client.connect(RedisURI.create(servers.uri(server)))) {
            work.accept(connection.sync());
        }
    }

    private boolean has(int server, String key, String field) {
        try (StatefulRedisConnection<String, String> connection =
                client.connect(RedisURI.create(servers.uri(server)))) {
            return connection.sync().hexists(key, field);
        }
    }

    @Test
    void firstMap_isStoredOnce_andItsHistoryIsKept() {
        assertThat(run("map", "history").out()).startsWith("No changes: the map is 0-configured/1.");
        CommandRun init = run("map", "init");
        CommandRun again = run("map", "init");
        CommandRun history = run("map", "history");

        assertThat(init.exitCode()).as(init.err()).isZero();
        assertThat(init.out()).startsWith("Map 1-").contains("/2");
        assertThat(again.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(again.err()).contains("already");
        assertThat(history.exitCode()).isZero();
        assertThat(history.out()).contains("keyslot, by ", "the first map");
        assertThat(run("map", "show").out()).startsWith(init.out().strip());
    }

    /** Before, the map is that of the configuration; the first change of all begins a generation. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "map init",
                "placement set tenant acme",
                "placement else tenant hash",
                "placement label p1 region=eu",
                "lost p3 --confirm p3 --although-it-answers"
            })
    void firstChange_saysTheMap_asEveryOtherCommandDoes(String change) {
        provider.close();

        CommandRun changed = run(change.split(" "));

        assertThat(changed.exitCode()).as(changed.err()).isZero();
        String map = run("map", "show").out().lines().findFirst().orElseThrow();
        assertThat(map).startsWith("Map 1-");
        assertThat(changed.out()).contains(map.replace("Map ", "")).doesNotContain("configured");
    }

    @Test
    void clients_areListed_byTheVersionThatTheyKnow() {
        CommandRun before = run("clients", "-o", "json");

        assertThat(before.exitCode()).as(before.err()).isZero();
        assertThat(before.out()).contains("\"map\":\"0-configured/1\"").contains("\"partition\":\"p3\"");
        assertThat(run("clients").out().lines().count()).isGreaterThan(3);
    }

    @Test
    void whatFitsTheMap_isNoFinding() {
        provider.close(); // nobody gives anything back
        run("map", "init");

        CommandRun check = run("check");

        assertThat(check.exitCode()).as(check.out() + check.err()).isZero();
        assertThat(run("fix").out()).contains("Nothing was found.");
    }

    @Test
    void whatDoesNotFit_isFound_andMendedIfThatIsSafe() {
        provider.close();
        run("map", "init");
        at(2, redis -> redis.del(MAP));
        at(0, redis -> redis.hset("keyslot:fence:", "5", "M ghost 1 0"));
        at(1, redis -> redis.hset("thing:{a}", "f", "v"));

        CommandRun check = run("check");
        CommandRun rehearsal = run("fix", "--dry-run");

        assertThat(check.exitCode()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(check.out()).contains("copy_behind", "memory_lost", "stray_fence", "move ghost", "stray_keys");
        assertThat(check.out()).contains("types thing").doesNotContain("{a}");
        assertThat(rehearsal.exitCode()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(has(2, MAP, "copy.value")).isFalse();
        assertThat(has(0, "keyslot:fence:", "5")).isTrue();

        CommandRun fix = run("fix");

        assertThat(fix.exitCode()).as(fix.out()).isEqualTo(ExitCode.DIFFERENT); // the vote and the key are not mended
        assertThat(has(2, MAP, "copy.value")).isTrue();
        assertThat(has(0, "keyslot:fence:", "5")).as(fix.out()).isFalse();
        assertThat(run("check").out()).doesNotContain("copy_behind", "stray_fence");
    }

    /** The configuration has the first map, and instances that have moved slots let nobody in with it. */
    @Test
    void instanceThatWantsANewerMap_isWaitedFor_andAnswers(@TempDir Path folder) {
        provider.close();
        for (int i = 0; i < 2; i++) {
            Path plan = folder.resolve("plan-" + i + ".json");
            CommandRun planned = run("plan", "move", "0-1", "--to", i % 2 == 0 ? "p2" : "p1", "--out=" + plan);
            assertThat(planned.exitCode()).as(planned.err()).isZero();
            CommandRun applied = run("apply", plan.toString(), "--rate=max");
            assertThat(applied.exitCode()).as(applied.err()).isZero();

            CommandRun asked = run("recover");

            assertThat(asked.err()).contains("recover --confirm 1-").doesNotContain("does not answer");
            CommandRun history = run("map", "history");
            assertThat(history.exitCode()).isZero();
            assertThat(history.out().lines())
                    .anyMatch(line -> line.matches(
                            "[0-9]+ .* keyslot, by .* p-[0-9a-f]{8} +[1-9][0-9]* +plan p-[0-9a-f]{8}: move 0-1 to p.*"))
                    .noneMatch(line -> line.contains("admin-"));
            assertThat(history.out().lines().skip(2))
                    .allMatch(line -> line.matches("[0-9,]+ +2[0-9-]{9}T[0-9:.]+Z .*"));
            CommandRun check = run("check");
            assertThat(check.exitCode()).as(check.out() + check.err()).isZero();
            assertThat(check.out() + check.err()).doesNotContain("FLUSH");
        }
    }

    /** 20 moves of a slot are more than 64 changes of the map. */
    @Tag("thorough")
    @Test
    void whatOperatorsDid_isListed_howeverManyStepsOfMovesThereAre(@TempDir Path folder) {
        provider.close();
        CommandRun placed = run("placement", "set", "tenant", "acme");
        assertThat(placed.exitCode()).as(placed.err()).isZero();
        for (int i = 0; i < 20; i++) {
            Path plan = folder.resolve("plan-" + i + ".json");
            assertThat(run("plan", "move", "0", "--to", i % 2 == 0 ? "p2" : "p1", "--out=" + plan)
                            .exitCode())
                    .isZero();
            assertThat(run("apply", plan.toString(), "--rate=max").exitCode()).isZero();
        }

        String history = run("map", "history", "-o", "json").out();

        assertThat(history).contains("\"reason\":\"placement set tenant\"");
        assertThat(history.split("\"plan\":\"p-", -1)).hasSize(21);
        assertThat(history).doesNotContain("\"operation\":\"step/");
        String map = run("map", "show").out();
        long version = Long.parseLong(map.replaceFirst("(?s)Map [^/]+/([0-9]+).*", "$1"));
        assertThat(version).as(map.lines().findFirst().orElseThrow()).isGreaterThan(64);
    }

    @Test
    void lostMajority_isRecovered_onlyIfTheMapIsTypedBack() {
        provider.close();
        run("map", "init");
        assertThat(run("recover").err()).contains("recover --confirm 1-");
        String map = run("map", "show").out().lines().findFirst().orElseThrow().substring("Map ".length());
        assertThat(run("recover", "--confirm", map).exitCode()).isEqualTo(ExitCode.REFUSED); // they can decide
        at(0, redis -> redis.del(MAP));
        at(1, redis -> redis.del(MAP));

        CommandRun asked = run("recover");
        CommandRun mistyped = run("recover", "--confirm", "1-other/2");
        CommandRun recovered = run("recover", "--confirm", map);

        assertThat(asked.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(asked.err()).contains("have lost their memory: p1, p2");
        assertThat(mistyped.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(recovered.exitCode()).as(recovered.err()).isZero();
        assertThat(recovered.out()).startsWith("Map 2-").contains("/3");
        assertThat(run("map", "show").out()).startsWith(recovered.out().strip());
        assertThat(run("map", "history").out()).contains("a majority of those who decide was lost");
        assertThat(run("check").exitCode()).isZero();
    }

    /** Every field of every key of ours at one instance says whatever may deceive or break those who read it. */
    @Tag("thorough")
    @Test
    void whoCanWriteAtOneInstance_misleadsNoClient_andIsNamed() throws Exception {
        Cache<String, String> cache = manager().createCache("entries", new MutableConfiguration<>());
        for (int key = 0; key < 60; key++) {
            String number = "" + key;
            eventually("before", () -> cache.put("key" + number, "value" + number));
        }
        List<Set<String>> keys = IntStream.range(0, 3).mapToObj(this::entriesAt).toList();
        run("map", "init");
        try (TestServers elsewhere = TestServers.start(3)) {
            CommandRun.of("map", "init", "--partitions=" + String.join(",", elsewhere.uris()));
            PartitionMap evil = MapDocument.read(
                            decidedAt(elsewhere.uri(0)).text().getBytes(StandardCharsets.UTF_8))
                    .map();
            String visits = visitsAt(elsewhere);
            for (int seed = 0; seed < FORGERIES; seed++) {
                Random random = new Random(seed);
                int victim = seed % 3;
                List<String> forged = new ArrayList<>();
                Map<String, byte[]> before = dumped(victim);
                String map = shownMap();
                at(victim, redis -> forge(redis, "p" + (victim + 1), evil, random, forged));
                String what =
                        "seed %d, p%d: %s".formatted(seed, victim + 1, forged).replaceAll("x{9,}", "x..");

                for (int round = 0; round < 3; round++) {
                    for (int server = 0; server < 3; server++) {
                        for (String key : server == victim ? Set.<String>of() : keys.get(server)) {
                            eventually(what, () -> assertThat(cache.get(key)).isEqualTo(key.replace("key", "value")));
                        }
                    }
                    eventually(what, () -> assertThat(shownMap()).isEqualTo(map));
                }
                CommandRun check = run("check");
                assertThat(check.exitCode()).as(what).isNotZero();
                assertThat(check.out() + check.err()).as(what).containsAnyOf("p" + (victim + 1), servers.uri(victim));
                assertThat(weigh(seed + 2)).as(what).isEqualTo(MapStore.Stored.DONE);

                at(victim, redis -> {
                    redis.del(redis.keys("keyslot:*").toArray(String[]::new));
                    before.forEach((key, value) -> redis.restore(key, 0, value));
                });
                await().atMost(Duration.ofSeconds(40))
                        .untilAsserted(() ->
                                assertThat(run("check").exitCode()).as(what).isZero());
            }
            assertThat(visitsAt(elsewhere)).as("nobody was led there").isEqualTo(visits);
        }
    }

    /** Without the version, which grows when a vote that seems lost is given back. */
    private String shownMap() {
        return run("map", "show").out().replaceFirst("/[0-9]+", "");
    }

    /** A machine that builds may keep a server from answering for a while. */
    private static void eventually(String what, ThrowingRunnable done) {
        await(what).atMost(Duration.ofSeconds(40)).ignoreExceptions().untilAsserted(done);
    }

    private MapStore.Stored weigh(int weight) throws MapStore.UnavailableException {
        try (OpenCatalogue catalogue = OpenCatalogue.of(patient())) {
            PartitionMap map = catalogue.maps().read();
            MapCommit commit = new MapCommit("weigh-" + weight, "test", "", Instant.EPOCH);
            return catalogue
                    .maps()
                    .compareAndSet(
                            map,
                            map.next(
                                    commit,
                                    content -> content.change(
                                            new PartitionId("p1"), weighed -> weighed.withWeight(weight))));
        }
    }

    private Set<String> entriesAt(int server) {
        Set<String> found = new TreeSet<>();
        at(server, redis -> redis.keys("*key*").forEach(key -> found.add(key.substring(key.indexOf("key")))));
        found.removeIf(key -> !key.matches("key[0-9]+"));
        return found;
    }

    private Map<String, byte[]> dumped(int server) {
        Map<String, byte[]> dumped = new TreeMap<>();
        at(server, redis -> redis.keys("keyslot:*").forEach(key -> dumped.put(key, redis.dump(key))));
        return dumped;
    }

    private RegisterValue decidedAt(String uri) {
        try (StatefulRedisConnection<String, String> connection = client.connect(RedisURI.create(uri))) {
            return RegisterText.parse(connection.sync().hget(MAP, "copy.value"));
        }
    }

    /** Who has connected is counted by the server. */
    private String visitsAt(TestServers elsewhere) {
        return elsewhere.uris().stream()
                .map(uri -> {
                    try (StatefulRedisConnection<String, String> connection = client.connect(RedisURI.create(uri))) {
                        return connection
                                        .sync()
                                        .clientList()
                                        .lines()
                                        .filter(line -> line.contains("name=keyslot"))
                                        .count()
                                + "";
                    }
                })
                .collect(Collectors.joining(","));
    }

    private static void forge(
            RedisCommands<String, String> redis, String victim, PartitionMap evil, Random random, List<String> forged) {
        for (String key : redis.keys("keyslot:*")) {
            if (key.equals(MAP)) {
                Map<String, String> fields = forgedMap(redis.hgetall(key), victim, evil, random);
                redis.hset(key, fields);
                forged.add(key + "=" + fields.keySet());
            } else if (redis.type(key).equals("hash") && random.nextInt(4) > 0) {
                redis.hgetall(key).keySet().forEach(field -> {
                    String value = hostile(random);
                    redis.hset(key, field, value);
                    forged.add(key + "." + field + "=" + value);
                });
            } else if (random.nextInt(4) == 0) {
                redis.set(key, hostile(random));
                forged.add(key);
            }
        }
        String fence = one(random, "M evil 9 9", "F evil 9 9", "F evil 9 9223372036854775807", hostile(random));
        for (int slot = 0; slot < 16384; slot += 500) {
            redis.hset("keyslot:fence:", "" + slot, fence);
        }
        redis.hset("keyslot:fence:", "coordinator", hostile(random));
        redis.set("keyslot:move:", hostile(random));
        redis.set("keyslot:beat:", hostile(random));
        forged.add("fence=" + fence);
    }

    /** All fields together deceive more than each by itself: some stay true. */
    private static Map<String, String> forgedMap(
            Map<String, String> present, String victim, PartitionMap evil, Random random) {
        RegisterValue value = RegisterText.parse(present.getOrDefault("copy.value", ""));
        String incarnation = present.get("life");
        String shown = present.getOrDefault("copy.gen", "");
        String generation = one(random, shown, shown, "2-evil", "900-evil");
        long version = value.version() + one(random, 0L, 1L, 2L, 1_000_000L);
        Voters alone = new Voters(Map.of(new PartitionId(victim), incarnation == null ? "evil" : incarnation));
        Voters voters = one(random, value.voters(), alone);
        String text = RegisterText.of(new RegisterValue(
                value.sequence() + one(random, 0L, 1L, 2L, 1_000_000L),
                version,
                MapDocument.textOf(new PartitionMap(
                        new MapStamp(
                                new Generation(
                                        Long.parseLong(generation.substring(0, generation.indexOf('-'))),
                                        generation.substring(generation.indexOf('-') + 1)),
                                version),
                        evil.commit(),
                        evil.content())),
                voters,
                one(random, value.previous(), voters),
                value.operations()));
        RegisterValue says = RegisterText.parse(text);
        Map<String, String> fields = new TreeMap<>();
        fields.put("copy.gen", generation);
        fields.put("copy.seq", "" + says.sequence());
        fields.put("copy.version", "" + says.version());
        fields.put("copy.value", text);
        if (incarnation != null) {
            fields.put("gen", generation);
            fields.put(
                    "promise", one(random, "0000000000000900-evil", "8999999999999999-evil", "9999999999999999-evil"));
            fields.put(
                    "ballot", one(random, "0000000000000900-evil", "8999999999999999-evil", "9999999999999999-evil"));
            fields.put("value", text);
        }
        List<String> names = List.copyOf(fields.keySet());
        switch (random.nextInt(3)) {
            case 0 -> fields.put(names.get(random.nextInt(names.size())), hostile(random));
            case 1 -> fields.put("life", one(random, "other", hostile(random)));
            default -> {}
        }
        return fields;
    }

    private static String hostile(Random random) {
        return one(
                random,
                "",
                "evil",
                "-1",
                "999999999999999-evil",
                "99999999999999-evil",
                "9223372036854775807",
                "x p9=x\nprevious \noperations \n\nevil",
                "v999999999 p9 0-16383 | v999999999 p9=0-16383",
                "x".repeat(3_000));
    }

    @SafeVarargs
    private static <T> T one(Random random, T... of) {
        return of[random.nextInt(of.length)];
    }
}
