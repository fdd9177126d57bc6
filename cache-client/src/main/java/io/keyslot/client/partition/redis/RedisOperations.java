// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Description;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.PushCommand;
import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Reservation;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.ServedSlots;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.redis.command.AcceptorCommands;
import io.keyslot.client.partition.redis.command.EntryPuts;
import io.keyslot.client.partition.redis.command.EntryReader;
import io.keyslot.client.partition.redis.command.GroupRequest;
import io.keyslot.client.partition.redis.command.LockCommands;
import io.keyslot.client.partition.redis.command.NativeReads;
import io.keyslot.client.partition.redis.command.NodesText;
import io.keyslot.client.partition.redis.command.RedisDirectory;
import io.keyslot.client.partition.redis.command.RedisFences;
import io.keyslot.client.partition.redis.command.RedisHeartbeats;
import io.keyslot.client.partition.redis.command.RedisTraffic;
import io.keyslot.client.partition.redis.command.RedisTransfer;
import io.keyslot.client.partition.redis.command.Reservations;
import io.keyslot.client.partition.redis.command.TrackedReads;
import io.keyslot.client.partition.redis.handshake.Epoch;
import io.keyslot.client.partition.redis.handshake.InstanceRecord;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.FenceKeys;
import io.keyslot.client.partition.redis.wire.GlobPattern;
import io.keyslot.client.partition.redis.wire.HeartbeatKey;
import io.keyslot.client.partition.redis.wire.PushRequests;
import io.keyslot.client.partition.redis.wire.RegisterKey;
import io.keyslot.client.partition.redis.wire.Replies;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.partition.redis.wire.ScriptCalls;
import io.keyslot.client.partition.redis.wire.ServerError;
import io.keyslot.client.partition.redis.wire.TrafficKey;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.ProbeKey;
import io.keyslot.client.stored.StoredForm;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers commands by Redis commands: one native command each, or a script where two steps must be atomic. */
final class RedisOperations {
    private static final ByteArrayCodec CODEC = ByteArrayCodec.INSTANCE;

    private final CommandWriter writer;
    private final Requests requests;
    private final Epoch epoch;
    private final PushRequests pushes;
    private final EntryReader reader;
    private final Route route;
    private final ScriptCalls scripts;
    private final NativeReads reads;
    private final TrackedReads trackedReads;
    private final EntryPuts puts;
    private final LockCommands locks;
    private final FenceKeys fenceKeys;
    private final RedisFences fences;
    private final RedisDirectory directory;

    RedisOperations(CommandWriter writer, Epoch epoch, PushRequests pushes, FenceKeys fenceKeys, Route route) {
        this.writer = writer;
        this.pushes = pushes;
        this.requests = new Requests(epoch.value(), epoch.isGuarded(), epoch.setsManyWithExpiry());
        this.epoch = epoch;
        this.reader = new EntryReader(writer, epoch.value());
        this.route = route;
        this.scripts = new ScriptCalls(writer, route);
        this.reads = new NativeReads(writer, reader, route);
        this.trackedReads = new TrackedReads(writer, pushes, reader, route);
        this.puts = new EntryPuts(writer, scripts, requests, reader, route);
        this.locks = new LockCommands(scripts, requests);
        this.fenceKeys = fenceKeys;
        this.fences = new RedisFences(writer, fenceKeys, route);
        this.directory = new RedisDirectory(writer, requests, route, this::read, reads::getAll);
    }

    boolean areFor(Route other) {
        return other.mapVersion() == route.mapVersion()
                && other.isFenced() == route.isFenced()
                && requests.epoch() == epoch.value();
    }

    /** Executes a command. Neither throws nor blocks. */
    @SuppressWarnings("unchecked") // The reply is that of the command.
    <R> CompletableFuture<Reply<R>> execute(Command<R> command) {
        return (CompletableFuture<Reply<R>>) answer(command);
    }

