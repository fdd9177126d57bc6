// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Commands about the members of one group, by chance: rows that are listed, entries that are not, and an aggregate of each
 * kind. The same seed gives the same commands. Not safe for use by several threads.
 */
final class GeneratedCommands {
    private static final AtomicLong STAMPS = new AtomicLong(1L << 50);

    private final Random random;
    private final GroupHome home;
    private final long longestMillis;
    private final List<EncodedKey> rows;
    private final List<EncodedKey> notes;
    private final Map<AggregateKind, EncodedKey> aggregates;
    private final Map<EncodedKey, Long> stamps = new HashMap<>();
    private final List<Supplier<Command<?>>> kinds = List.of(
            this::put,
            this::put,
            this::putAll,
            this::compareAndSet,
            this::compareAndSet,
            this::compareAndRemove,
            this::compareAndExpire,
            this::getAndExpire,
            this::getAndRemove,
            this::removeAll,
            this::lease,
            this::claim,
            this::reserve,
            this::giveBack,
            this::group,
            this::group,
            this::group,
            this::group,
            () -> new GroupListing.Forget(home(), names()));

    /** @param longestMillis how long something lives that expires */
    GeneratedCommands(long seed, String root, long longestMillis) {
        this.random = new Random(seed);
        this.home = new GroupHome(root);
        this.longestMillis = longestMillis;
        this.rows = IntStream.range(0, 3)
                .mapToObj(id -> EncodedKey.of("order:{" + root + "}:" + id).indexed())
                .toList();
        this.notes = List.of(EncodedKey.of("note:{" + root + "}"), EncodedKey.of(root));
        this.aggregates = Map.of(
                AggregateKind.HASH, EncodedKey.of("cart:{" + root + "}"),
                AggregateKind.LIST, EncodedKey.of("recent:{" + root + "}"),
                AggregateKind.SET, EncodedKey.of("tags:{" + root + "}"),
                AggregateKind.SORTED_SET, EncodedKey.of("board:{" + root + "}"),
                AggregateKind.COUNTER, EncodedKey.of("visits:{" + root + "}"));
    }

    GroupHome home() {
        return home;
    }

    List<EncodedKey> rows() {
        return rows;
    }

    List<EncodedKey> entries() {
        List<EncodedKey> entries = new ArrayList<>(rows);
        entries.addAll(notes);
        return entries;
    }

    Map<AggregateKind, EncodedKey> aggregates() {
        return aggregates;
    }

    EncodedKey aggregate(AggregateKind kind) {
        return Objects.requireNonNull(aggregates.get(kind));
    }

    /** Returns the next command. */
    Command<?> next() {
        return one(kinds).get();
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private EncodedKey key() {
        return one(entries());
    }

    private long stamp(EncodedKey key) {
        return random.nextInt(8) == 0 ? Command.ABSENT : stamps.getOrDefault(key, Command.ABSENT);
    }

    Expiry expiry() {
        return random.nextBoolean() ? Expiry.NEVER : Expiry.afterMillis(longestMillis >> random.nextInt(3));
    }

    private Expiry expiryOrUnchanged() {
        return random.nextInt(3) == 0 ? Expiry.UNCHANGED : expiry();
    }

    private Envelope envelope(EncodedKey key) {
        long stamp = STAMPS.incrementAndGet();
        stamps.put(key, stamp);
        byte[] value = new byte[20];
        return random.nextInt(4) == 0 ? Envelope.timed(stamp, Long.MAX_VALUE, value) : Envelope.of(stamp, value);
    }

    Command.Put put() {
        return put(key());
    }

    private Command.Put put(EncodedKey key) {
        return new Command.Put(key, envelope(key), expiry(), expiryOrUnchanged());
    }

    private Command<?> putAll() {
        return new Command.PutAll(entries().stream().map(this::put).toList());
    }

    private Command<?> compareAndSet() {
        EncodedKey key = key();
        return new Command.CompareAndSet(key, stamp(key), envelope(key), expiryOrUnchanged());
    }

    private Command<?> compareAndRemove() {
        EncodedKey key = key();
        return new Command.CompareAndRemove(key, stamp(key));
    }

    private Command<?> compareAndExpire() {
        EncodedKey key = key();
        return new Command.CompareAndExpire(key, stamp(key), expiry());
    }

    private Command<?> getAndExpire() {
        return new Command.GetAndExpire(key(), expiry());
    }

    private Command<?> getAndRemove() {
        return new Command.GetAndRemove(key());
    }

    private Command<?> removeAll() {
        return new Command.RemoveAll(random.nextBoolean() ? List.of(key()) : List.of(rows.get(0), rows.get(1)));
    }

    private Command<?> lease() {
        EncodedKey key = key();
        long stamp = STAMPS.incrementAndGet();
        stamps.put(key, stamp);
        return new Command.Lease(key, stamp, Expiry.afterMillis(longestMillis));
    }

    private Command<?> claim() {
        EncodedKey key = key();
        long before = stamp(key);
        long stamp = STAMPS.incrementAndGet();
        stamps.put(key, stamp);
        return new Command.Claim(key, before, stamp, 1);
    }

    private Command<?> reserve() {
        EncodedKey key = key();
        long before = random.nextBoolean() ? Command.Reserve.ANY : stamp(key);
        long stamp = STAMPS.incrementAndGet();
        stamps.put(key, stamp);
        return new Command.Reserve(key, before, stamp, longestMillis);
    }

    private Command<?> giveBack() {
        EncodedKey key = key();
        long before = stamp(key);
        long stamp = STAMPS.incrementAndGet();
        stamps.put(key, stamp);
        return new Command.GiveBack(key, before, stamp, expiry());
    }

    List<Element> names() {
        return rows.stream().map(home::nameOf).toList();
    }

    /** Returns what removes an entry, in one of the ways in which that is done. */
    Command<?> removalOf(EncodedKey entry) {
        return switch (random.nextInt(3)) {
            case 0 -> new Command.RemoveAll(List.of(entry));
            case 1 -> new Command.GetAndRemove(entry);
            default -> group(List.of(), List.of(new GroupStep.RemoveEntry(entry)));
        };
    }

    private Command<?> group() {
        List<GroupStep> steps = new ArrayList<>();
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            GroupStep step = step();
            if (!step.mayFail() || count == 1) {
                steps.add(step);
            }
        }
        return steps.isEmpty() ? group() : group(List.of(), steps);
    }

