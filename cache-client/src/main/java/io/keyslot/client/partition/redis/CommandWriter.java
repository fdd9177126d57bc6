// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Slices;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes commands to one connection, up to a limit, in which those that timed out still count. Thread-safe. */
final class CommandWriter implements RoutedCommand.Carrier {
    /** The maximal number of commands in flight on one connection; further ones are refused at once. */
    static final int MAX_IN_FLIGHT = 4_096;

    /** A server is blocked while it executes a command, so longer lists of keys are split. */
    private static final int MAX_KEYS = 1_000;

    private static final String FULL =
            "%d commands wait for its answers; ask less at a time, or find out why it is slow".formatted(MAX_IN_FLIGHT);

    private final WriteQueue writeQueue;
    private final Timeouts timeouts;
    private final CallerDriven loop;
    private final InternalKeys keys;
    private final Consumer<String> close;
    private final Redirection.@Nullable Handler redirects; // null unless this is a cluster node
    private final AtomicInteger inFlight = new AtomicInteger();

    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /** Whether the server refuses {@code EVALSHA}; then scripts are always sent in full. */
    private volatile boolean withoutDigests;

    private final AtomicLong announced = new AtomicLong();
    private final AtomicLong probes = new AtomicLong();
    private final AtomicBoolean probing = new AtomicBoolean();
    private volatile boolean closed;
    private volatile boolean leftUnanswered;
    private volatile boolean superseded;

    /** Whether a command may have keys of one slot only: on a cluster node, or once the server has refused several. */
    private volatile boolean isOneSlot;

    CommandWriter(
            WriteQueue writeQueue,
            Timeouts timeouts,
            CallerDriven loop,
            InternalKeys keys,
            Consumer<String> close,
            Redirection.@Nullable Handler redirects) {
        this.redirects = redirects;
        this.isOneSlot = redirects != null;
        this.writeQueue = writeQueue;
        this.timeouts = timeouts;
        this.loop = loop;
        this.keys = keys;
        this.close = close;
    }

    <T, R> RoutedCommand<T, R> command(
            CommandType type,
            CommandOutput<byte[], byte[], T> output,
            CommandArgs<byte[], byte[]> arguments,
            Route route,
            Function<T, R> decoder) {
        return new RoutedCommand<>(type, output, arguments, decoder, route.mapVersion(), this);
    }

    /** Prepares a command on keys, for {@link #write}. If a slot is moving, a script wraps the command. */
    <T, R> RoutedCommand<T, R> command(
            CommandType type,
            CommandOutput<byte[], byte[], T> output,
            List<EncodedKey> keys,
            byte[][] arguments,
            Route route,
            Function<T, R> decoder) {
        return route.isFenced()
                ? byDigest(
                        ScriptCall.of(type, keys, arguments).fenced(this.keys, route.slots()), output, route, decoder)
                : bare(type, output, arguments, route, decoder);
    }

    /** Prepares a command that is not checked against fences. */
    <T, R> RoutedCommand<T, R> bare(
            CommandType type,
            CommandOutput<byte[], byte[], T> output,
            byte[][] arguments,
            Route route,
            Function<T, R> decoder) {
        return new RoutedCommand<>(type, output, arguments, decoder, route.mapVersion(), this);
    }

    /**
     * Prepares the call of a script: with its source until the server has run it on this connection, then by digest. If
     * the server has forgotten the script, the command is refused and the next attempt sends the source. It is not
     * resent here, because the caller may have given up and have written another value meanwhile.
     */
    <T, R> RoutedCommand<T, R> script(
            ScriptCall call, CommandOutput<byte[], byte[], T> output, Route route, Function<T, R> decoder) {
        return byDigest(route.isFenced() ? call.fenced(keys, route.slots()) : call, output, route, decoder);
    }

    private <T, R> RoutedCommand<T, R> byDigest(
            ScriptCall call, CommandOutput<byte[], byte[], T> output, Route route, Function<T, R> decoder) {
        Script.Source script = call.script();
        if (withoutDigests || !known.contains(script.digest())) {
            return inFull(call, output, route, decoder).then(reply -> afterSource(script, reply));
        }
        byte[][] arguments = call.words(script.digest());
        return bare(CommandType.EVALSHA, output, arguments, route, decoder).then(reply -> afterDigest(script, reply));
    }

