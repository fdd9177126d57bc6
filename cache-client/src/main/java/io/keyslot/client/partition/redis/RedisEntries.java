// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.Command.Reservation;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.ProbeKey;
import io.keyslot.client.stored.StoredForm;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads, lists, conditionally changes and removes entries: one native command each, or a script that must be atomic. */
record RedisEntries(RedisSession session, CommandWriter writer, Pushes pushes, boolean comparesValues) {
    /** A larger expected entry takes longer to send than a script takes to run. */
    private static final int MOST_BYTES_COMPARED = 1_024;

    CompletableFuture<Reply<Lookup>> get(EncodedKey key) {
        return writer.write(getting(key));
    }

    private RoutedCommand<byte[], Lookup> getting(EncodedKey key) {
        return session.onKey(CommandType.GET, Resp.value(), key, (byte[] bytes) -> session.read(key, bytes))
                .then(RedisEntries::afterGet);
    }

    /** Returns a miss if the read was refused because the key holds no string; null otherwise. */
    private static @Nullable CompletableFuture<Reply<Lookup>> afterGet(Reply<Lookup> reply) {
        return reply instanceof Reply.Refused && ServerError.isWrongType(reply)
                ? CompletableFuture.completedFuture(Reply.done(Lookup.without(Lookup.Outcome.MALFORMED)))
                : null;
    }

    CompletableFuture<Reply<List<Lookup>>> getAll(List<EncodedKey> keys) {
        List<List<EncodedKey>> parts = writer.together(keys);
        return parts.size() == 1
                ? writer.write(session.getAll(parts.get(0)))
                : inOrder(keys, parts, parts.stream().map(this::getPart).toList());
    }

    private CompletableFuture<Reply<List<Lookup>>> getPart(List<EncodedKey> keys) {
        return keys.size() > 1
                ? writer.write(session.getAll(keys))
                : get(keys.get(0)).thenApply(reply -> reply.map(List::of));
    }

    /** Merges the results of several commands. */
    static <T> CompletableFuture<Reply<List<T>>> inOrder(
            List<EncodedKey> keys, List<List<EncodedKey>> parts, List<CompletableFuture<Reply<List<T>>>> replies) {
        return RedisSession.all(replies)
                .thenApply(RedisSession::ofRead)
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
    CompletableFuture<Reply<TrackedLookup>> getTracked(EncodedKey key) {
        RoutedCommand<byte[], Lookup> get = getting(key);
        RoutedCommand<Long, Long> left = timeToLive(key);
        return pushes.sendTracked(get, left).thenCombine(left.reply(), (found, millis) -> {
            if (millis.isRefused(Refusal.FORBIDDEN)) {
                return millis.as(); // without the time to live nothing could be cached, so the client reads otherwise
            }
            return found.map(lookup -> millis instanceof Reply.Done<Long> done && !get.wasAsked()
                    ? TrackedLookup.lasting(lookup, done.value())
                    : TrackedLookup.passing(lookup));
        });
    }

    private RoutedCommand<Long, Long> timeToLive(EncodedKey key) {
        return session.onKey(CommandType.PTTL, Resp.integer(), key, Function.identity());
    }

    CompletableFuture<Reply<List<TrackedLookup>>> getAllTracked(List<EncodedKey> keys) {
        List<List<EncodedKey>> parts = writer.together(keys);
        return parts.size() == 1
                ? getTrackedTogether(parts.get(0))
                : inOrder(
                        keys,
                        parts,
                        parts.stream().map(this::getTrackedTogether).toList());
    }

    /** Removes the times to live if the node replied after {@code ASK}, because it does not report changes. */
    private CompletableFuture<Reply<List<TrackedLookup>>> getTrackedTogether(List<EncodedKey> keys) {
        RoutedCommand<List<Object>, List<TrackedLookup>> get = session.script(
                ScriptCall.of(Script.GET_ALL_LASTING, keys, keys.size()),
                Resp.nested(),
                answer -> readTracked(keys, answer));
        return pushes.sendTracked(get)
                .thenApply(reply -> get.wasAsked()
                        ? reply.map(found -> found.stream()
                                .map(lookup -> TrackedLookup.passing(lookup.lookup()))
                                .toList())
                        : reply);
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
            Lookup lookup = session.readAnswer(keys.get(i), values.get(i));
            found.add(TrackedLookup.lasting(lookup, Resp.number(left.get(i))));
        }
        return found;
    }

