// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.redis.ExecutedCommands.Executed;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The parts of scripts that handle the usual case save time and change nothing else: the same commands, by chance, have the
 * same answers and effects at a server that runs the scripts, and at one that runs them without these parts.
 */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class UsualCaseIT {
    private static final int RUNS = Integer.getInteger("tests.usual.runs", 30);
    private static final int COMMANDS = 40;
    private static final long SEED = Long.getLong("tests.usual.seed", 7);

    /** So long that nothing expires meanwhile, however slow the machine is. */
    private static final long LIVES_MILLIS = Duration.ofHours(8).toMillis();

    private static final long LIVES_LONGER_MILLIS = 2 * LIVES_MILLIS;

    /** How far apart the two servers may set the expiry of a key: much less than two lifetimes differ. */
    private static final long MOST_APART_MILLIS = 60_000;

    private static final Pattern PART = Pattern.compile("(?m)^-------- (\\w+)\n((?:(?!-------- ).*\n?)*)");
    private static final String STAMPS = "keyslot:{customer:99}";

    private static final String PRESENT_STAMPS = """
            local present, all = {}, redis.call('HKEYS', KEYS[1])
            table.sort(all)
            for _, name in ipairs(all) do
              local type, id = string.match(name, '^(%a+:)(.*)$')
              local key = name == '' and 'customer:99' or type and type .. '{customer:99}' .. id or KEYS[1]
              if redis.call('EXISTS', key) == 1 then
                present[#present + 1] = name .. '=' .. redis.call('HGET', KEYS[1], name)
              end
            end
            return present
            """;

    private final LocalServers servers = TestServers.none();
    private final RedisFixture fixture = new RedisFixture();
    private final List<String> usualParts = new ArrayList<>();
    private LocalServer recorded;
    private RedisConnection connection;
    private ServerDialogue recorder;
    private ServerDialogue with;
    private ServerDialogue without;

    @BeforeEach
    void start() throws Exception {
        recorded = servers.start("--enable-debug-command", "yes");
        connection = fixture.connect(recorded.uri());
        recorder = ServerDialogue.with(recorded);
        with = ServerDialogue.with(servers.start("--enable-debug-command", "yes"));
        without = ServerDialogue.with(servers.start("--enable-debug-command", "yes"));
        for (String file : List.of("put", "compare_and", "get_and", "lease", "group", "index")) {
            PART.matcher(read(file + ".lua"))
                    .results()
                    .filter(part ->
                            part.group(1).endsWith("_plain") || part.group(1).endsWith("_indexed"))
                    .forEach(part -> usualParts.add(part.group(2)));
        }
    }

    private static String read(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(Script.class.getResourceAsStream(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @AfterEach
    void close() throws Exception {
        for (ServerDialogue each : List.of(recorder, with, without)) {
            each.close();
        }
        fixture.close();
        servers.close();
    }

    @Test
    void usualCase_isAnsweredAndDoneAsByTheRestOfTheScript() throws Exception {
        assertThat(usualParts).hasSizeGreaterThan(8);
        StoredState blank = StoredState.of(recorder);
        for (int run = 0; run < RUNS; run++) {
            blank.restore(recorder);
            with.ask("FLUSHALL");
            without.ask("FLUSHALL");
            long seed = SEED + run;
            GeneratedCommands commands = new GeneratedCommands(seed, "customer:99", LIVES_MILLIS);
            Random random = new Random(seed);
            for (int i = 0; i < COMMANDS; i++) {
                disturb(random);
                Command<?> command = next(commands, random);
                String which = "%s, command %d of seed %d".formatted(command, i, seed);
                for (Executed sent : sent(command)) {
                    again(sent, which);
                }
                assertSame(which);
                TimeUnit.MILLISECONDS.sleep(2); // so that no lifetime ends as another began
            }
        }
    }

    /** Returns often a command that finds the entry that it expects, or is about one aggregate. */
    private Command<?> next(GeneratedCommands commands, Random random) throws Exception {
        List<EncodedKey> entries = commands.entries();
        int plain = commands.rows().size(); // the others are indexed
        EncodedKey key = entries.get(
                random.nextBoolean() ? random.nextInt(entries.size()) : plain + random.nextInt(entries.size() - plain));
        List<AggregateOperation> operations = List.of(AggregateOperation.values());
        AggregateOperation operation = operations.get(random.nextInt(operations.size()));
        Expiry expiry = random.nextBoolean() ? Expiry.UNCHANGED : commands.expiry();
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> commands.group(List.of(), List.of(commands.operation(operation, expiry)));
            case 3 ->
                new Command.CompareAndSet(key, stampOf(key), commands.put().envelope(), expiry);
            case 6 ->
                new Command.CompareAndSet(key, Command.ABSENT, commands.put().envelope(), expiry);
            case 7 -> new Command.Lease(key, commands.put().envelope().stamp(), commands.expiry());
            case 4 -> new Command.CompareAndExpire(key, stampOf(key), commands.expiry());
            case 5 -> new Command.GetAndExpire(key, commands.expiry());
            default -> commands.next();
        };
    }

    private long stampOf(EncodedKey key) throws Exception {
        return RedisFixture.reply(connection, new Command.Get(key)) instanceof Reply.Done<Lookup> done
                ? done.value().stamp()
                : Command.ABSENT;
    }

    /** Does what other programs, evictions and former epochs leave, in some of the cases, at all servers. */
    private void disturb(Random random) throws IOException {
        List<String> keys = new ArrayList<>();
        for (Object key : (List<?>) Objects.requireNonNull(with.ask("KEYS", "*"))) {
            keys.add((String) key);
        }
        if (keys.isEmpty()) {
            return;
        }
        keys.sort(null);
        String key = random.nextInt(4) == 0 ? STAMPS : keys.get(random.nextInt(keys.size()));
        int what = random.nextInt(14);
        if (what == 0 || what >= 12) {
            all("UNLINK", key);
        } else if (what == 1 || what >= 10) {
            all("PEXPIRE", key, Long.toString(LIVES_LONGER_MILLIS));
        } else if (what == 2) {
            all("PERSIST", key);
        } else if (what == 3) {
            all("SET", key, random.nextBoolean() ? "" : "of another program");
        } else if (what <= 5 && "string".equals(with.ask("TYPE", key))) {
            all(
                    "SETRANGE",
                    key,
                    Integer.toString(random.nextInt(22)),
                    "\u0003"); // of another epoch, key, format or stamp
        } else if (what <= 7 && "hash".equals(with.ask("TYPE", STAMPS))) {
            all("HSET", STAMPS, random.nextBoolean() ? "cart:" : "visits:", "formerly....");
        }
    }

    private void all(String... words) throws IOException {
        for (ServerDialogue each : List.of(recorder, with, without)) {
            each.ask(words);
        }
    }

    private List<Executed> sent(Command<?> command) throws Exception {
        try (ExecutedCommands executed = ExecutedCommands.of(recorded)) {
            Reply<?> unused = RedisFixture.reply(connection, command);
            Set<String> changing = Set.of("EVAL", "EVALSHA", "SET", "MSET", "MSETEX", "UNLINK");
            return executed.next().stream()
                    .filter(each -> !each.isWithinScript() && changing.contains(each.name()))
                    .toList();
        }
    }

    /** Has both servers execute what the other one has executed. */
    private void again(Executed sent, String which) throws IOException {
        if (!sent.name().startsWith("EVAL")) {
            assertThat(text(with.ask(sent.words()))).as(which).isEqualTo(text(without.ask(sent.words())));
            return;
        }
        String name = new String(sent.words().get(1), StandardCharsets.UTF_8);
        Script.Source source = Script.ofDigest(name).orElseGet(() -> new Script.Source(name, ""));
        Object answer = with.ask(asEval(source.text(), sent.words()));
        if (source.text().equals(Script.PUT_ALL.text())) {
            putEach(sent.words(), (List<?>) Objects.requireNonNull(answer));
            return;
        }
        String rest = restOf(source);
        Object other = without.ask(asEval(rest, sent.words()));
        if (!rest.equals(source.text())) { // those without a usual case also answer how long something lives
            assertThat(text(other)).as(which).isEqualTo(text(answer));
        }
    }

    private String restOf(Script.Source source) {
        String rest = source.text();
        for (String part : usualParts) {
            rest = rest.replace(part, "");
        }
        return rest;
    }

    /** Returns an answer without the place of an error in the script. */
    private static String text(@Nullable Object answer) {
        return String.valueOf(answer).replaceAll("user_script:\\d+|\\b[0-9a-f]{40}\\b", "");
    }

    private static List<byte[]> asEval(String script, List<byte[]> words) {
        return Stream.concat(
                        Stream.of(RedisFixture.bytes("EVAL"), script.getBytes(StandardCharsets.UTF_8)),
                        words.stream().skip(2))
                .toList();
    }

    /** Stores each entry by itself, but for the others, which the next commands store. */
    private void putEach(List<byte[]> words, List<?> others) throws IOException {
        int count = Integer.parseInt(new String(words.get(2), StandardCharsets.US_ASCII));
        String rest = restOf(Script.PUT.alone());
        for (int i = 1; i <= count; i++) {
            if (!others.contains((long) i)) {
                assertThat(without.ask(List.of(
                                RedisFixture.bytes("EVAL"),
                                rest.getBytes(StandardCharsets.UTF_8),
                                RedisFixture.bytes("1"),
                                words.get(2 + i),
                                words.get(2 + count + i),
                                words.get(3 + 2 * count),
                                words.get(4 + 2 * count))))
                        .isEqualTo(1L);
            }
        }
    }

    private void assertSame(String which) throws IOException {
        StoredState one = stateOf(with);
        StoredState other = stateOf(without);
        assertThat(one.isLike(other, MOST_APART_MILLIS))
                .as("%s: %s and %s", which, one, other)
                .isTrue();
    }

    /** Returns what is stored, without the stamps of aggregates that are gone: of these, some are removed by chance. */
    private static StoredState stateOf(ServerDialogue server) throws IOException {
        Map<String, StoredState.Stored> keys =
                new TreeMap<>(StoredState.of(server).keys());
        StoredState.Stored stamps = keys.get(STAMPS);
        if (stamps != null && "hash".equals(server.ask("TYPE", STAMPS))) {
            String present = String.valueOf(server.ask("EVAL", PRESENT_STAMPS, "1", STAMPS));
            keys.put(STAMPS, new StoredState.Stored(present, "", stamps.expiresAt()));
        }
        return new StoredState(keys);
    }
}
