// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.redis.RedisConnection;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.it.SideBySide;
import io.keyslot.it.redis.ExecutedCommands.Executed;
import io.keyslot.slot.HashSlot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Which keys scripts touch: those that they are called with, all of one slot. A node of a cluster decides by these whether it may run a
 * script, and where else it belongs.
 *
 * <p>Commands of every kind are sent to a server that tells what its scripts call. The exceptions have names.
 */
@Tag("thorough")
@SideBySide
class DeclaredKeysIT {
    private static final long SEED = Long.getLong("keyslot.declared.seed", 110);
    private static final int HISTORIES = Integer.getInteger("keyslot.declared.histories", 60);
    private static final int COMMANDS = 40;
    private static final long MINUTE = 60_000;
    private static final long HOLDER = 5;

    /** Whatever stands behind these commands is a key. */
    private static final Set<String> ALL_KEYS = Set.of("MGET", "EXISTS", "UNLINK");

    private static final Set<String> NO_KEYS = Set.of("TIME");

    /**
     * What instances and nobody else need: the register, fences and moves of slots, and the record of an instance. And what reads for
     * near copies, which {@link RedisTrackedReadIT} tries: one command about the keys that it is called with.
     */
    private static final Set<Script> NOT_HERE = EnumSet.of(
            Script.REGISTER_BEGIN,
            Script.REGISTER_PREPARE,
            Script.REGISTER_ACCEPT,
            Script.REGISTER_COPY,
            Script.REGISTER_PEEK,
            Script.REGISTER_READ,
            Script.SET_FENCE,
            Script.EXPORT,
            Script.IMPORT,
            Script.PURGE,
            Script.READ_DIRTY,
            Script.FORGET_DIRTY,
            Script.WEIGHTS,
            Script.COMMAND,
            Script.REPORT_TRAFFIC,
            Script.KEEP_HEARTBEAT,
            Script.READ_TRAFFIC,
            Script.MAY_RECORD,
            Script.SET_MIN_VERSION,
            Script.SET_INCARNATION,
            Script.GET_ALL_LASTING);

    /**
     * What is touched beside the keys of a call, which commands do it, and why. All are keys of the same group, so of the same slot. Those
     * that tidy up only look, and whatever a node answers them, they do nothing that could not be left out: an error ends the tidying, and
     * a key that is elsewhere is not taken for one that is gone ({@link HalfMovedSlotIT}).
     */
    private static final Map<Script, Set<String>> EXCEPTIONS = new EnumMap<>(Map.of(
            // index.lua tidies an index: PTTL of what it names.
            Script.COMPARE_AND_REMOVE, Set.of("PTTL", "EXISTS"),
            Script.COMPARE_AND_EXPIRE, Set.of("PTTL", "EXISTS"),
            Script.COMPARE_AND_SET, Set.of("PTTL", "EXISTS"),
            Script.GET_AND_EXPIRE, Set.of("PTTL", "EXISTS"),
            Script.PUT, Set.of("PTTL", "EXISTS"),
            Script.TAKE, Set.of("PTTL", "EXISTS"),
            Script.UNLINK, Set.of("PTTL", "EXISTS"),
            // The same, and members.lua tidies stamps.
            Script.GROUP, Set.of("PTTL", "EXISTS", "TYPE", "GETRANGE", "HGET"),
            // An index and what it names in one answer. A cluster is asked for the two one after the other.
            Script.ROWS, Set.of("MGET"),
            // How much a group has, about: an operator's question.
            Script.MEASURE_KEYS, Set.of("STRLEN", "MEMORY")));

    private final LocalServers servers = LocalServers.create();
    private final LocalServer server = servers.start();
    private final RedisFixture fixture = new RedisFixture();
    private final Set<Script> seen = EnumSet.noneOf(Script.class);
    private final Map<Script, Set<String>> undeclared = new EnumMap<>(Script.class);
    private final Set<String> ofSeveralSlots = new TreeSet<>();

    @AfterEach
    void close() {
        fixture.close();
        servers.close();
    }