    CompletableFuture<Reply<Description>> describe(EncodedKey key) {
        RoutedCommand<byte[], byte[]> stored = session.onKey(CommandType.GET, Resp.value(), key, Function.identity());
        RoutedCommand<Long, Long> expiry = timeToLive(key);
        writer.writeAll(List.of(stored, expiry));
        return stored.reply().thenCombine(expiry.reply(), (found, millis) -> {
            if (ServerError.isWrongType(found)) {
                return millis.map(left -> describe(Lookup.without(Lookup.Outcome.MALFORMED), 0, left));
            }
            return found instanceof Reply.Done<byte[]> done
                    ? millis.map(left -> describe(key, done.value(), left))
                    : found.as();
        });
    }

    private Description describe(EncodedKey key, byte @Nullable [] stored, long millis) {
        return describe(session.read(key, stored), stored == null ? 0 : stored.length, millis);
    }

    private Description describe(Lookup lookup, long sizeBytes, long millis) {
        return new Description(lookup, sizeBytes, millis, session.epoch());
    }

    CompletableFuture<Reply<ScanPage>> scan(Command.Scan scan) {
        return writer.write(session.command(
                CommandType.SCAN,
                Resp.scanned(),
                RedisEntries::withoutTechnical,
                scan.cursor(),
                "MATCH",
                Resp.patternOf(scan.prefix(), scan.infix()),
                "COUNT",
                scan.count()));
    }

    private static ScanPage withoutTechnical(KeyScanCursor<byte[]> cursor) {
        List<EncodedKey> keys = cursor.getKeys().stream()
                .map(EncodedKey::new)
                .filter(key -> !key.equals(InstanceRecord.KEY))
                .filter(key -> !InternalKeys.isOne(key) && !ProbeKey.isOne(key))
                .toList();
        return new ScanPage(keys, cursor.getCursor());
    }

    CompletableFuture<Reply<Boolean>> compareAndSet(Command.CompareAndSet set) {
        Envelope expected = set.expected();
        if (expected != null && isCompared(set.key(), expected)) {
            return compareAndSet(set, expected);
        }
        return session.send(ScriptCall.storing(
                session,
                Script.COMPARE_AND_SET,
                set.key(),
                set.envelope(),
                Resp.binary(set.expectedStamp()),
                session.bytes(set.key(), set.envelope()),
                set.expiry()));
    }

    /** Returns whether the server compares the whole entry, which takes a sixth of the time of a script. */
    private boolean isCompared(EncodedKey key, Envelope expected) {
        return comparesValues
                && expected.sizeBytes() <= MOST_BYTES_COMPARED
                && key.form() == StoredForm.ENVELOPED
                && !key.hasEffects()
                && !session.route().isFenced();
    }

    private CompletableFuture<Reply<Boolean>> compareAndSet(Command.CompareAndSet set, Envelope expected) {
        EncodedKey key = set.key();
        List<byte[]> words =
                Resp.words(key.bytes(), session.bytes(key, set.envelope()), "IFEQ", session.bytes(key, expected));
        if (set.expiry().isUnchanged()) {
            words.add(Resp.word("KEEPTTL"));
        } else if (!set.expiry().isNever()) {
            words.addAll(Resp.words("PX", set.expiry()));
        }
        return writer.write(session.onKey(
                        CommandType.SET, Resp.ok(), key, words.toArray(byte[][]::new), Function.<Boolean>identity())
                .then(reply ->
                        ServerError.isWrongType(reply) ? CompletableFuture.completedFuture(Reply.done(false)) : null));
    }

    CompletableFuture<Reply<Boolean>> compareAndExpire(Command.CompareAndExpire expire) {
        return session.send(ScriptCall.changing(
                session,
                Script.COMPARE_AND_EXPIRE,
                List.of(expire.key()),
                Resp.binary(expire.expectedStamp()),
                session.header(expire.key()),
                expire.expiry()));
    }