    /** Tests for the frequent commands first. */
    private CompletableFuture<? extends Reply<?>> answer(Command<?> command) {
        if (command instanceof Command.Get get) {
            return reads.get(get.key());
        }
        if (command instanceof Command.Put put) {
            return puts.put(put);
        }
        if (command instanceof Command.GetAll getAll) {
            return reads.getAll(getAll.keys());
        }
        if (command instanceof Command.PutAll putAll) {
            return puts.putAll(putAll.puts());
        }
        if (command instanceof Command.CompareAndSet set) {
            return compareAndSet(set);
        }
        if (command instanceof Command.GetTracked get) {
            return trackedReads.get(get.key());
        }
        if (command instanceof Command.GetAllTracked getAll) {
            return trackedReads.getAll(getAll.keys());
        }
        if (command instanceof GroupCommand group) {
            return group(group);
        }
        return command instanceof Command.OfKey<?> ofKey ? answerOfKey(ofKey) : answerOther(command);
    }

    private CompletableFuture<? extends Reply<?>> answerOfKey(Command.OfKey<?> command) {
        if (command instanceof Command.GetAndExpire expire) {
            return getAndExpire(expire);
        }
        if (command instanceof Command.CompareAndRemove remove) {
            return compareAndRemove(remove);
        }
        if (command instanceof Command.CompareAndExpire expire) {
            return compareAndExpire(expire);
        }
        if (command instanceof Command.Lease lease) {
            return lease(lease);
        }
        if (command instanceof Command.Claim claim) {
            return claim(claim);
        }
        if (command instanceof Command.Reserve reserve) {
            return reserve(reserve);
        }
        if (command instanceof Command.GiveBack giveBack) {
            return giveBack(giveBack);
        }
        if (command instanceof Command.GetAndRemove remove) {
            return getAndRemove(remove);
        }
        if (command instanceof Command.Describe describe) {
            return describe(describe);
        }
        throw new IllegalArgumentException(command.name() + " is not implemented");
    }

    private CompletableFuture<? extends Reply<?>> answerOther(Command<?> command) {
        if (command instanceof Command.RemoveAll remove) {
            return removeAll(remove);
        }
        if (command instanceof Command.Scan scan) {
            return scan(scan);
        }
        if (command instanceof Command.Sizes sizes) {
            return sizes(sizes);
        }
        if (command instanceof Command.Served) {
            return served();
        }
        if (command instanceof Command.NewEpoch) {
            return epoch.renew();
        }
        if (command instanceof PushCommand.Track track) {
            return pushes.track(track);
        }
        if (command instanceof PushCommand.Subscribe subscribe) {
            return pushes.subscribe(subscribe);
        }
        if (command instanceof PushCommand.Publish publish) {
            return pushes.publish(publish);
        }
        if (command instanceof GroupListing<?> listing) {
            return directory.execute(listing);
        }
        if (command instanceof LockCommand.Lock lock) {
            return locks.lock(lock);
        }
        if (command instanceof LockCommand.RenewLock renew) {
            return locks.renew(renew);
        }
        if (command instanceof LockCommand.Unlock unlock) {
            return locks.unlock(unlock);
        }
        if (command instanceof FenceCommand<?> fence) {
            return fences.execute(fence);
        }
        if (command instanceof SlotTransfer<?> transfer) {
            return new RedisTransfer(writer, requests, fenceKeys).execute(transfer);
        }
        if (command instanceof TrafficCommand<?> traffic) {
            return new RedisTraffic(writer, fenceKeys.namespace()).execute(traffic);
        }
        if (command instanceof ReplicaCommand<?> replica) {
            return new RedisHeartbeats(writer, reader, epoch, fenceKeys.namespace()).execute(replica);
        }
        if (command instanceof RegisterCommand register) {
            return new AcceptorCommands(writer, epoch.serverRun()).ask(register);
        }
        throw new IllegalArgumentException(command.name() + " was not split by partition");
    }

