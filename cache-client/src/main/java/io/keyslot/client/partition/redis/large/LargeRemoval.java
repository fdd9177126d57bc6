// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.large;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Replies;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Removes a value and answers it. Of one in parts, one script moves the parts to a key that nobody else knows, where they are read
 * afterwards. From the script on the entry is gone.
 */
public final class LargeRemoval {
    private final CommandWriter writer;
    private final Requests requests;
    private final PartReads taking;
    private final PartReads reading;

    public LargeRemoval(CommandWriter writer, EntryReader reader, Requests requests, Route route) {
        this.writer = writer;
        this.requests = requests;
        this.taking = new PartReads(writer, reader, route);
        // What was taken is here, whoever owns the slot meanwhile.
        this.reading = new PartReads(writer, reader, Route.ANY);
    }

    /** Removes whatever is there and ours, and answers it. */
    public CompletableFuture<Reply<Lookup>> take(EncodedKey key, EncodedKey target) {
        ScriptCall call = ScriptCall.changing(
                Script.TAKE, key, List.of(target), List.of(PartsKey.TIME_TO_LIVE, requests.header(key)));
        RoutedCommand<byte[], PartReads.Found> take = taking.script(call);
        return writer.write(take)
                .thenCompose(reply -> Replies.then(reply, found -> {
                    Manifest manifest = found.manifest();
                    return manifest == null
                            ? CompletableFuture.completedFuture(Reply.done(found.lookup()))
                            : writer.limited(take, taken(target, manifest), Reply.unknown("not read in time", null));
                }));
    }

    /** The parts are nobody else's. If they are not removed here, they expire. */
    private CompletableFuture<Reply<Lookup>> taken(EncodedKey target, Manifest manifest) {
        List<RoutedCommand<byte[], byte[]>> read = reading.parts(target, manifest);
        List<RoutedCommand<?, ?>> all = new ArrayList<>(read);
        all.add(writer.bare(
                CommandType.UNLINK, RespAnswers.integer(), Requests.bare(target), Route.ANY, Function.identity()));
        writer.writeAll(all);
        return PartReads.bytes(read)
                .thenApply(reply -> Replies.map(reply, manifest::with))
                .thenApply(reply -> reply instanceof Reply.Refused<Lookup> refused
                        ? Reply.unknown("removed, but not read: " + refused.detail(), null)
                        : reply);
    }
}