    /** Executes a change of one key. The expiry of a {@link Command.GetAndExpire} is not {@code UNCHANGED}. */
    CompletableFuture<? extends Reply<?>> execute(Command.OfKey<?> command) {
        EncodedKey key = command.key();
        List<EncodedKey> keys = List.of(key);
        if (command instanceof Command.GetAndExpire expire) {
            return lookup(
                    key,
                    ScriptCall.changing(session, Script.GET_AND_EXPIRE, keys, session.header(key), expire.expiry()));
        }
        if (command instanceof Command.CompareAndRemove remove) {
            return session.send(ScriptCall.changing(
                    session,
                    Script.COMPARE_AND_REMOVE,
                    keys,
                    Resp.binary(remove.expectedStamp()),
                    session.header(key)));
        }
        if (command instanceof Command.CompareAndExpire expire) {
            return compareAndExpire(expire);
        }
        if (command instanceof Command.Lease lease) {
            byte[] stored = session.bytes(key, Envelope.lease(lease.stamp()));
            return lookup(key, ScriptCall.of(Script.LEASE, key, stored, lease.expiry()));
        }
        if (command instanceof Command.Claim claim) {
            return session.send(ScriptCall.of(
                    Script.CLAIM,
                    key,
                    Resp.binary(claim.expectedStamp()),
                    session.header(key),
                    Resp.binary(claim.newStamp(), claim.freshUntilMillis())));
        }
        if (command instanceof Command.Reserve reserve) {
            return reserve(reserve);
        }
        if (command instanceof Command.GiveBack giveBack) {
            return session.send(ScriptCall.of(
                    Script.RELEASE_LEASE,
                    key,
                    Resp.binary(giveBack.expectedStamp()),
                    session.header(key),
                    Resp.binary(giveBack.newStamp()),
                    giveBack.expiry()));
        }
        if (command instanceof Command.GetAndRemove) {
            return lookup(key, ScriptCall.changing(session, Script.TAKE, keys, session.header(key)));
        }
        throw new IllegalArgumentException(command.name() + " changes no entry");
    }

    private CompletableFuture<Reply<Lookup>> lookup(EncodedKey key, ScriptCall call) {
        return writer.write(session.script(call, Resp.value(), answer -> session.read(key, answer)));
    }

    private CompletableFuture<Reply<Reservation>> reserve(Command.Reserve reserve) {
        EncodedKey key = reserve.key();
        boolean isAny = reserve.expectedStamp() == Command.Reserve.ANY;
        return session.send(
                ScriptCall.of(
                        Script.RESERVE,
                        key,
                        session.bytes(key, Envelope.reservation(reserve.stamp())),
                        isAny ? "any" : Resp.binary(reserve.expectedStamp()),
                        reserve.lastsMillis()),
                answer -> reservation(key, answer));
    }

    private Reservation reservation(EncodedKey key, List<?> answer) {
        if (answer.size() > 2) {
            throw new IllegalStateException("a reservation has a time and an entry");
        }
        // The server omits the second element if nothing is stored.
        Object stored = answer.size() == 2 ? answer.get(1) : null;
        return new Reservation(session.readAnswer(key, stored), Resp.number(answer.get(0)));
    }

    CompletableFuture<Reply<Long>> erase(List<EncodedKey> keys) {
        return session.count(ScriptCall.of(Script.ERASE, keys));
    }

    /** Removes values with one command for keys of the same form, index and feed. */
    CompletableFuture<Reply<Long>> removeAll(List<EncodedKey> keys) {
        Map<List<@Nullable Object>, List<EncodedKey>> alike = new LinkedHashMap<>();
        for (EncodedKey key : keys) {
            String group = key.isIndexed() ? GroupHome.of(key).tag() : "";
            alike.computeIfAbsent(Arrays.asList(key.form(), group, key.feed()), first -> new ArrayList<>())
                    .add(key);
        }
        return session.sum(alike.values().stream()
                .flatMap(some -> writer.together(some).stream())
                .map(some -> session.script(
                        ScriptCall.changing(
                                session,
                                Script.UNLINK,
                                some,
                                some.stream().map(session::header).toList()),
                        Resp.integer(),
                        Function.<Long>identity()))
                .toList());
    }
}
