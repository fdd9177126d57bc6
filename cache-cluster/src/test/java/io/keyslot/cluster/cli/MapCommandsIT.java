// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator's commands about the map, at three servers that an application has used. */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class MapCommandsIT {
    private static final String MAP = "keyslot:map:";

    private final TestServers servers = TestServers.start(3);
    private final RedisClient client = RedisClient.create();
    private KeyslotCachingProvider provider;

    @BeforeEach
    void open() {
        provider = new KeyslotCachingProvider();
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", String.join(",", servers.uris()));
        provider.getCacheManager(URI.create("application"), getClass().getClassLoader(), properties)
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
    void fileThatIsNoMap_isNamed(@TempDir Path folder) throws IOException {
        Path plan = folder.resolve("plan.json");
        CommandRun planned = run("plan", "weight", "p1=2", "--out=" + plan);
        assertThat(planned.exitCode()).as(planned.err()).isZero();

        CommandRun diff = CommandRun.of("map", "diff", plan.toString(), plan.toString());

        assertThat(diff.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(diff.out()).isEmpty();
        assertThat(diff.err().lines())
                .hasSize(1)
                .allSatisfy(line -> assertThat(line)
                        .startsWith("keyslot: " + plan + " is no map, as keyslot map show -o json prints it: ")
                        .hasSizeLessThan(300));
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
                    .anyMatch(line -> line.contains("keyslot, by ") && line.contains(": move 0-1 to p"))
                    .anyMatch(line -> line.contains("cli-") && line.contains("move p-") && line.contains(": finish"));
            assertThat(history.out().lines().skip(2))
                    .allMatch(line -> line.matches("[0-9,]+ +2[0-9-]{9}T[0-9:.]+Z .*"));
            CommandRun check = run("check");
            assertThat(check.exitCode()).as(check.out() + check.err()).isZero();
            assertThat(check.out() + check.err()).doesNotContain("FLUSH");
        }
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
}
