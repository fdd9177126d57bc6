// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Feed;
import io.keyslot.client.stored.Lookup;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Prepares and sends the commands of one route, and encodes and decodes the entries of one epoch.
 *
 * @param isGuarded whether the instance may hold foreign keys, which must not be overwritten
 */
record RedisSession(CommandWriter writer, Route route, int epoch, boolean isGuarded) {
    RedisSession by(Route other) {
        return new RedisSession(writer, other, epoch, isGuarded);
    }

    /** Prepares a command that is not checked against fences. */
    <T, R> RoutedCommand<T, R> command(
            CommandType type, CommandOutput<byte[], byte[], T> output, Function<T, R> decoder, Object... words) {
        return writer.bare(type, output, Resp.arguments(words), route, decoder);
    }

    /** Prepares a command whose only argument is a key. */
    <T, R> RoutedCommand<T, R> onKey(
            CommandType type, CommandOutput<byte[], byte[], T> output, EncodedKey key, Function<T, R> decoder) {
        return onKey(type, output, key, new byte[][] {key.bytes()}, decoder);
    }

    <T, R> RoutedCommand<T, R> onKey(
            CommandType type,
            CommandOutput<byte[], byte[], T> output,
            EncodedKey key,
            byte[][] arguments,
            Function<T, R> decoder) {
        return route.isFenced()
                ? writer.command(type, output, List.of(key), arguments, route, decoder)
                : writer.bare(type, output, arguments, route, decoder);
    }

    RoutedCommand<List<byte[]>, List<Lookup>> getAll(List<EncodedKey> keys) {
        return writer.command(
                CommandType.MGET, Resp.valueList(), keys, Resp.keys(keys), route, values -> readAll(keys, values));
    }

    <T, R> RoutedCommand<T, R> script(
            ScriptCall call, CommandOutput<byte[], byte[], T> output, Function<T, R> decoder) {
        return writer.script(call, output, route, decoder);
    }

    /** Sends a script that answers with several values. */
    <R> CompletableFuture<Reply<R>> send(ScriptCall call, Function<List<Object>, R> decoder) {
        return writer.write(script(call, Resp.nested(), decoder));
    }

    /** Sends a script that answers 0 or 1. */
    CompletableFuture<Reply<Boolean>> send(ScriptCall call) {
        return writer.write(script(call, Resp.integer(), Resp::isOne));
    }

    CompletableFuture<Reply<Long>> count(ScriptCall call) {
        return writer.write(script(call, Resp.integer(), Function.identity()));
    }

    /** Sends changing commands, and answers the sum of their counts. */
    CompletableFuture<Reply<Long>> sum(List<RoutedCommand<Long, Long>> counts) {
        writer.writeAll(counts);
        return replies(counts)
                .thenApply(RedisSession::ofWrite)
                .thenApply(reply -> reply.map(
                        numbers -> numbers.stream().mapToLong(Long::longValue).sum()));
    }

    static <R> CompletableFuture<List<Reply<R>>> replies(List<? extends RoutedCommand<?, R>> commands) {
        return all(commands.stream().map(RoutedCommand::reply).toList());
    }

    static <R> CompletableFuture<List<Reply<R>>> all(List<CompletableFuture<Reply<R>>> replies) {
        return CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> replies.stream()
                        .map(reply -> reply.getNow(Reply.unknown("a part is not there", null)))
                        .toList());
    }

    /** Combines the replies of a reading command: all results, or the first failure. */
    static <R> Reply<List<R>> ofRead(List<Reply<R>> replies) {
        List<R> answers = new ArrayList<>(replies.size());
        for (Reply<R> reply : replies) {
            if (!(reply instanceof Reply.Done<R> done)) {
                return reply.as();
            }
            answers.add(done.value());
        }
        return Reply.done(answers);
    }

    /** Combines the replies of a changing command, which is refused only if all its parts are. */
    private static <R> Reply<List<R>> ofWrite(List<Reply<R>> replies) {
        Reply<List<R>> reply = ofRead(replies);
        boolean none = replies.stream().allMatch(part -> part instanceof Reply.Refused<R>);
        return reply instanceof Reply.Refused<List<R>> refused && !none
                ? Reply.unknown("a part was not executed: " + refused.detail(), null)
                : reply;
    }

    byte[] bytes(EncodedKey key, Envelope envelope) {
        return key.form().bytes(key, epoch, envelope);
    }

    /** Returns a header that equals those of the key's entries except for flags and stamp. */
    byte[] header(EncodedKey key) {
        return Envelope.lease(1).toBytes(key, epoch);
    }

    /** Returns the header of an entry with this stamp, which may be {@link io.keyslot.client.partition.Command#ABSENT}. */
    byte[] header(EncodedKey key, long stamp) {
        byte[] header = Envelope.of(1, new byte[0]).toBytes(key, epoch);
        ByteBuffer.wrap(header).putLong(header.length - Long.BYTES, stamp);
        return header;
    }

    /** Returns the words by which a script appends to a feed. */
    List<byte[]> feedWords(Feed feed) {
        return Resp.words(
                InternalKeys.feed(feed.name(), epoch), feed.atMost(), feed.keepMillis(), feed.hasValues() ? 1 : 0);
    }

    byte[] epochBytes() {
        return ByteBuffer.allocate(Integer.BYTES).putInt(epoch).array();
    }

    /** Returns the stored form of the lock of a group: the epoch and the token of its holder. */
    byte[] lockBytes(long token) {
        return ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(epoch)
                .putLong(token)
                .array();
    }

    /** Decodes a stored value, and has the connection checked if it belongs to another key. */
    Lookup read(EncodedKey key, byte @Nullable [] stored) {
        Lookup lookup = stored == null ? Lookup.absent() : key.form().read(key, epoch, stored, false);
        examine(lookup.outcome());
        return lookup;
    }

    Lookup readAnswer(EncodedKey key, @Nullable Object answer) {
        return read(key, answer == null ? null : Resp.bytes(answer));
    }

    /** Returns the results of {@code MGET}, in the order of the keys, which are decoded when they are read. */
    private List<Lookup> readAll(List<EncodedKey> keys, List<byte[]> values) {
        if (values.size() != keys.size()) {
            throw new IllegalStateException("%d values for %d keys".formatted(values.size(), keys.size()));
        }
        return new AbstractList<>() {
            @Override
            public Lookup get(int index) {
                return read(keys.get(index), values.get(index));
            }

            @Override
            public int size() {
                return values.size();
            }
        };
    }

    private void examine(Lookup.Outcome outcome) {
        if (outcome == Lookup.Outcome.OTHER_KEY) {
            writer.proveInStep();
        }
    }
}
