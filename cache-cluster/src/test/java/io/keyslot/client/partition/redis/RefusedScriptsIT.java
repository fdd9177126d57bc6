// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.QueueCommand;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.redis.ExecutedCommands.Executed;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Feed;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.SlotFence;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.ServerLine;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever a server refuses has changed nothing. Each command is sent once, and what the server executes for it is written
 * down. Then the same words are sent again to the same state, by a user without one of the rights that it took, for each of
 * them; the same to a script that cannot ask for rights, as with Redis 6.2; with something of another type under each of
 * its keys; to a full server, to one that misses its replicas, to one that could not save, and to a replica.
 *
 * <p>{@code -Dtests.refusals.commands} says how many generated commands are tried, {@code -Dtests.refusals.seed} which.
 */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class RefusedScriptsIT {
    private static final int COMMANDS = Integer.getInteger("tests.refusals.commands", 40);
    private static final long SEED = Long.getLong("tests.refusals.seed", 39);
    private static final int MAX_SHOWN = 25;
    private static final long MINUTE = 60_000;

    /** What the files of a script call, whether or not it comes to that. */
    private static final Pattern LITERAL = Pattern.compile("(?:call|try|pcall|readAs|need)\\('([A-Z]+)'");

    /**
     * They answer for each entry, or only read for copies in a process, or are part of the handshake, or what a plain command does behind a fence, or of a
     * move, whose coordinator begins again with an empty target after whatever was refused, or of the register, which {@link
     * RegisterScriptsIT} tries; and no commands of a cache.
     */
    private static final Set<Script> NOT_HERE = EnumSet.of(
            Script.PUT_ALL,
            Script.GET_ALL_LASTING,
            Script.SET_INCARNATION,
            Script.MAY_RECORD,
            Script.SET_MIN_VERSION,
            Script.COMMAND,
            Script.EXPORT,
            Script.IMPORT,
            Script.READ_DIRTY,
            Script.WEIGHTS,
            Script.REGISTER_BEGIN,
            Script.REGISTER_PREPARE,
            Script.REGISTER_ACCEPT,
            Script.REGISTER_COPY,
            Script.REGISTER_READ,
            Script.REPORT_TRAFFIC,
            Script.KEEP_HEARTBEAT,
            Script.READ_TRAFFIC,
            Script.ATTEND_FEED,
            Script.READ_FEED,
            Script.FOLLOW_FEED,
            Script.CHECKPOINT_FEED,
            Script.HAS_PASSED_FEED,
            Script.FEED_ENDS,
            Script.APPEND_ARRIVAL,
            Script.DESCRIBE_FEEDS);

    /** Those that the commands use for indexed entries as well. */
    private static final Set<Script> OF_INDEXED = EnumSet.of(
            Script.PUT,
            Script.COMPARE_AND_SET,
            Script.COMPARE_AND_REMOVE,
            Script.COMPARE_AND_EXPIRE,
            Script.GET_AND_EXPIRE,
            Script.TAKE,
            Script.UNLINK,
            Script.GROUP);

    private static final List<Script.Source> SOURCES = Stream.concat(
                    Stream.of(Script.values()).map(Script::alone),
                    OF_INDEXED.stream()
                            .flatMap(script -> script.appendsToFeeds()
                                    ? Stream.of(
                                            script.withEffects(true, false),
                                            script.withEffects(false, true),
                                            script.withEffects(true, true))
                                    : Stream.of(script.withEffects(true, false))))
            .toList();

    private static final Feed FEED = new Feed(":note", MINUTE, 100, true);

    private final LocalServers servers = TestServers.none();
    private final LocalServer server = servers.start("--enable-debug-command", "yes");
    private final RedisFixture fixture = new RedisFixture();
    private final Set<String> violations = new TreeSet<>();
    private final Set<Script.Source> seen = new HashSet<>();
    private long lastStamp = 1L << 40;
    private int cases;
    private int refused;
    private int halfDone;
    private RedisConnection connection;
    private ServerDialogue admin;
    private ServerDialogue replica;
    private StoredState stored = new StoredState(Map.of());
    private boolean isStored;

    /** What keeps a server from taking writes, and what ends that. */
    private record Trouble(List<String> begin, List<String> end) {
        static final List<Trouble> ALL = List.of(
                setting("maxmemory", "1", "0"),
                setting("min-replicas-to-write", "1", "0"),
                setting("save", "3600 1", "")); // the last attempt to save has failed

        static Trouble setting(String name, String troublesome, String harmless) {
            return new Trouble(List.of("CONFIG", "SET", name, troublesome), List.of("CONFIG", "SET", name, harmless));
        }
    }

    /** The words of a command to be sent again, all by one user. */
    private record Recorded(String name, List<Executed> sent, Set<String> used, StoredState before) {
        /** Returns the place of the command whose answer is the answer. */
        int deciding() {
            for (int i = sent.size() - 1; i >= 0; i--) {
                if (sent.get(i).name().startsWith("EVAL")) {
                    return i;
                }
            }
            return sent.size() - 1;
        }

        /** Returns the keys under which there might be something else. */
        List<byte[]> keys() {
            List<byte[]> words = sent.get(deciding()).words();
            if (!sent.get(deciding()).name().startsWith("EVAL")) {
                return List.of();
            }
            int count = Integer.parseInt(new String(words.get(2), StandardCharsets.US_ASCII));
            return words.subList(3, 3 + count);
        }
    }

    @BeforeEach
    void connect() throws Exception {
        connection = fixture.connect(server.uri());
        admin = ServerDialogue.with(server);
        replica = ServerDialogue.with(servers.start(
                "--enable-debug-command", "yes", "--replicaof", "127.0.0.1 1", "--replica-read-only", "no"));
        for (Script.Source script : SOURCES) {
            admin.ask("SCRIPT", "LOAD", script.text());
            replica.ask("SCRIPT", "LOAD", script.text());
        }
        failToSave();
    }

    /** From now on the server refuses writes whenever it is told to save them now and then. */
    private void failToSave() throws Exception {
        Files.createDirectories(server.directory().resolve("dump.rdb")); // so no file can have that name
        admin.ask("BGSAVE");
        await().until(() -> String.valueOf(admin.ask("INFO", "persistence")).contains("rdb_last_bgsave_status:err"));
    }

    @AfterEach
    void close() throws Exception {
        admin.close();
        replica.close();
        fixture.close();
        servers.close();
    }

    @Test
    void commandsOfEveryKind_changeNothingIfTheyAreRefused() throws Exception {
        try (ServerDialogue limited = ServerDialogue.with(server)) {
            StoredState blank = StoredState.of(admin);
            everyOperation(limited, blank);
            everyScript(limited, blank);
            generated(limited, blank);
        }

        assertThat(violations)
                .as("of %d cases, %d refused, of which %d changed something", cases, refused, halfDone)
                .isEmpty();
        assertThat(seen)
                .containsAll(SOURCES.stream()
                        .filter(source -> NOT_HERE.stream()
                                .noneMatch(script -> script.alone().equals(source)))
                        .toList());
        assertThat(refused).isGreaterThan(1_000);
    }

    private static FenceCommand.SetFence fence(FenceCommand.From from, SlotFence.State to) {
        return fence(5, from, to);
    }

    private static FenceCommand.SetFence fence(int slot, FenceCommand.From from, SlotFence.State to) {
        return new FenceCommand.SetFence(Map.of(slot, 1L), from, new FenceCommand.To(to, "m", 0), 1);
    }

    /** A command that no test leads to would be one whose refusal nobody has seen. */
    private void everyOperation(ServerDialogue limited, StoredState blank) throws Exception {
        for (AggregateOperation operation : AggregateOperation.values()) {
            for (Expiry expiry : List.of(Expiry.UNCHANGED, Expiry.afterMillis(MINUTE))) {
                GeneratedCommands commands = new GeneratedCommands(SEED, "customer:99", MINUTE);
                blank.restore(admin);
                Command<?> command = commands.group(List.of(), List.of(commands.operation(operation, expiry)));
                refuse(limited, record(operation + " " + expiry.millis(), command));
                fill(commands, Expiry.NEVER);
                refuse(limited, record(operation + " again " + expiry.millis(), command));
            }
        }
    }

    private void fill(GeneratedCommands commands, Expiry expiry) throws Exception {
        List<GroupStep> steps = new ArrayList<>();
        for (AggregateOperation operation : List.of(
                AggregateOperation.HASH_PUT,
                AggregateOperation.LIST_ADD_LAST,
                AggregateOperation.SET_ADD,
                AggregateOperation.SORTED_ADD,
                AggregateOperation.COUNTER_SET)) {
            steps.add(commands.operation(operation, expiry));
        }
        RedisFixture.reply(connection, commands.group(List.of(), steps));
    }

    private void everyScript(ServerDialogue limited, StoredState blank) throws Exception {
        for (Expiry expiry : List.of(Expiry.NEVER, Expiry.afterMillis(MINUTE))) {
            GeneratedCommands commands = new GeneratedCommands(SEED, "customer:99", MINUTE);
            EncodedKey row = commands.rows().get(0);
            EncodedKey note = commands.entries().get(3);
            blank.restore(admin);
            for (EncodedKey key : List.of(row, note, row.in(FEED), note.in(FEED))) {
                refuse(limited, record("put", put(key, 10, expiry, Expiry.UNCHANGED)));
                refuse(limited, record("put", put(key, 10, expiry, Expiry.UNCHANGED)));
                refuse(limited, record("put", put(key, 10, Expiry.NEVER, expiry)));
                Command.Put last = put(key, 10, expiry, expiry);
                refuse(limited, record("put", last));
                long stamp = last.envelope().stamp();
                refuse(limited, record("cas", new Command.CompareAndSet(key, stamp, last.envelope(), expiry)));
                refuse(limited, record("expire", new Command.CompareAndExpire(key, stamp, expiry)));
                refuse(limited, record("getAndExpire", new Command.GetAndExpire(key, expiry)));
                long reserved = lastStamp + 1;
                lastStamp = reserved + 1;
                refuse(limited, record("reserve", new Command.Reserve(key, stamp, reserved, MINUTE)));
                refuse(limited, record("giveBack", new Command.GiveBack(key, reserved, lastStamp, expiry)));
                refuse(limited, record("take", new Command.GetAndRemove(key)));
                refuse(limited, record("put again", last));
                refuse(limited, record("take it", new Command.GetAndRemove(key)));
                RedisFixture.reply(connection, last);
                refuse(limited, record("compareAndRemove", new Command.CompareAndRemove(key, stamp)));
                lastStamp++;
                Envelope timed = Envelope.timed(lastStamp, MINUTE, new byte[10]);
                RedisFixture.reply(connection, new Command.Put(key, timed, expiry, expiry));
                lastStamp++;
                refuse(limited, record("claim", new Command.Claim(key, timed.stamp(), lastStamp, 2 * MINUTE)));
                RedisFixture.reply(connection, last);
                refuse(limited, record("remove", new Command.RemoveAll(List.of(key))));
                RedisFixture.reply(connection, last);
                refuse(limited, record("erase", new Command.Erase(List.of(key))));
            }
            for (String position : List.of(FeedCommand.START, "0-0")) {
                refuse(limited, record("erase", new FeedCommand.Erase(FEED.name(), position, note.text())));
            }
            RedisFixture.reply(connection, put(row, 10, expiry, expiry));
            GroupStep put = new GroupStep.PutEntry(row, envelope(10), expiry, Expiry.UNCHANGED);
            refuse(
                    limited,
                    record("put and read", commands.group(List.of(), List.of(put, new GroupStep.ReadEntry(note)))));
            refuse(limited, record("remove", commands.group(List.of(), List.of(new GroupStep.RemoveEntry(row), put))));
            for (EncodedKey key : List.of(row.in(FEED), note.in(FEED))) {
                GroupStep fed = new GroupStep.PutEntry(key, envelope(10), expiry, Expiry.UNCHANGED);
                refuse(limited, record("put fed", commands.group(List.of(), List.of(fed))));
                GroupStep removal = new GroupStep.RemoveEntry(key);
                refuse(limited, record("remove fed", commands.group(List.of(), List.of(removal))));
            }
            long holder = 5;
            refuse(limited, record("lock", new LockCommand.Lock(commands.home(), holder, Expiry.afterMillis(MINUTE))));
            long token = RedisFixture.done(
                    connection, new LockCommand.Lock(commands.home(), holder, Expiry.afterMillis(MINUTE)));
            refuse(limited, record("lock", new LockCommand.Lock(commands.home(), holder, Expiry.afterMillis(MINUTE))));
            refuse(
                    limited,
                    record("renew", new LockCommand.RenewLock(commands.home(), token, Expiry.afterMillis(MINUTE))));
            refuse(limited, record("unlock", new LockCommand.Unlock(commands.home(), holder)));
            queue(limited);
            refuse(limited, record("fence", fence(FenceCommand.From.NONE, SlotFence.State.MOVING)));
            RedisFixture.done(connection, fence(FenceCommand.From.NONE, SlotFence.State.MOVING));
            refuse(
                    limited,
                    record("freeze", fence(FenceCommand.From.any(SlotFence.State.MOVING), SlotFence.State.FROZEN)));
            RedisFixture.done(connection, fence(row.slot(), FenceCommand.From.NONE, SlotFence.State.MOVING));
            SlotTransfer.Guard guard = new SlotTransfer.Guard(SlotFence.State.MOVING, "m", 1);
            RedisFixture.reply(connection, put(row, 10, expiry, expiry));
            refuse(limited, record("purge", new SlotTransfer.Purge(guard, List.of(row))));
            refuse(limited, record("forget", new SlotTransfer.ForgetDirty(guard, row.slot(), List.of(row))));
            RedisFixture.reply(connection, put(row, 10, expiry, expiry));
            fill(commands, expiry);
            for (GroupListing<?> listing : List.of(
                    new GroupListing.Rows(
                            commands.home(),
                            new GroupListing.Span(
                                    commands.names().get(0), commands.names().get(2), 10, false)),
                    new GroupListing.Weigh(commands.home()),
                    new GroupListing.Forget(commands.home(), commands.names()))) {
                refuse(limited, record(listing.name(), listing));
            }
            refuse(
                    limited,
                    record(
                            "delete",
                            commands.group(
                                    List.of(),
                                    List.of(new GroupStep.DeleteAggregate(
                                            commands.aggregate(AggregateKind.HASH), AggregateKind.HASH)))));
        }
    }

    private void queue(ServerDialogue limited) throws Exception {
        GroupHome home = new GroupHome("keyslot:mail:1");
        for (String session : List.of("", "s", "s")) {
            Element payload = Element.of("m");
            String id = session + lastStamp++;
            refuse(limited, record("send", new QueueCommand.Send(home, payload, session, id, 100, MINUTE)));
        }
        refuse(limited, record("count", new QueueCommand.Describe(home)));
        QueueCommand.Delivery first = lease(home);
        refuse(limited, record("abandon", settling(home, first, QueueCommand.Settlement.ABANDON)));
        QueueCommand.Delivery ofSession = lease(home);
        refuse(limited, record("renew", settling(home, ofSession, QueueCommand.Settlement.RENEW)));
        refuse(limited, record("complete", settling(home, ofSession, QueueCommand.Settlement.COMPLETE)));
        refuse(limited, record("receive and find one to be dead", new QueueCommand.Receive(home, false, MINUTE, 1)));
        refuse(limited, record("receive the dead one", new QueueCommand.Receive(home, true, MINUTE, 1)));
    }

    private QueueCommand.Delivery lease(GroupHome home) throws Exception {
        QueueCommand.Receive receive = new QueueCommand.Receive(home, false, MINUTE, 1);
        return Objects.requireNonNull(RedisFixture.done(connection, receive).delivery());
    }

    private static QueueCommand.Settle settling(
            GroupHome home, QueueCommand.Delivery delivery, QueueCommand.Settlement as) {
        return new QueueCommand.Settle(home, false, delivery, as, MINUTE);
    }

    private Envelope envelope(int size) {
        lastStamp++;
        return Envelope.of(lastStamp, new byte[size]);
    }

    private Command.Put put(EncodedKey key, int size, Expiry onCreation, Expiry onUpdate) {
        return new Command.Put(key, envelope(size), onCreation, onUpdate);
    }

    private void generated(ServerDialogue limited, StoredState blank) throws Exception {
        for (int i = 0; i < COMMANDS; i++) {
            GeneratedCommands commands = new GeneratedCommands(SEED + i, "customer:99", MINUTE);
            blank.restore(admin);
            for (int before = 0; before < 5; before++) {
                RedisFixture.reply(connection, commands.next());
            }
            Command<?> command = commands.next();
            if (!(command instanceof Command.PutAll)) { // which is many commands, each with an answer of its own
                refuse(limited, record("seed " + (SEED + i), command));
            }
        }
    }

    /** Sends a command, and leaves the state as it was before. */
    private Recorded record(String name, Command<?> command) throws Exception {
        StoredState before = StoredState.of(admin);
        List<Executed> all;
        try (ExecutedCommands executed = ExecutedCommands.of(server)) {
            Reply<?> unused = RedisFixture.reply(connection, command);
            all = executed.next();
        }
        isStored = false;
        List<Executed> sent = new ArrayList<>();
        Set<String> used = new TreeSet<>();
        for (Executed one : all) {
            if (!one.isWithinScript()) {
                sent.add(one);
            }
            used.add(one.name());
        }
        for (Executed one : sent) {
            Script.Source script = scriptOf(one);
            if (script != null) {
                seen.add(script);
                LITERAL.matcher(script.text()).results().forEach(literal -> used.add(literal.group(1)));
            }
        }
        return new Recorded(name + " " + command.name(), sent, used, before);
    }

    private static Script.@Nullable Source scriptOf(Executed command) {
        String name = new String(command.words().get(1), StandardCharsets.UTF_8);
        return SOURCES.stream()
                .filter(script -> name.equals(script.digest()) || name.equals(script.text()))
                .findFirst()
                .orElse(null);
    }

    /** Sends it again in all the ways in which it may be refused, and once more as it was. */
    private void refuse(ServerDialogue limited, Recorded command) throws IOException {
        for (String right : command.used()) {
            String user = "+@all -" + right.toLowerCase(Locale.ROOT);
            admin.ask(("ACL SETUSER limited reset on >secret ~* &* " + user).split(" "));
            limited.ask("AUTH", "limited", "secret");
            again(limited, command, command.before(), "without " + right, right, false);
            again(limited, command, command.before(), "without " + right + " and without asking", right, true);
        }
        for (byte[] key : command.keys()) {
            for (List<String> foreign : List.of(List.of("SET", "x"), List.of("RPUSH", "x"))) {
                StoredState state = withForeign(command.before(), key, foreign);
                String how = foreign.get(0) + " at " + new String(key, StandardCharsets.UTF_8);
                again(admin, command, state, how, null, false);
            }
        }
        for (Trouble trouble : Trouble.ALL) {
            for (boolean withoutAsking : List.of(false, true)) {
                restore(command.before());
                admin.ask(trouble.begin().toArray(String[]::new));
                again(
                        admin,
                        command,
                        command.before(),
                        "with " + trouble.begin() + " " + withoutAsking,
                        null,
                        withoutAsking);
                admin.ask(trouble.end().toArray(String[]::new));
            }
        }
        toReplica(command);
        restore(command.before());
        for (Executed one : command.sent()) {
            admin.ask(one.words());
        }
        isStored = false;
    }

    /** To another server: one that was a replica has another life, which is another state. */
    private void toReplica(Recorded command) throws IOException {
        ServerDialogue primary = admin;
        admin = replica;
        isStored = false;
        restore(command.before());
        admin.ask("CONFIG", "SET", "replica-read-only", "yes");
        again(admin, command, command.before(), "to a replica", null, false);
        admin.ask("CONFIG", "SET", "replica-read-only", "no");
        admin = primary;
        isStored = false;
    }

    private void restore(StoredState state) throws IOException {
        if (!isStored || !stored.equals(state)) {
            state.restore(admin);
            stored = state;
            isStored = true;
        }
    }

    private StoredState withForeign(StoredState state, byte[] key, List<String> foreign) throws IOException {
        restore(state);
        isStored = false;
        admin.ask(List.of(RedisFixture.bytes("UNLINK"), key));
        List<byte[]> words = new ArrayList<>(List.of(RedisFixture.bytes(foreign.get(0)), key));
        foreign.stream().skip(1).map(RedisFixture::bytes).forEach(words::add);
        admin.ask(words);
        return StoredState.of(admin);
    }

    private void again(
            ServerDialogue user,
            Recorded command,
            StoredState before,
            String how,
            @Nullable String right,
            boolean withoutAsking)
            throws IOException {
        restore(before);
        Object signature = StoredState.signature(admin);
        Object decided = null;
        ServerLine.Refused first = null;
        for (int i = 0; i < command.sent().size(); i++) {
            Object answer = user.ask(words(command.sent().get(i), withoutAsking));
            if (first == null && answer instanceof ServerLine.Refused refusal) {
                first = new ServerLine.Refused(asToldOfTheWhole(command.sent().get(i), refusal.text()));
            }
            decided = i == command.deciding() ? answer : decided;
        }
        cases++;
        if (decided instanceof ServerLine.Refused refusal) {
            refused++;
            if (!StoredState.signature(admin).equals(signature)) {
                isStored = false;
                StoredState after = StoredState.of(admin);
                if (!before.isLike(after)) {
                    halfDone++;
                    violation(command, how, "refused with %s, %s became %s".formatted(refusal.text(), before, after));
                }
            }
            if (right != null) {
                String told = Objects.requireNonNull(first).text();
                Reply<Object> reply = ServerError.parse(told).reply(1, "EVALSHA", null);
                if (!(reply instanceof Reply.Refused<Object> said)
                        || said.refusal() != Refusal.FORBIDDEN
                        || !said.detail().startsWith("NOPERM")
                        || !said.detail().contains(right)) {
                    violation(command, how, "told as " + reply + " of " + refusal.text());
                }
            }
        } else {
            isStored = false;
        }
    }

    /** What cannot ask is another script to the server, which tells its digest. */
    private static String asToldOfTheWhole(Executed command, String text) {
        Script.@Nullable Source script = scriptOf(command);
        return script == null ? text : text.replaceAll("\\b[0-9a-f]{40}\\b", script.digest());
    }

    private static List<byte[]> words(Executed command, boolean withoutAsking) {
        Script.@Nullable Source script = withoutAsking ? scriptOf(command) : null;
        if (script == null) {
            return command.words();
        }
        List<byte[]> words = new ArrayList<>(command.words());
        words.set(0, RedisFixture.bytes("EVAL"));
        words.set(1, RedisFixture.bytes(script.text().replace("= redis.acl_check_cmd", "= nil")));
        return words;
    }

    private void violation(Recorded command, String how, String what) {
        if (violations.size() < MAX_SHOWN) {
            violations.add(command.name() + " " + how + ": " + what);
        }
    }
}
