// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
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

/** Reads entries by native commands. */
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
        return writer.write(get.then(EntryReader::afterRead));
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
        return writer.write(writer.command(
                CommandType.MGET,
                RespAnswers.valueList(),
                keys,
                Requests.bare(keys),
                route,
                (List<byte[]> values) -> new FoundEntries(reader::read, keys, values)));
    }
}