    private <T, R> RoutedCommand<T, R> inFull(
            ScriptCall call, CommandOutput<byte[], byte[], T> output, Route route, Function<T, R> decoder) {
        byte[][] arguments = call.words(call.script().text());
        return bare(CommandType.EVAL, output, arguments, route, decoder);
    }

    private <R> @Nullable CompletableFuture<Reply<R>> afterSource(Script.Source script, Reply<R> reply) {
        if (reply instanceof Reply.Done) {
            known.add(script.digest());
        }
        return null;
    }

    private <R> @Nullable CompletableFuture<Reply<R>> afterDigest(Script.Source script, Reply<R> reply) {
        if (ServerError.isMissing(CommandType.EVALSHA.name(), reply)) {
            withoutDigests = true;
        } else if (!isScriptUnknown(reply)) {
            return null;
        }
        known.remove(script.digest());
        return CompletableFuture.completedFuture(Reply.refused(Refusal.NOT_NOW, "the server has forgotten a script"));
    }

    private static boolean isScriptUnknown(Reply<?> reply) {
        return reply instanceof Reply.Refused<?> refused && refused.detail().equals(ServerError.NO_SCRIPT);
    }

    <R> CompletableFuture<Reply<R>> write(RoutedCommand<?, R> command) {
        if (enter(command)) {
            writeQueue.add(command);
        }
        return command.reply();
    }

    /** Sends several commands in order and in one flush. Those that exceed the limit are refused. */
    <C extends RoutedCommand<?, ?>> void writeAll(List<C> commands) {
        List<C> entered = new ArrayList<>(commands.size());
        for (C command : commands) {
            if (enter(command)) {
                entered.add(command);
            }
        }
        writeQueue.addAll(entered);
    }

    /**
     * Writes commands together, of which only the last has a timer. Returns false if the last one was refused; then
     * none of them is sent.
     */
    boolean writeTogether(RoutedCommand<?, ?> last, int size, WriteQueue.Outgoing commands) {
        inFlight.addAndGet(size - 1);
        boolean enters = enter(last);
        if (enters) {
            writeQueue.add(commands);
        }
        return enters;
    }

    /** Sends commands back to back, or none. Returns the second reply, or the failure of the first command. */
    <R> CompletableFuture<Reply<R>> writeAfter(
            RoutedCommand<?, ?> first, RoutedCommand<?, R> second, RoutedCommand<?, ?>... behind) {
        List<RoutedCommand<?, ?>> together = new ArrayList<>(2 + behind.length);
        together.add(first);
        together.add(second);
        together.addAll(Arrays.asList(behind));
        boolean allEnter = true;
        for (RoutedCommand<?, ?> command : together) {
            allEnter &= enter(command);
        }
        if (allEnter) {
            writeQueue.add(
                    commands -> commands.addAll(together)); // of one route version: the guard refuses all or none
        } else {
            together.forEach(command -> command.refuse(Refusal.OVERLOADED, FULL));
        }
        return second.reply().thenCombine(first.reply(), CommandWriter::unlessBefore);
    }

    private static <R> Reply<R> unlessBefore(Reply<R> second, Reply<?> first) {
        return first instanceof Reply.Done ? second : first.as();
    }

    private boolean enter(RoutedCommand<?, ?> command) {
        if (inFlight.incrementAndGet() > MAX_IN_FLIGHT) {
            command.refuse(Refusal.OVERLOADED, FULL);
        } else if (closed) {
            command.refuse(Refusal.UNAVAILABLE, "the connection is closed");
        }
        return !command.isDone();
    }

    /** Counts an internal command, which is not subject to the limit. */
    <C extends RoutedCommand<?, ?>> C entered(C command) {
        inFlight.incrementAndGet();
        return command;
    }

