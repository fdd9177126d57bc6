// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.TrackedLookup;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Pushes;
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

/** Reads entries with tracking, then their times to live: a change in between is reported before that reply. */
public final class TrackedReads {
    private final CommandWriter writer;
    private final Pushes pushes;
    private final EntryReader reader;
    private final Route route;

    public TrackedReads(CommandWriter writer, Pushes pushes, EntryReader reader, Route route) {
        this.writer = writer;
        this.pushes = pushes;
        this.reader = reader;
        this.route = route;
    }

    public CompletableFuture<Reply<TrackedLookup>> get(EncodedKey key) {
        RoutedCommand<byte[], Lookup> get = writer.command(
                CommandType.GET,
                RespAnswers.value(),
                key,
                Requests.bare(key),
                route,
                (byte[] bytes) -> reader.read(key, bytes));
        get.then(EntryReader::afterRead);
        RoutedCommand<Long, Long> left = writer.command(
                CommandType.PTTL, RespAnswers.integer(), key, Requests.bare(key), route, Function.identity());
        return pushes.sendTracked(get, left)
                .thenCombine(left.reply(), (found, millis) -> together(found, millis, get.wasAsked()));
    }

    /** A user without the right to ask for times to live could cache nothing read this way, and so reads otherwise. */
    private static Reply<TrackedLookup> together(Reply<Lookup> found, Reply<Long> millis, boolean wasAsked) {
        return millis instanceof Reply.Refused<Long> refused && refused.refusal() == Refusal.FORBIDDEN
                ? refused.as()
                : Replies.map(found, lookup -> lasting(lookup, millis, wasAsked));
    }

    private static TrackedLookup lasting(Lookup lookup, Reply<Long> millis, boolean wasAsked) {
        return millis instanceof Reply.Done<Long> done && !wasAsked
                ? TrackedLookup.lasting(lookup, done.value())
                : TrackedLookup.passing(lookup);
    }

    public CompletableFuture<Reply<List<TrackedLookup>>> getAll(List<EncodedKey> keys) {
        List<List<EncodedKey>> parts = writer.together(keys);
        return parts.size() == 1
                ? getTogether(parts.get(0))
                : Replies.all(parts.stream().map(this::getTogether).toList())
                        .thenApply(Replies::ofRead)
                        .thenApply(reply -> Replies.map(reply, lists -> Parted.inOrder(keys, parts, lists)));
    }

    private CompletableFuture<Reply<List<TrackedLookup>>> getTogether(List<EncodedKey> keys) {
        RoutedCommand<List<Object>, List<TrackedLookup>> get = writer.script(
                ScriptCall.of(Script.GET_ALL_LASTING, keys, List.of(Requests.text(keys.size()))),
                RespAnswers.nested(),
                route,
                answer -> read(keys, answer));
        return pushes.sendTracked(get)
                .thenApply(reply -> get.wasAsked() ? Replies.map(reply, TrackedReads::passing) : reply);
    }

    /** Removes the times to live, because the node that replied after {@code ASK} does not report changes. */
    private static List<TrackedLookup> passing(List<TrackedLookup> found) {
        return found.stream()
                .map(lookup -> TrackedLookup.passing(lookup.lookup()))
                .toList();
    }

    private List<TrackedLookup> read(List<EncodedKey> keys, List<Object> answer) {
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
}
