// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.redis.handshake.InstanceRecord;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.InternalKeys;
import io.keyslot.client.partition.redis.wire.Pushes;
import io.keyslot.client.partition.redis.wire.Replies;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.partition.redis.wire.ServerError;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.ProbeKey;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads, describes and lists entries, by native commands where possible. */
record EntryReads(CommandWriter writer, Pushes pushes, EntryReader reader, Route route) {
    private static final ByteArrayCodec CODEC = ByteArrayCodec.INSTANCE;

    public CompletableFuture<Reply<Lookup>> get(EncodedKey key) {
        return writer.write(getting(key));
    }

    private RoutedCommand<byte[], Lookup> getting(EncodedKey key) {
        return command(CommandType.GET, RespAnswers.value(), key, (byte[] bytes) -> reader.read(key, bytes))
                .then(EntryReads::afterGet);
    }

    /** Returns a miss if the read was refused because the key holds no string; null otherwise. */
    private static @Nullable CompletableFuture<Reply<Lookup>> afterGet(Reply<Lookup> reply) {
        return ServerError.isWrongType(reply)
                ? CompletableFuture.completedFuture(Reply.done(Lookup.without(Lookup.Outcome.MALFORMED)))
                : null;
    }

    public CompletableFuture<Reply<List<Lookup>>> getAll(List<EncodedKey> keys) {
        List<List<EncodedKey>> parts = writer.together(keys);
        return parts.size() == 1
                ? getTogether(parts.get(0))
                : inOrder(keys, parts, parts.stream().map(this::getPart).toList());
    }

    private CompletableFuture<Reply<List<Lookup>>> getPart(List<EncodedKey> keys) {
        return keys.size() > 1 ? getTogether(keys) : get(keys.get(0)).thenApply(reply -> reply.map(List::of));
    }

    private CompletableFuture<Reply<List<Lookup>>> getTogether(List<EncodedKey> keys) {
        return writer.write(writer.command(
                CommandType.MGET,
                RespAnswers.valueList(),
                keys,
                Requests.bare(keys),
                route,
                (List<byte[]> values) -> reader.readAll(keys, values)));
    }

    /** Merges the results of several commands. */
    static <T> CompletableFuture<Reply<List<T>>> inOrder(
            List<EncodedKey> keys, List<List<EncodedKey>> parts, List<CompletableFuture<Reply<List<T>>>> replies) {
        return Replies.all(replies)
                .thenApply(Replies::ofRead)
                .thenApply(reply -> reply.map(lists -> {
                    Map<EncodedKey, T> byKey = new HashMap<>();
                    for (int part = 0; part < parts.size(); part++) {
                        for (int i = 0; i < parts.get(part).size(); i++) {
                            byKey.put(parts.get(part).get(i), lists.get(part).get(i));
                        }
                    }
                    return keys.stream().map(byKey::get).toList();
                }));
    }

    /** Reads an entry with tracking, then its time to live: a change in between is reported before that reply. */
    public CompletableFuture<Reply<TrackedLookup>> getTracked(EncodedKey key) {
        RoutedCommand<byte[], Lookup> get = getting(key);
        RoutedCommand<Long, Long> left = command(CommandType.PTTL, RespAnswers.integer(), key, Function.identity());
        return pushes.sendTracked(get, left)
                .thenCombine(left.reply(), (found, millis) -> together(found, millis, get.wasAsked()));
    }

    /** A user without the right to ask for times to live could cache nothing read this way, and so reads otherwise. */
    private static Reply<TrackedLookup> together(Reply<Lookup> found, Reply<Long> millis, boolean wasAsked) {
        return millis.isRefused(Refusal.FORBIDDEN)
                ? millis.as()
                : found.map(lookup -> lasting(lookup, millis, wasAsked));
    }

    private static TrackedLookup lasting(Lookup lookup, Reply<Long> millis, boolean wasAsked) {
        return millis instanceof Reply.Done<Long> done && !wasAsked
                ? TrackedLookup.lasting(lookup, done.value())
                : TrackedLookup.passing(lookup);
    }

