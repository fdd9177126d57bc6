// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.map.MapDocument;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanDocument;
import io.keyslot.cluster.plan.PlanShare;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.OtherJvm;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of an operator, on real servers, while an application works. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class MoveCommandsIT {
    private static final int ENTRIES = 4_000;
    private static final PartitionId P4 = new PartitionId("p4");

    /** Each of the moves of a plan takes a minute and a half: it is under way, whatever else the machine does. */
    private static final String SLOW = "--rate=3KiB/s";

    @TempDir
    private Path folder;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final RedisClient client = RedisClient.create();
    private final AtomicBoolean goesOn = new AtomicBoolean(true);
    private LocalServers servers;
    private LocalServer fourth;
    private String config;
    private CacheManager manager;
    private Cache<String, String> cache;

    @BeforeEach
    void open() throws IOException {
        servers = TestServers.none();
        List<String> addresses = servers.start(3).stream().map(LocalServer::uri).toList();
        fourth = servers.start();
        Path file = folder.resolve("keyslot.yaml");
        Files.writeString(
                file,
                "partitions: [%s]\ndeadlines: { connect: 5s, call: 5s, command: 4s }\n"
                        .formatted(addresses.stream()
                                .map(address -> "'" + address + "'")
                                .collect(Collectors.joining(", "))));
        config = "--config=" + file;
        manager = KeyslotManagers.openPatiently("commands-" + folder.getFileName(), addresses);
        cache = manager.createCache(
                "value",
                new PartitionedConfiguration<String, String>().setMissingPartition(MissingPartitionPolicy.FAIL));
        for (int from = 0; from < ENTRIES; from += 500) {
            Map<String, String> some = new HashMap<>();
            for (int i = from; i < from + 500; i++) {
                some.put("k" + i, value(i));
            }
            cache.putAll(some);
        }
    }

    @AfterEach
    void close() {
        goesOn.set(false);
        threads.shutdownNow();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        manager.close();
        servers.close();
    }

    private static String value(int i) {
        return ("value " + i + " ").repeat(40);
    }

    private CommandRun run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add(config);
        return CommandRun.of(all.toArray(String[]::new));
    }

    private CommandRun done(String... arguments) {
        CommandRun run = run(arguments);
        assertThat(run.exitCode())
                .as("%s: %s %s", List.of(arguments), run.out(), run.err())
                .isZero();
        return run;
    }

    private String plan(String name, String... request) {
        String file = folder.resolve(name).toString();
        List<String> all = new ArrayList<>(List.of("plan"));
        all.addAll(List.of(request));
        all.add("--out=" + file);
        CommandRun unused = done(all.toArray(String[]::new));
        return file;
    }

    private Plan read(String file) throws IOException {
        return PlanDocument.read(Files.readAllBytes(Path.of(file)));
    }

    private String planToAdd() {
        return plan("add.json", "add", "p4=" + fourth.uri());
    }

    private PartitionMap map() {
        return MapDocument.read(done("map", "show", "-o", "json").out().strip().getBytes(StandardCharsets.US_ASCII))
                .map();
    }

    private void refused(int exitCode, String why, String... arguments) {
        String before = map().stamp().toString();

        CommandRun run = run(arguments);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        assertThat(run.err()).contains(why);
        assertThat(run.out()).isEmpty();
        assertThat(map().stamp()).hasToString(before);
    }

    private void checkEntries() {
        for (int i = 0; i < ENTRIES; i++) {
            assertThat(cache.get("k" + i)).isEqualTo(value(i));
        }
    }

    /** Each call finds what the one before has written. */
    private int work() {
        int calls = 0;
        while (goesOn.get()) {
            String key = "w" + calls % 100;
            String expected = calls < 100 ? null : "v" + (calls - 100);
            assertThat(cache.getAndPut(key, "v" + calls)).isEqualTo(expected);
            calls++;
        }
        return calls;
    }

    private CommandRun await(Callable<CommandRun> command, Predicate<CommandRun> condition) {
        return Awaitility.await().atMost(Duration.ofMinutes(1)).until(command, condition);
    }

    private CommandRun awaitMoves(String text) throws Exception {
        return await(() -> done("moves"), run -> run.out().contains(text));
    }

    private long keysAt(LocalServer server) {
        try (StatefulRedisConnection<String, String> plain = client.connect(RedisURI.create(server.uri()))) {
            return plain.sync().keys("value:*").size();
        }
    }

    @Test
    void plan_saysAboutHowMuchIsCopied_andHowLongThatTakes() throws IOException {
        Path file = folder.resolve("told.json");

        CommandRun run = done("plan", "add", "p4=" + fourth.uri(), "--out=" + file);

        assertThat(run.out())
                .contains("Memory now", "then about")
                .containsPattern("4,096 slots move, about [0-9.]+ MiB: [0-9.]+ m?s with --rate 20MiB/s\\.");
        Plan plan = read(file.toString());
        assertThat(plan.bytes()).isPositive();
        assertThat(plan.shares().stream().mapToLong(PlanShare::bytesAfter).sum())
                .isEqualTo(
                        plan.shares().stream().mapToLong(PlanShare::bytesBefore).sum());
        assertThat(plan.shares())
                .filteredOn(share -> share.partition().equals(P4))
                .extracting(PlanShare::bytesAfter)
                .containsExactly(plan.bytes());
    }

    @Test
    void partitionIsAdded_andTakenAwayAgain_whileTheApplicationWorks() throws Exception {
        Future<Integer> caller = threads.submit(this::work);
        String plan = planToAdd();

        CommandRun applied = done("apply", plan);

        assertThat(applied.err().lines().findFirst())
                .contains("The way back, when it is over: keyslot reverse " + plan);
        assertThat(applied.out()).contains("finished", "keyslot verify " + plan, "keyslot reverse " + plan);
        assertThat(map().slots().slotsOf(P4).size())
                .as(() -> done("map", "show").out() + applied.out() + applied.err())
                .isEqualTo(4_096);
        assertThat(keysAt(fourth)).isGreaterThan(ENTRIES / 5);
        assertThat(done("moves").out()).isEqualToIgnoringNewLines("No moves.");
        assertThat(done("moves", read(plan).id()).out()).contains("finished");
        assertThat(done("verify", "--full").out()).contains("p4", "all");
        assertThat(done("verify", plan, "-o", "json").out()).contains("\"elsewhere\":0");
        checkEntries();

        String back = folder.resolve("back.json").toString();
        CommandRun unused = done("reverse", plan, "--out=" + back);
        CommandRun unusedToo = done("apply", back);

        assertThat(map().partition(P4).orElseThrow().state()).isEqualTo(MappedPartition.Membership.REMOVED);
        assertThat(map().slots().slotsOf(P4).isEmpty()).isTrue();
        assertThat(keysAt(fourth)).isZero();
        assertThat(done("verify", "--full", "-o", "json").out()).contains("\"elsewhere\":0");
        checkEntries();
        goesOn.set(false);
        assertThat(caller.get(30, TimeUnit.SECONDS)).isGreaterThan(100);
    }

    @Test
    void whatCannotEndWell_isRefused_andNothingIsChanged() throws Exception {
        String plan = planToAdd();
        String known = servers.servers().get(0).uri().replace("127.0.0.1", "localhost");
        refused(5, "the instance is a partition already", "apply", plan("known.json", "add", "p4=" + known));
        refused(5, "p4 at", "apply", plan("nobody.json", "add", "p4=redis://127.0.0.1:1"));

        try (StatefulRedisConnection<String, String> plain = client.connect(RedisURI.create(fourth.uri()))) {
            plain.sync().configSet("maxmemory", "1mb");
            refused(5, "p4 has too little memory", "apply", plan);
            plain.sync().configSet("maxmemory", "0");
        }
        try (StatefulRedisConnection<String, String> old =
                client.connect(RedisURI.create(servers.servers().get(1).uri()))) {
            old.sync().clientSetname("keyslot:old");
            refused(5, "does not say by which map it routes, and cannot follow a move: keyslot:old", "apply", plan);
        }
        try (StatefulRedisConnection<String, String> plain =
                client.connect(RedisURI.create(servers.servers().get(2).uri()))) {
            plain.sync().hset("keyslot:fence:", "5", "M m-lost 1 0");
            refused(5, "p3 has fences of 1 slot, and the map has no move", "apply", plan);
            plain.sync().del("keyslot:fence:");
        }
        String changed = Files.readString(Path.of(plan)).replace("\"weight\":1", "\"weight\":2");
        Path forged = Files.writeString(folder.resolve("forged.json"), changed);
        refused(5, "it was changed after it was made", "apply", forged.toString());
        refused(ExitCode.FAILED, "is not a file that can be read", "apply", "none.json");
        refused(5, "has no move m-1", "pause", "m-1");
        refused(5, "has no move m-1", "abort", "m-1");
        refused(ExitCode.USAGE, "is no rate", "apply", plan, "--rate=fast");

        String other = plan("weight.json", "weight", "p1=2");
        CommandRun stored = done("apply", plan, "--detach");
        assertThat(stored.out()).contains("keyslot complete " + read(plan).id());
        refused(ExitCode.OTHER_VERSION, "plan again", "apply", other);
        refused(ExitCode.OTHER_VERSION, "plan again", "apply", plan);
        refused(5, "is not over", "reverse", plan);
        CommandRun unused = done("abort", read(plan).id());
        assertThat(map().moves()).isEmpty();
        // The map has changed since, and what the instance knows of itself is older.
        refused(5, "the instance is a partition already", "apply", plan("late.json", "add", "p5=" + known));
    }

    @Test
    void ofTwoOperatorsAtOnce_oneWins() throws Exception {
        String one = planToAdd();
        String other = plan("weight.json", "weight", "p1=2");

        Future<CommandRun> first = threads.submit(() -> run("apply", one, "--detach"));
        Future<CommandRun> second = threads.submit(() -> run("apply", other, "--detach"));

        assertThat(List.of(
                        first.get(60, TimeUnit.SECONDS).exitCode(),
                        second.get(60, TimeUnit.SECONDS).exitCode()))
                .containsExactlyInAnyOrder(ExitCode.OK, ExitCode.OTHER_VERSION);
    }

    @Test
    void moveIsSeen_paused_goesOn_fromAnotherProcess() throws Exception {
        String plan = planToAdd();
        String id = read(plan).id();
        Future<CommandRun> applying = threads.submit(() -> run("apply", plan, SLOW));

        CommandRun seen = awaitMoves("copying");
        assertThat(seen.out()).contains(id + "-1", "carried out by admin-", "keyslot moves " + id + " --watch");
        assertThat(run("complete", id).exitCode()).isEqualTo(ExitCode.REFUSED);
        CommandRun paused = done("pause", id, "-o", "json");
        assertThat(paused.out()).contains(id + "-2", "\"next_steps\":[\"keyslot resume " + id + "\"]");
        CommandRun unused = awaitMoves("paused, paused");
        Future<CommandRun> watching = threads.submit(() -> run("moves", id, "--watch"));
        CommandRun resumed = done("resume", id, "--rate=100MiB/s");
        assertThat(resumed.out()).contains("Go on");

        assertThat(applying.get(120, TimeUnit.SECONDS).exitCode()).isZero();
        CommandRun watched = watching.get(60, TimeUnit.SECONDS);
        assertThat(watched.exitCode()).isZero();
        assertThat(watched.err()).contains(id + "-");
        checkEntries();
    }

    @Test
    void processThatApplies_isReplaced_byOneThatTakesOver() throws Exception {
        String plan = planToAdd();
        String id = read(plan).id();
        Future<CommandRun> applying = threads.submit(() -> run("apply", plan, SLOW));
        CommandRun unused = awaitMoves("copying");

        Future<CommandRun> completing = threads.submit(() -> run("complete", id, "--take-over"));

        CommandRun replaced = applying.get(120, TimeUnit.SECONDS);
        assertThat(replaced.exitCode()).isEqualTo(ExitCode.ENDED);
        assertThat(replaced.out())
                .contains("replaced", "keyslot moves " + id + " --watch")
                .doesNotContain("complete");
        CommandRun resumed = done("resume", id, "--rate=100MiB/s");
        assertThat(resumed.out()).contains("Go on");
        assertThat(completing.get(120, TimeUnit.SECONDS).exitCode()).isZero();
        assertThat(map().slots().slotsOf(P4).size()).isEqualTo(4_096);
        checkEntries();
    }

    @Test
    void moveIsGivenUp_whileNothingIsAtTheTarget() throws Exception {
        String plan = planToAdd();
        String id = read(plan).id();
        Future<CommandRun> applying = threads.submit(() -> run("apply", plan, SLOW));
        CommandRun unused = awaitMoves("copying");

        CommandRun aborted = done("abort", id);

        assertThat(aborted.out()).contains("removed by the process that carries them out: " + id + "-1");
        assertGivenUp(applying, id);
        assertThat(map().moves()).isEmpty();
        assertThat(map().slots().slotsOf(P4).isEmpty()).isTrue();
        assertThat(keysAt(fourth)).isZero();
        checkEntries();
    }

    /** Of two partitions one decides, of three all do: the third is connected only when the map names it. */
    @Test
    void thirdPartition_isAdded_andDecidesToo() throws Exception {
        LocalServer fifth = servers.start();
        LocalServer sixth = servers.start();
        LocalServer third = servers.start();
        Path file = folder.resolve("two.yaml");
        Files.writeString(file, "partitions: ['%s', '%s']\n".formatted(fifth.uri(), sixth.uri()));
        config = "--config=" + file;
        try (CacheManager other = KeyslotManagers.openPatiently("two", List.of(fifth.uri(), sixth.uri()))) {
            Cache<String, String> few = other.createCache("value", new PartitionedConfiguration<String, String>());
            for (int i = 0; i < 300; i++) {
                few.put("k" + i, value(i));
            }

            CommandRun unused = done("apply", plan("third.json", "add", "p3=" + third.uri()));

            assertThat(map().slots().slotsOf(new PartitionId("p3")).size()).isBetween(5_461, 5_462);
            fifth.kill();
            CommandRun weighed = await(
                    () -> run("plan", "weight", "p2=2", "--out=" + folder.resolve("weighed.json")),
                    run -> run.exitCode() == 0);
            assertThat(weighed.out()).contains("p3");
            assertThat(done("moves").out()).contains("No moves.");
        }
    }

    /** As Ctrl-C does. */
    @Test
    void processThatApplies_isEnded_andLeavesTheMovesAsTheyAre() throws Exception {
        String plan = planToAdd();
        String id = read(plan).id();
        Future<Integer> caller = threads.submit(this::work);
        try (OtherJvm applying = OtherJvm.start(KeyslotCommand.class, "apply", plan, SLOW, config)) {
            CommandRun unused = awaitMoves("copying");
            assertThat(applying.end()).isEqualTo(ExitCode.ENDED);
        }
        CommandRun left = done("moves", id);
        assertThat(left.out()).contains("the coordinator was stopped");
        assertThat(map().moves()).hasSize(3);

        CommandRun given = done("abort", id);
        assertThat(given.out()).contains("removed by the process that carries them out: " + id + "-1");
        CommandRun undone = done("complete", id, "-o", "json");
        assertThat(undone.out()).contains("\"outcome\":\"given up\"");

        assertThat(map().moves()).isEmpty();
        assertThat(keysAt(fourth)).isZero();
        goesOn.set(false);
        assertThat(caller.get(30, TimeUnit.SECONDS)).isPositive();
        checkEntries();
    }

    @Test
    void processThatApplies_isKilled_andAnotherOneCompletes() throws Exception {
        String plan = planToAdd();
        String id = read(plan).id();
        try (OtherJvm applying = OtherJvm.start(KeyslotCommand.class, "apply", plan, SLOW, config)) {
            CommandRun unused = awaitMoves("copying");
            applying.close(); // SIGKILL
        }
        CommandRun left = await(() -> done("moves", id), run -> run.out().contains("no process carries it out"));
        assertThat(left.out()).containsOnlyOnce("keyslot complete " + id);
        CommandRun resumed = done("resume", id, "--rate=100MiB/s");
        assertThat(resumed.out()).contains("Go on");

        CommandRun completed = done("complete", id);

        assertThat(completed.out()).contains("finished");
        assertThat(map().moves()).isEmpty();
        assertThat(map().slots().slotsOf(P4).size()).isEqualTo(4_096);
        assertThat(done("complete", id).out()).startsWith("Nothing to do");
        assertThat(done("verify", plan, "--full", "-o", "json").out()).contains("\"elsewhere\":0");
        checkEntries();
    }

    /** In which state of a plan, which command, exits with what, says what, and never says what. */
    private static final String STATES = """
            none      | moves      | 0 | No moves.                     | complete
            none      | check      | 0 | p3                            | idle_move
            none      | complete I | 5 | has no move I                 | take-over
            none      | pause I    | 5 | has no move I                 | complete
            detached  | moves      | 0 | keyslot complete I            | take-over
            detached  | check      | 3 | keyslot complete I            | take-over
            detached  | apply P    | 4 | plan again                    | complete
            played    | moves      | 0 | keyslot moves I --watch       | complete
            played    | moves I    | 0 | keyslot moves I --watch       | complete
            played    | moves I-2  | 0 | keyslot moves I-2 --watch     | complete
            played    | check      | 0 | p4                            | complete
            played    | complete I | 5 | Another process carries out   | take-over
            played    | complete I-3 | 5 | Another process carries out | take-over
            played    | reverse P  | 5 | is not over                   | take-over
            played    | resume I   | 0 | keyslot moves I               | complete
            paused    | moves      | 0 | keyslot resume I              | complete
            paused    | check      | 0 | p4                            | idle_move
            paused    | complete I | 5 | Another process carries out   | take-over
            paused    | abort I    | 0 | keyslot moves I --watch       | complete
            killed    | moves      | 0 | keyslot complete I            | take-over
            killed    | check      | 3 | keyslot complete I            | take-over
            killed    | abort I    | 0 | keyslot complete I            | take-over
            killed    | complete I | 0 | given up                      | keyslot complete
            killed    | moves      | 0 | No moves.                     | complete
            killed    | map show   | 0 | Map 1-                        | complete
            aborted   | moves      | 0 | No moves.                     | complete
            aborted   | check      | 0 | p4                            | complete
            aborted   | complete I | 0 | Nothing to do                 | keyslot complete
            silent    | map show   | 1 | p2 does not answer            | Map 0
            silent    | moves      | 1 | p2 does not answer            | complete
            silent    | check      | 1 | p2                            | complete
            silent    | apply P    | 5 | p2 does not answer            | complete
            silent    | pause I    | 5 | p2 does not answer            | complete
            silent    | complete I | 5 | p2 does not answer            | take-over
            silent    | map init   | 5 | p2 does not answer            | complete
            """;

    @ParameterizedTest
    @ValueSource(strings = {"none", "detached", "played", "paused", "killed", "aborted", "silent"})
    void eachCommand_saysTheStateOfThePlan_andWhatComesNext(String state) throws Exception {
        String plan = planToAdd();
        String id = read(plan).id();
        Future<CommandRun> applying = new CompletableFuture<>();
        switch (state) {
            case "detached" -> {
                CommandRun unused = done("apply", plan, "--detach");
            }
            case "killed" -> {
                try (OtherJvm other = OtherJvm.start(KeyslotCommand.class, "apply", plan, SLOW, config)) {
                    CommandRun unused = awaitMoves("copying");
                    other.close(); // SIGKILL
                }
                CommandRun unused = await(() -> done("moves"), run -> run.out().contains("no process carries it out"));
            }
            case "played", "paused", "aborted" -> {
                applying = threads.submit(() -> run("apply", plan, SLOW));
                CommandRun unused = awaitMoves("copying");
            }
            case "silent" -> servers.servers().get(1).kill();
            default -> {}
        }
        if (state.equals("paused")) {
            CommandRun paused = done("pause", id);
            assertThat(paused.out()).contains("keyslot resume " + id);
        }
        if (state.equals("aborted")) {
            CommandRun aborted = done("abort", id);
            assertThat(aborted.out())
                    .contains("keyslot moves " + id + " --watch")
                    .doesNotContain("keyslot complete");
            assertGivenUp(applying, id);
        }

        for (String row : STATES.lines().toList()) {
            String[] cells = row.replace("I", id).replace("P", plan).split("\\s*\\|\\s*", -1);
            if (cells[0].equals(state)) {
                CommandRun run = run(cells[1].split(" "));
                assertThat(run.exitCode())
                        .as("%s: %s%s", row, run.out(), run.err())
                        .isEqualTo(Integer.parseInt(cells[2]));
                assertThat(run.out() + run.err()).as(row).contains(cells[3]).doesNotContain(cells[4]);
            }
        }

        if (state.equals("paused")) {
            assertGivenUp(applying, id); // after the abort of the table
        }
        if (state.equals("played")) {
            assertThat(done("resume", id, "--rate=100MiB/s").exitCode()).isZero();
            assertThat(applying.get(120, TimeUnit.SECONDS).exitCode()).isZero();
        }
    }

    private static void assertGivenUp(Future<CommandRun> applying, String id) throws Exception {
        CommandRun applied = applying.get(120, TimeUnit.SECONDS);
        assertThat(applied.exitCode()).isEqualTo(ExitCode.ENDED);
        assertThat(applied.out()).contains("given up", "keyslot map show").doesNotContain("complete");
        assertThat(applied.err()).contains("An operator has given up " + id);
    }
}