    @Test
    void scripts_touchDeclaredKeysOfOneSlot_andTheExceptionsThatAreNamed() throws Exception {
        RedisConnection connection = fixture.connect(server.uri());
        try (ExecutedCommands executed = ExecutedCommands.of(server)) {
            for (int history = 0; history < HISTORIES; history++) {
                GeneratedCommands commands = new GeneratedCommands(SEED + history, "customer:" + history, MINUTE);
                for (Command<?> command : commandsOf(commands)) {
                    RedisFixture.reply(connection, command);
                }
                judge(executed.next());
            }
        }

        assertThat(ofSeveralSlots)
                .as("keys of several slots in one call, seed %d", SEED)
                .isEmpty();
        assertThat(undeclared)
                .as("seed %d", SEED)
                .allSatisfy((script, names) -> assertThat(EXCEPTIONS.getOrDefault(script, Set.of()))
                        .as("undeclared keys of %s", script)
                        .containsAll(names));
        assertThat(seen).containsAll(EnumSet.complementOf(EnumSet.copyOf(NOT_HERE)));
        assertThat(undeclared.keySet()).as("exceptions that exist").isEqualTo(EXCEPTIONS.keySet());
    }

    private static List<Command<?>> commandsOf(GeneratedCommands generated) {
        List<Command<?>> commands = new ArrayList<>();
        IntStream.range(0, COMMANDS).forEach(i -> commands.add(generated.next()));
        Expiry minute = Expiry.afterMillis(MINUTE);
        commands.add(new LockCommand.Lock(generated.home(), HOLDER, minute));
        commands.add(new LockCommand.RenewLock(generated.home(), 1, minute));
        commands.add(new LockCommand.Unlock(generated.home(), HOLDER));
        commands.add(new GroupListing.Hold(generated.home()));
        commands.add(new GroupListing.Release(generated.home(), minute));
        commands.add(new GroupListing.Weigh(generated.home()));
        for (EncodedKey row : generated.rows()) {
            commands.add(generated.removalOf(row));
            commands.add(generated.put());
        }
        commands.add(new GroupListing.Rows(
                generated.home(),
                new GroupListing.Span(
                        generated.names().get(0), generated.names().get(2), 10, false)));
        return commands;
    }

    private void judge(List<Executed> all) {
        Script script = null;
        Set<String> declared = new HashSet<>();
        for (Executed executed : all) {
            if (!executed.isWithinScript()) {
                declared.clear();
                script = null;
                if (executed.name().startsWith("EVAL")) {
                    declared.addAll(keysOf(executed));
                    script = scriptOf(executed);
                    seen.add(script);
                    if (declared.stream().map(HashSlot::of).distinct().count() > 1) {
                        ofSeveralSlots.add(script + " " + new TreeSet<>(declared));
                    }
                }
            } else if (script != null) {
                judge(script, declared, executed);
            }
        }
    }

    private void judge(Script script, Set<String> declared, Executed executed) {
        for (String key : touched(executed)) {
            if (!declared.contains(key)) {
                undeclared.computeIfAbsent(script, unused -> new TreeSet<>()).add(executed.name());
                if (HashSlot.of(key) != HashSlot.of(declared.iterator().next())) {
                    ofSeveralSlots.add(script + " " + executed.name() + " " + key);
                }
            }
        }
    }

    private static List<String> touched(Executed executed) {
        List<String> arguments =
                executed.words().stream().skip(1).map(DeclaredKeysIT::text).toList();
        String name = executed.name();
        if (NO_KEYS.contains(name)) {
            return List.of();
        } else if (ALL_KEYS.contains(name)) {
            return arguments;
        } else if (name.equals("MSET")) {
            return IntStream.range(0, arguments.size() / 2)
                    .mapToObj(i -> arguments.get(2 * i))
                    .toList();
        } else if (name.equals("MEMORY")) {
            return List.of(arguments.get(1));
        }
        return List.of(arguments.get(0));
    }

    private static List<String> keysOf(Executed call) {
        int count = Integer.parseInt(text(call.words().get(2)));
        return call.words().subList(3, 3 + count).stream()
                .map(DeclaredKeysIT::text)
                .toList();
    }

    private static Script scriptOf(Executed call) {
        String word = text(call.words().get(1));
        String text = call.name().equals("EVAL")
                ? word
                : Script.ofDigest(word).orElseThrow().text();
        return Stream.of(Script.values())
                .filter(script ->
                        script.text().equals(text) || script.indexed().text().equals(text))
                .findFirst()
                .orElseThrow(() -> new AssertionError("A script that nobody knows: " + text));
    }

    private static String text(byte[] word) {
        return new String(word, StandardCharsets.UTF_8);
    }
}