    private CompletableFuture<Reply<Lookup>> getAndExpire(Command.GetAndExpire command) {
        if (command.expiry().isUnchanged()) {
            return reads.get(command.key());
        }
        return evaluateLookup(
                ScriptCall.changing(Script.GET_AND_EXPIRE, command.key(), requests.getAndExpire(command)));
    }

    private CompletableFuture<Reply<Boolean>> compareAndSet(Command.CompareAndSet command) {
        return scripts.send(ScriptCall.storing(
                Script.COMPARE_AND_SET, command.key(), command.envelope(), requests.compareAndSet(command)));
    }

    private CompletableFuture<Reply<Boolean>> compareAndRemove(Command.CompareAndRemove command) {
        return scripts.send(
                ScriptCall.changing(Script.COMPARE_AND_REMOVE, command.key(), requests.compareAndRemove(command)));
    }

    private CompletableFuture<Reply<Boolean>> compareAndExpire(Command.CompareAndExpire command) {
        return scripts.send(
                ScriptCall.changing(Script.COMPARE_AND_EXPIRE, command.key(), requests.compareAndExpire(command)));
    }

    private CompletableFuture<Reply<Lookup>> lease(Command.Lease command) {
        return evaluateLookup(ScriptCall.of(Script.LEASE, command.key(), requests.lease(command)));
    }

    private CompletableFuture<Reply<Boolean>> claim(Command.Claim command) {
        return evaluate(Script.CLAIM, command.key(), requests.claim(command));
    }

    private CompletableFuture<Reply<Reservation>> reserve(Command.Reserve command) {
        return new Reservations(writer, reader, route).reserve(command.key(), requests.reserve(command));
    }

    private CompletableFuture<Reply<Boolean>> giveBack(Command.GiveBack command) {
        return evaluate(Script.RELEASE_LEASE, command.key(), requests.giveBack(command));
    }

    private CompletableFuture<Reply<Lookup>> getAndRemove(Command.GetAndRemove command) {
        return evaluateLookup(ScriptCall.changing(Script.TAKE, command.key(), List.of(requests.header(command.key()))));
    }

    private CompletableFuture<Reply<Long>> removeAll(Command.RemoveAll command) {
        Map<AlikeRemovals, List<EncodedKey>> alike = new LinkedHashMap<>();
        for (EncodedKey key : command.keys()) {
            alike.computeIfAbsent(AlikeRemovals.of(key), keys -> new ArrayList<>())
                    .add(key);
        }
        List<RoutedCommand<Long, Long>> removals = alike.values().stream()
                .flatMap(together -> writer.together(together).stream())
                .map(keys -> scripts.counting(ScriptCall.unlinking(keys, headers(keys))))
                .toList();
        return send(removals)
                .thenApply(Replies::ofWrite)
                .thenApply(reply -> Replies.map(
                        reply,
                        counts -> counts.stream().mapToLong(Long::longValue).sum()));
    }

    private record AlikeRemovals(StoredForm form, List<EncodedKey> effects) {
        static AlikeRemovals of(EncodedKey key) {
            return new AlikeRemovals(key.form(), key.effects().keys(key));
        }
    }

    private List<byte[]> headers(List<EncodedKey> keys) {
        return keys.stream().map(requests::header).toList();
    }

