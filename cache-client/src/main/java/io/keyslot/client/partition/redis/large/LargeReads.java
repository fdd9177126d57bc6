// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.large;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Replies;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.ServerError;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.Slices;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Reads values in parts, after a native command has met something else than a string. If a value is replaced while it is
 * read, the reading begins anew.
 *
 * <p>The reply comes within the timeout of the native command, however many others follow.
 */
public final class LargeReads {
    /** A value may be replaced this often while it is read; then the caller decides whether to go on. */
    static final int MAX_ATTEMPTS = 4;

    private final CommandWriter writer;
    private final EntryReader reader;
    private final PartReads parts;
    private final Route route;

    public LargeReads(CommandWriter writer, EntryReader reader, Route route) {
        this.writer = writer;
        this.reader = reader;
        this.parts = new PartReads(writer, reader, route);
        this.route = route;
    }

    /**
     * What is stored under a key.
     *
     * @param sizeBytes of the entry, were it in one piece; 0 if there is nothing
     */
    public record Stored(Lookup lookup, long sizeBytes) {}

    /**
     * How to read something of an entry.
     *
     * @param string if it is in one piece
     * @param parts if it is in parts; empty if these were replaced meanwhile
     * @param aggregate what is answered if there is no entry but an aggregate
     */
    private record Form<R>(
            Supplier<RoutedCommand<?, R>> string,
            Function<Manifest, CompletableFuture<Reply<Optional<R>>>> parts,
            R aggregate) {}

    /** Returns whether a native command has met something that it was not made for: a value in parts, most likely. */
    public static boolean isWrongType(Reply<?> reply) {
        return reply instanceof Reply.Refused<?> refused && refused.detail().equals(ServerError.WRONG_TYPE);
    }

    /** Reads whatever is there, after a native command. */
    public CompletableFuture<Reply<Stored>> read(EncodedKey key, RoutedCommand<?, ?> after) {
        return limited(after, read(key));
    }

    /** Reads what is under those of the keys where {@code MGET}, which is silent about what is no string, found nothing. */
    public CompletableFuture<Reply<List<Lookup>>> readMissing(
            List<EncodedKey> keys, List<Lookup> lookups, RoutedCommand<?, ?> after) {
        List<Integer> missing = IntStream.range(0, keys.size())
                .filter(i -> lookups.get(i).outcome() == Lookup.Outcome.ABSENT)
                .boxed()
                .toList();
        if (missing.isEmpty()) {
            return CompletableFuture.completedFuture(Reply.done(lookups));
        }
        CompletableFuture<Reply<List<Lookup>>> read =
                CompletableFuture.completedFuture(Reply.done(new ArrayList<>(lookups)));
        for (List<Integer> some : Slices.of(missing, Requests.MAX_KEYS)) {
            read = read.thenCompose(reply -> Replies.then(reply, found -> readSome(keys, some, found, after)));
        }
        return limited(after, read);
    }

    private CompletableFuture<Reply<List<Lookup>>> readSome(
            List<EncodedKey> keys, List<Integer> positions, List<Lookup> found, RoutedCommand<?, ?> after) {
        List<RoutedCommand<byte[], Optional<Manifest>>> manifests =
                positions.stream().map(i -> parts.manifest(keys.get(i))).toList();
        writer.writeAll(manifests);
        return Replies.all(manifests.stream().map(RoutedCommand::reply).toList())
                .thenCompose(replies -> {
                    CompletableFuture<Reply<List<Lookup>>> read = CompletableFuture.completedFuture(Reply.done(found));
                    for (int i = 0; i < positions.size(); i++) {
                        int position = positions.get(i);
                        read = readOne(read, replies.get(i), keys.get(position), position, after);
                    }
                    return read;
                });
    }

    /** One after the other: a server keeps the answers that were not fetched yet in its memory. */
    private CompletableFuture<Reply<List<Lookup>>> readOne(
            CompletableFuture<Reply<List<Lookup>>> before,
            Reply<Optional<Manifest>> manifest,
            EncodedKey key,
            int position,
            RoutedCommand<?, ?> after) {
        if (manifest instanceof Reply.Done<Optional<Manifest>> done
                && done.value().isEmpty()) {
            return before;
        }
        return manifest instanceof Reply.Done || isWrongType(manifest)
                ? before.thenCompose(reply -> Replies.then(reply, found -> readInto(found, position, key, after)))
                : before.thenApply(reply -> Replies.map(manifest, none -> List.of()));
    }