    GroupCommand group(List<GroupCommand.Expected> expected, List<GroupStep> steps) {
        return new GroupCommand(home, 0, expected, steps, STAMPS.incrementAndGet());
    }

    private GroupStep step() {
        AggregateKind kind = one(List.of(AggregateKind.values()));
        EncodedKey aggregate = aggregate(kind);
        EncodedKey entry = key();
        return switch (random.nextInt(10)) {
            case 0 -> new GroupStep.ReadEntry(entry);
            case 1, 2 -> new GroupStep.PutEntry(entry, envelope(entry), expiry(), expiryOrUnchanged());
            case 3 -> new GroupStep.RemoveEntry(entry);
            case 4 -> new GroupStep.ReadAggregate(aggregate, kind);
            case 5 -> new GroupStep.DeleteAggregate(aggregate, kind);
            case 6 -> new GroupStep.ExpireAggregate(aggregate, kind, expiry());
            default -> operation(one(List.of(AggregateOperation.values())), expiryOrUnchanged());
        };
    }

    GroupStep.Apply operation(AggregateOperation operation, Expiry expiry) {
        return new GroupStep.Apply(aggregate(operation.kind()), operation, GoodArguments.elementsOf(operation), expiry);
    }

    /** Arguments with which each operation of an aggregate can be done: numbers, which are also texts and scores. */
    private static final class GoodArguments {
        private GoodArguments() {}

        static List<Element> elementsOf(AggregateOperation operation) {
            return texts(operation).map(Element::of).toList();
        }

        private static Stream<String> texts(AggregateOperation operation) {
            return IntStream.rangeClosed(1, count(operation)).mapToObj(Integer::toString);
        }

        private static int count(AggregateOperation operation) {
            return switch (operation) {
                case HASH_GET_ALL,
                        HASH_FIELDS,
                        HASH_SIZE,
                        LIST_SIZE,
                        LIST_POLL_FIRST,
                        LIST_POLL_LAST,
                        SET_SIZE,
                        SET_GET_ALL,
                        SORTED_SIZE,
                        SORTED_POLL_FIRST,
                        SORTED_POLL_LAST,
                        COUNTER_GET -> 0;
                case HASH_GET,
                        HASH_CONTAINS,
                        HASH_REMOVE,
                        LIST_GET,
                        LIST_REMOVE,
                        SET_CONTAINS,
                        SORTED_SCORE,
                        SORTED_RANK,
                        COUNTER_SET,
                        COUNTER_ADD -> 1;
                case SORTED_BY_SCORE, SORTED_BY_SCORE_DESCENDING, SORTED_BY_ELEMENT -> 3;
                default -> 2;
            };
        }
    }
}
