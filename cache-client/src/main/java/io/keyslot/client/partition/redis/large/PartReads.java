// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.large;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Replies;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.StoredForm;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The commands that read a value in parts, each answered with no more than one part.
 *
 * <p>The manifest is read before the parts and again behind them. Every write has a stamp of its own: if both have the same
 * one, the parts belong together. If not, another value was stored meanwhile.
 */
public final class PartReads {
    private final CommandWriter writer;
    private final EntryReader reader;
    private final Route route;

    public PartReads(CommandWriter writer, EntryReader reader, Route route) {
        this.writer = writer;
        this.reader = reader;
        this.route = route;
    }

    /**
     * What a script says about a key.
     *
     * @param manifest not null if the value is in parts, which are to be read then
     */
    public record Found(Lookup lookup, @Nullable Manifest manifest) {}

    /** Decodes what a script says about a key. */
    public Found found(EncodedKey key, byte @Nullable [] answer) {
        if (key.form() == StoredForm.RAW) {
            return new Found(reader.read(key, answer), null); // a mark would be a byte of the value
        }
        return Manifest.readMarked(answer, bytes -> reader.read(key, bytes))
                .map(manifest -> new Found(manifest.head(), manifest))
                .orElseGet(() -> new Found(reader.read(key, answer), null));
    }

    /** Reads the parts, unless they are no entry; empty if another value has taken their place. */
    CompletableFuture<Reply<Optional<Lookup>>> whole(EncodedKey key, Manifest before) {
        if (!before.head().isFound()) {
            return CompletableFuture.completedFuture(Reply.done(Optional.of(before.head())));
        }
        List<RoutedCommand<byte[], byte[]>> parts = parts(key, before);
        RoutedCommand<byte[], Optional<Manifest>> behind = manifest(key);
        List<RoutedCommand<?, ?>> all = new ArrayList<>(parts);
        all.add(behind);
        writer.writeAll(all);
        return bytes(parts)
                .thenCombine(behind.reply().thenApply(PartReads::orNone), (read, after) -> joined(before, read, after));
    }

    private static Reply<Optional<Lookup>> joined(
            Manifest before, Reply<List<byte[]>> parts, Reply<Optional<Manifest>> after) {
        if (!(after instanceof Reply.Done<Optional<Manifest>> done)) {
            return Replies.map(after, none -> Optional.empty());
        }
        boolean same = done.value().filter(before::isOfSameWriteAs).isPresent();
        return LargeReads.isWrongType(parts) || !same
                ? Reply.done(Optional.empty())
                : Replies.map(parts, read -> Optional.of(before.with(read)));
    }

    /** What is no entry is not worth reading. */
    List<RoutedCommand<byte[], byte[]>> parts(EncodedKey key, Manifest manifest) {
        return IntStream.range(0, manifest.head().isFound() ? manifest.parts() : 0)
                .mapToObj(number -> command(
                        CommandType.HGET,
                        key,
                        Requests.key(key, Parts.field(number)),
                        bytes -> bytes == null ? new byte[0] : bytes))
                .toList();
    }

    static CompletableFuture<Reply<List<byte[]>>> bytes(List<RoutedCommand<byte[], byte[]>> parts) {
        return Replies.all(parts.stream().map(RoutedCommand::reply).toList()).thenApply(Replies::ofRead);
    }

    /** Asks for the manifest; {@link #orNone} is to have a look at the reply. */
    RoutedCommand<byte[], Optional<Manifest>> manifest(EncodedKey key) {
        return command(
                CommandType.HGET,
                key,
                Requests.key(key, Parts.MANIFEST_FIELD),
                stored -> Manifest.read(stored, bytes -> reader.read(key, bytes)));
    }

    /** Takes what is no hash for nothing. */
    static Reply<Optional<Manifest>> orNone(Reply<Optional<Manifest>> reply) {
        return LargeReads.isWrongType(reply) ? Reply.done(Optional.empty()) : reply;
    }

    /** Prepares a script that answers with what is stored under its first key. */
    public RoutedCommand<byte[], Found> script(ScriptCall call) {
        return writer.script(
                call, RespAnswers.value(), route, answer -> found(call.keys().get(0), answer));
    }

    /** Prepares a command that answers with bytes. */
    <R> RoutedCommand<byte[], R> command(
            CommandType type, EncodedKey key, byte[][] arguments, Function<byte[], R> decoder) {
        return writer.command(type, RespAnswers.value(), key, arguments, route, decoder);
    }
}