    public CompletableFuture<Reply<List<TrackedLookup>>> getAllTracked(List<EncodedKey> keys) {
        List<List<EncodedKey>> parts = writer.together(keys);
        return parts.size() == 1
                ? getTrackedTogether(parts.get(0))
                : inOrder(
                        keys,
                        parts,
                        parts.stream().map(this::getTrackedTogether).toList());
    }

    private CompletableFuture<Reply<List<TrackedLookup>>> getTrackedTogether(List<EncodedKey> keys) {
        RoutedCommand<List<Object>, List<TrackedLookup>> get = writer.script(
                ScriptCall.of(Script.GET_ALL_LASTING, keys, List.of(Requests.text(keys.size()))),
                RespAnswers.nested(),
                route,
                answer -> readTracked(keys, answer));
        return pushes.sendTracked(get).thenApply(reply -> get.wasAsked() ? reply.map(EntryReads::passing) : reply);
    }

    /** Removes the times to live, because the node that replied after {@code ASK} does not report changes. */
    private static List<TrackedLookup> passing(List<TrackedLookup> found) {
        return found.stream()
                .map(lookup -> TrackedLookup.passing(lookup.lookup()))
                .toList();
    }

    private List<TrackedLookup> readTracked(List<EncodedKey> keys, List<Object> answer) {
        if (answer.size() != 2
                || !(answer.get(0) instanceof List<?> values)
                || !(answer.get(1) instanceof List<?> left)
                || values.size() != keys.size()
                || left.size() != keys.size()) {
            throw new IllegalStateException("an answer has not a value and a time for each key");
        }
        List<TrackedLookup> found = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            Object value = values.get(i);
            Lookup lookup = reader.read(keys.get(i), value == null ? null : RespAnswers.bytes(value));
            found.add(TrackedLookup.lasting(lookup, RespAnswers.number(left.get(i))));
        }
        return found;
    }

    public CompletableFuture<Reply<Description>> describe(EncodedKey key) {
        RoutedCommand<byte[], Description> stored = command(
                CommandType.GET,
                RespAnswers.value(),
                key,
                bytes ->
                        new Description(reader.read(key, bytes), bytes == null ? 0 : bytes.length, -1, reader.epoch()));
        RoutedCommand<Long, Long> expiry = command(CommandType.PTTL, RespAnswers.integer(), key, Function.identity());
        writer.writeAll(List.of(stored, expiry));
        return stored.reply()
                .thenApply(reply -> ServerError.isWrongType(reply)
                        ? Reply.done(new Description(Lookup.without(Lookup.Outcome.MALFORMED), 0, -1, reader.epoch()))
                        : reply)
                .thenCombine(expiry.reply(), EntryReads::withExpiry);
    }

    private static Reply<Description> withExpiry(Reply<Description> description, Reply<Long> expiry) {
        if (!(description instanceof Reply.Done<Description> done)) {
            return description;
        }
        Description known = done.value();
        return expiry.map(millis -> new Description(known.lookup(), known.sizeBytes(), millis, known.epoch()));
    }

    public CompletableFuture<Reply<ScanPage>> scan(Command.Scan command) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(CODEC)
                .add(command.cursor())
                .add("MATCH")
                .add(Requests.patternOfPrefix(command.prefix()))
                .add("COUNT")
                .add(command.count());
        return writer.write(
                writer.command(CommandType.SCAN, RespAnswers.keys(), arguments, route, EntryReads::withoutTechnical));
    }

    private static ScanPage withoutTechnical(KeyScanCursor<byte[]> cursor) {
        List<EncodedKey> keys = cursor.getKeys().stream()
                .map(EncodedKey::new)
                .filter(key -> !key.equals(InstanceRecord.KEY))
                .filter(key -> !InternalKeys.isOne(key) && !ProbeKey.isOne(key))
                .toList();
        return new ScanPage(keys, cursor.getCursor());
    }

    private <T, R> RoutedCommand<T, R> command(
            CommandType type, CommandOutput<byte[], byte[], T> output, EncodedKey key, Function<T, R> decoder) {
        return writer.command(type, output, key, Requests.bare(key), route, decoder);
    }
}