    CompletableFuture<Reply<Boolean>> announce(long mapVersion, String clientName) {
        RoutedCommand<String, Boolean> setName = bare(
                CommandType.CLIENT,
                Resp.status(),
                Resp.arguments("SETNAME", clientName),
                Route.plain(mapVersion),
                "OK"::equals);
        announced.accumulateAndGet(mapVersion, Math::max);
        if (enter(setName)) {
            writeQueue.add(new RouteVersionGuard.Announcement(setName));
        }
        return setName.reply();
    }

    long announced() {
        return announced.get();
    }

    void close() {
        closed = true;
    }

    /** Discards all further replies, which belong to another epoch. Called in the event loop. */
    void supersede() {
        superseded = true;
    }

    @Override
    public boolean isSuperseded() {
        return superseded;
    }

    /** Returns whether a written command may still be executed by the server. */
    boolean hasPendingAnswers() {
        return leftUnanswered || inFlight.get() > 0;
    }

    @Override
    public void watch(RoutedCommand<?, ?> command) {
        timeouts.watch(command);
        loop.expect();
    }

    @Override
    public void left(RoutedCommand<?, ?> command, boolean unanswered) {
        if (command.isWatched()) {
            loop.received();
        }
        if (unanswered) {
            leftUnanswered = true;
        }
        inFlight.decrementAndGet();
    }

    @Override
    public void followerLeft() {
        inFlight.decrementAndGet();
    }

    /** A replica would go on serving reads from its new primary, under an epoch that is not ours. */
    @Override
    public void demoted() {
        supersede();
        close.accept("the server is a replica now");
    }

    @Override
    public void redirected(Redirection to) {
        if (redirects != null) {
            redirects.redirected(to);
        }
    }

    @Override
    public <R> @Nullable CompletableFuture<Reply<R>> ask(RoutedCommand<?, R> command, Redirection to) {
        CommandWriter other = redirects == null ? null : redirects.at(to).orElse(null);
        return other == null
                ? null
                : timeouts.limited(command, other.askedFirst(command), Reply.unknown("no answer in time", null));
    }

    private <R> CompletableFuture<Reply<R>> askedFirst(RoutedCommand<?, R> refused) {
        RoutedCommand<?, R> command = refused.over(this);
        return writeAfter(
                bare(CommandType.ASKING, Resp.ok(), new byte[0][], Route.plain(command.mapVersion()), Resp::isOk),
                command);
    }

    @Override
    public void refusesSlots() {
        isOneSlot = true;
    }

    /** Returns whether a command may contain keys of one slot only. */
    boolean isOneSlot() {
        return isOneSlot;
    }

    /** Splits keys by command: at most {@link #MAX_KEYS} each, and those of one slot where that is necessary. */
    List<List<EncodedKey>> together(List<EncodedKey> keys) {
        if (!isOneSlot) {
            return Slices.of(keys, MAX_KEYS);
        }
        Map<Integer, List<EncodedKey>> bySlot = new LinkedHashMap<>();
        keys.forEach(key ->
                bySlot.computeIfAbsent(key.slot(), slot -> new ArrayList<>()).add(key));
        return bySlot.values().stream()
                .flatMap(some -> Slices.of(some, MAX_KEYS).stream())
                .toList();
    }

    @Override
    public void surprised(String what) {
        close.accept("the server gave " + what);
    }

    /**
     * Checks whether replies still match their commands, after a value for another key was read.
     *
     * <p>Someone may have copied the value by hand. Then the connection is sound, and the next one would read the same
     * value. If replies are shifted, the connection must be closed. {@code ECHO} with a text that was never sent before
     * distinguishes the two.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // The reply reports everything.
    void proveInStep() {
        if (!probing.compareAndSet(false, true)) {
            return;
        }
        byte[] text = ("keyslot-" + probes.incrementAndGet()).getBytes(StandardCharsets.US_ASCII);
        write(bare(
                        CommandType.ECHO,
                        Resp.value(),
                        new byte[][] {text},
                        Route.ANY,
                        answer -> Arrays.equals(answer, text)))
                .thenAccept(this::judge);
    }

    private void judge(Reply<Boolean> inStep) {
        probing.set(false);
        // A refusal, by access rules for example, proves nothing, so the connection stays open.
        if (inStep instanceof Reply.Done<Boolean> done && !done.value()) {
            close.accept("answers came out of step with their commands");
        }
    }
}
