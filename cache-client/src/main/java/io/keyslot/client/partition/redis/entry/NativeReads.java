// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.entry;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.large.EntryReader;
import io.keyslot.client.partition.redis.large.LargeReads;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Replies;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads entries by native commands. Where there is a value in parts, which these cannot read, a script follows. */
public final class NativeReads {
    private final CommandWriter writer;
    private final EntryReader reader;
    private final Route route;

    public NativeReads(CommandWriter writer, EntryReader reader, Route route) {
        this.writer = writer;
        this.reader = reader;
        this.route = route;
    }

    public CompletableFuture<Reply<Lookup>> get(EncodedKey key) {
        RoutedCommand<byte[], Lookup> get = writer.command(
                CommandType.GET,
                RespAnswers.value(),
                key,
                Requests.bare(key),
                route,
                (byte[] bytes) -> reader.read(key, bytes));
        return writer.write(get.then(reply -> LargeReads.isWrongType(reply) ? getLarge(key, get) : null));
    }

    private CompletableFuture<Reply<Lookup>> getLarge(EncodedKey key, RoutedCommand<?, ?> after) {
        return largeReads().read(key, after).thenApply(stored -> Replies.map(stored, LargeReads.Stored::lookup));
    }

    public CompletableFuture<Reply<List<Lookup>>> getAll(List<EncodedKey> keys) {
        List<List<EncodedKey>> parts = writer.together(keys);
        return parts.size() == 1
                ? getTogether(parts.get(0))
                : Replies.all(parts.stream().map(this::getPart).toList())
                        .thenApply(Replies::ofRead)
                        .thenApply(reply -> Replies.map(reply, lists -> Parted.inOrder(keys, parts, lists)));
    }

    private CompletableFuture<Reply<List<Lookup>>> getPart(List<EncodedKey> keys) {
        return keys.size() > 1 ? getTogether(keys) : get(keys.get(0)).thenApply(reply -> Replies.map(reply, List::of));
    }

    private CompletableFuture<Reply<List<Lookup>>> getTogether(List<EncodedKey> keys) {
        RoutedCommand<List<byte[]>, List<Lookup>> get = writer.command(
                CommandType.MGET,
                RespAnswers.valueList(),
                keys,
                Requests.bare(keys),
                route,
                (List<byte[]> values) -> new FoundEntries(reader::read, keys, values));
        return writer.write(get.then(reply -> getMissing(keys, reply, get)));
    }

    /** Looks for entries in parts, of which {@code MGET} says nothing. */
    private @Nullable CompletableFuture<Reply<List<Lookup>>> getMissing(
            List<EncodedKey> keys, Reply<List<Lookup>> reply, RoutedCommand<?, ?> after) {
        return reply instanceof Reply.Done<List<Lookup>> done
                        && done.value() instanceof FoundEntries found
                        && !found.areAll()
                ? largeReads().readMissing(keys, done.value(), after)
                : null;
    }

    private LargeReads largeReads() {
        return new LargeReads(writer, reader, route);
    }
}