    private CompletableFuture<Reply<List<Lookup>>> readInto(
            List<Lookup> found, int position, EncodedKey key, RoutedCommand<?, ?> after) {
        return writer.isOver(after)
                ? CompletableFuture.completedFuture(late())
                : read(key)
                        .thenApply(stored -> Replies.map(stored, value -> {
                            found.set(position, value.lookup());
                            return found;
                        }));
    }

    /** Returns the sizes, after {@code STRLEN} has given these replies. */
    public CompletableFuture<List<Reply<Long>>> sizes(List<EncodedKey> keys, List<RoutedCommand<Long, Long>> lengths) {
        List<CompletableFuture<Reply<Long>>> sizes = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            EncodedKey key = keys.get(i);
            RoutedCommand<Long, Long> length = lengths.get(i);
            sizes.add(length.reply()
                    .thenCompose(reply -> isWrongType(reply)
                            ? limited(length, size(key))
                            : CompletableFuture.completedFuture(reply)));
        }
        return Replies.all(sizes);
    }

    /** Returns what a script has found. If it is replaced while it is read, the caller is to send the script again. */
    public CompletableFuture<Reply<Lookup>> rest(
            EncodedKey key, Reply<PartReads.Found> reply, RoutedCommand<?, ?> after) {
        return Replies.then(reply, found -> {
            Manifest manifest = found.manifest();
            return manifest == null
                    ? CompletableFuture.completedFuture(Reply.done(found.lookup()))
                    : limited(after, parts.whole(key, manifest))
                            .thenApply(whole -> whole instanceof Reply.Done<Optional<Lookup>> done
                                            && done.value().isEmpty()
                                    ? torn()
                                    : Replies.map(whole, Optional::orElseThrow));
        });
    }

    private CompletableFuture<Reply<Stored>> read(EncodedKey key) {
        Supplier<RoutedCommand<?, Stored>> string = () -> parts.command(
                CommandType.GET,
                key,
                Requests.bare(key),
                bytes -> new Stored(reader.read(key, bytes), bytes == null ? 0 : bytes.length));
        return attempt(
                key,
                new Form<>(
                        string,
                        manifest -> parts.whole(key, manifest)
                                .thenApply(reply -> Replies.map(
                                        reply, whole -> whole.map(lookup -> new Stored(lookup, manifest.sizeBytes())))),
                        new Stored(Lookup.without(Lookup.Outcome.MALFORMED), 0)),
                MAX_ATTEMPTS);
    }

    private CompletableFuture<Reply<Long>> size(EncodedKey key) {
        Supplier<RoutedCommand<?, Long>> string = () -> writer.command(
                CommandType.STRLEN, RespAnswers.integer(), key, Requests.bare(key), route, Function.identity());
        return attempt(
                key,
                new Form<>(
                        string,
                        manifest -> CompletableFuture.completedFuture(Reply.done(Optional.of(manifest.sizeBytes()))),
                        0L),
                MAX_ATTEMPTS);
    }

    private <R> CompletableFuture<Reply<R>> attempt(EncodedKey key, Form<R> form, int left) {
        return writer.write(parts.manifest(key))
                .thenApply(PartReads::orNone)
                .thenCompose(reply -> Replies.then(
                        reply,
                        manifest -> manifest.map(present -> attemptParts(key, form, present, left))
                                .orElseGet(() -> attemptString(key, form, left))));
    }

    private <R> CompletableFuture<Reply<R>> attemptParts(EncodedKey key, Form<R> form, Manifest manifest, int left) {
        return form.parts()
                .apply(manifest)
                .thenCompose(reply -> Replies.then(
                        reply,
                        whole -> whole.map(value -> CompletableFuture.completedFuture(Reply.done(value)))
                                .orElseGet(() -> again(key, form, left, torn()))));
    }

    private <R> CompletableFuture<Reply<R>> attemptString(EncodedKey key, Form<R> form, int left) {
        return writer.write(form.string().get())
                .thenCompose(reply -> isWrongType(reply)
                        ? again(key, form, left, Reply.done(form.aggregate()))
                        : CompletableFuture.completedFuture(reply));
    }

    private <R> CompletableFuture<Reply<R>> again(EncodedKey key, Form<R> form, int left, Reply<R> last) {
        return left > 1 ? attempt(key, form, left - 1) : CompletableFuture.completedFuture(last);
    }

    private static <R> Reply<R> late() {
        return Reply.refused(Refusal.NOT_NOW, "the parts of the value did not come in time");
    }

    private static <R> Reply<R> torn() {
        return Reply.refused(Refusal.NOT_NOW, "the value was replaced each time while its parts were read");
    }

    private <R> CompletableFuture<Reply<R>> limited(RoutedCommand<?, ?> after, CompletableFuture<Reply<R>> reply) {
        return writer.limited(after, reply, late());
    }
}