    private CompletableFuture<Reply<ScanPage>> scan(Command.Scan command) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(CODEC)
                .add(command.cursor())
                .add("MATCH")
                .add(GlobPattern.startingWith(command.prefix()).getBytes(StandardCharsets.UTF_8))
                .add("COUNT")
                .add(command.count());
        return writer.write(command(CommandType.SCAN, RespAnswers.keys(), arguments, RedisOperations::page));
    }

    private static ScanPage page(KeyScanCursor<byte[]> cursor) {
        List<EncodedKey> keys = cursor.getKeys().stream()
                .map(EncodedKey::new)
                .filter(key -> !key.equals(InstanceRecord.KEY))
                .filter(key -> !FenceKeys.isOne(key) && !RegisterKey.isOne(key) && !TrafficKey.isOne(key))
                .filter(key -> !HeartbeatKey.isOne(key))
                .filter(key -> !ProbeKey.isOne(key))
                .toList();
        return new ScanPage(keys, cursor.getCursor());
    }

    private CompletableFuture<Reply<Optional<ServedSlots>>> served() {
        return writer.write(command(
                CommandType.CLUSTER,
                RespAnswers.value(),
                new CommandArgs<>(CODEC).add("NODES"),
                text -> NodesText.read(RespAnswers.text(text))));
    }

    private CompletableFuture<Reply<Description>> describe(Command.Describe command) {
        EncodedKey key = command.key();
        RoutedCommand<byte[], Description> stored = command(
                CommandType.GET,
                RespAnswers.value(),
                key,
                bytes -> new Description(read(key, bytes), bytes == null ? 0 : bytes.length, -1, requests.epoch()));
        RoutedCommand<Long, Long> expiry = command(CommandType.PTTL, RespAnswers.integer(), key, Function.identity());
        writer.writeAll(List.of(stored, expiry));
        return stored.reply()
                .thenApply(reply -> ServerError.isWrongType(reply)
                        ? Reply.done(new Description(Lookup.without(Lookup.Outcome.MALFORMED), 0, -1, requests.epoch()))
                        : reply)
                .thenCombine(expiry.reply(), RedisOperations::withExpiry);
    }

    private static Reply<Description> withExpiry(Reply<Description> description, Reply<Long> expiry) {
        if (!(description instanceof Reply.Done<Description> done)) {
            return description;
        }
        Description known = done.value();
        return Replies.map(expiry, millis -> new Description(known.lookup(), known.sizeBytes(), millis, known.epoch()));
    }

    private CompletableFuture<Reply<List<Long>>> sizes(Command.Sizes command) {
        List<RoutedCommand<Long, Long>> lengths = command.keys().stream()
                .map(key -> command(CommandType.STRLEN, RespAnswers.integer(), key, Function.<Long>identity()))
                .toList();
        return send(lengths)
                .thenApply(replies -> Replies.ofRead(replies.stream()
                        .map(reply -> ServerError.isWrongType(reply) ? Reply.done(0L) : reply)
                        .toList()));
    }

    private <T, R> CompletableFuture<List<Reply<R>>> send(List<RoutedCommand<T, R>> commands) {
        writer.writeAll(commands);
        return Replies.all(commands.stream().map(RoutedCommand::reply).toList());
    }

    private CompletableFuture<Reply<Boolean>> evaluate(Script script, EncodedKey key, List<byte[]> arguments) {
        return scripts.send(ScriptCall.of(script, key, arguments));
    }

    private CompletableFuture<Reply<Lookup>> evaluateLookup(ScriptCall call) {
        EncodedKey key = call.keys().get(0);
        return writer.write(writer.script(call, RespAnswers.value(), route, answer -> reader.read(key, answer)));
    }

    private <T, R> RoutedCommand<T, R> command(
            CommandType type, CommandOutput<byte[], byte[], T> output, EncodedKey key, Function<T, R> decoder) {
        return writer.command(type, output, key, Requests.bare(key), route, decoder);
    }

    private <T, R> RoutedCommand<T, R> command(
            CommandType type,
            CommandOutput<byte[], byte[], T> output,
            CommandArgs<byte[], byte[]> arguments,
            Function<T, R> decoder) {
        return writer.command(type, output, arguments, route, decoder);
    }

    private Lookup read(EncodedKey key, byte @Nullable [] stored) {
        return reader.read(key, stored);
    }

    private CompletableFuture<Reply<GroupReply>> group(GroupCommand command) {
        GroupRequest request = new GroupRequest(command, requests, this::read);
        return writer.write(writer.script(request.call(), RespAnswers.nested(), route, request::read));
    }
}
