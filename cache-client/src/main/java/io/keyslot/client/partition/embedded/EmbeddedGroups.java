// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupListing.AggregateDescription;
import io.keyslot.client.partition.GroupListing.GroupWeight;
import io.keyslot.client.partition.GroupListing.Row;
import io.keyslot.client.partition.GroupListing.Span;
import io.keyslot.client.partition.Handlers;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.embedded.StoredEntries.Change;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateModel;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Lookup;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The indexes, the lists of aggregates, and the locks of groups. Except for {@link #execute}, the methods are called with
 * the lock of the group's slot held. Locks are stored in the form of a server.
 */
record EmbeddedGroups(StoredEntries entries, int epoch) {
    private static final Handlers<EmbeddedGroups, GroupListing<?>, Object> LISTINGS = new Handlers<
                    EmbeddedGroups, GroupListing<?>, Object>()
            .on(GroupListing.Rows.class, (self, rows) -> self.rows(rows.home(), rows.span()))
            .on(GroupListing.Names.class, (self, names) -> self.names(names.home(), names.span()))
            .on(GroupListing.Forget.class, (self, forget) -> self.forget(forget.home(), forget.names()))
            .on(GroupListing.Aggregates.class, (self, aggregates) -> self.aggregates(aggregates.home()))
            .on(GroupListing.Weigh.class, (self, weigh) -> self.weigh(weigh.home()));

    /** The retention of the last token of a lock, which matters only if the clock goes back. */
    private static final Expiry REMEMBERED =
            Expiry.afterMillis(Duration.ofDays(1).toMillis());

    private static final Element WITHOUT_LIMIT = Element.of(-1);
    private static final Element NO_SCORE = Element.of(0);
    private static final long ANY_STAMP = 1;

    Reply<?> execute(GroupListing<?> command) {
        return Reply.done(entries.together(command.home().slot(), () -> LISTINGS.answer(this, command)));
    }

    private List<Row> rows(GroupHome home, Span span) {
        return names(home, span).stream()
                .map(name -> new Row(name, home.keyOf(name), find(home.keyOf(name))))
                .toList();
    }

    @SuppressWarnings("unchecked") // the operation's result type
    private List<Element> names(GroupHome home, Span span) {
        Object found = indexOf(home)
                .execute(
                        AggregateOperation.SORTED_BY_ELEMENT,
                        List.of(
                                span.from(),
                                span.to(),
                                span.isDescending() ? WITHOUT_LIMIT : Element.of(span.limit())));
        List<Element> names = new ArrayList<>((List<Element>) Objects.requireNonNull(found));
        if (span.isDescending()) {
            Collections.reverse(names);
        }
        return List.copyOf(names.subList(0, Math.min(names.size(), span.limit())));
    }

    private long forget(GroupHome home, List<Element> names) {
        List<Element> gone =
                names.stream().filter(name -> !find(home.keyOf(name)).isFound()).toList();
        unlist(home.index(), AggregateKind.SORTED_SET, gone);
        return gone.size();
    }

    private List<AggregateDescription> aggregates(GroupHome home) {
        List<AggregateDescription> descriptions = new ArrayList<>();
        List<Element> gone = new ArrayList<>();
        for (Element name : find(aggregatesKey(home), AggregateKind.SET).elements()) {
            EncodedKey key = home.keyOf(name);
            EmbeddedEntry stored = entries.find(key);
            EmbeddedEntry.Aggregate aggregate = stored == null ? null : stored.aggregate();
            if (stored == null || aggregate == null || aggregate.epoch() != epoch) {
                gone.add(name);
            } else {
                descriptions.add(new AggregateDescription(
                        key, aggregate.model().kind(), stored.sizeBytes(), stored.millisLeft(entries.nowNanos())));
            }
        }
        unlist(aggregatesKey(home), AggregateKind.SET, gone);
        return descriptions;
    }

    private GroupWeight weigh(GroupHome home) {
        List<Element> names = listed(home);
        List<Element> aggregates = find(aggregatesKey(home), AggregateKind.SET).elements();
        long bytes = bytesOf(home, names) + bytesOf(home, aggregates) + sizeOf(EncodedKey.of(home.tag()));
        return new GroupWeight(names.size(), aggregates.size(), bytes);
    }

    private long bytesOf(GroupHome home, List<Element> names) {
        long bytes = names.stream()
                .limit(GroupListing.Weigh.SAMPLE)
                .mapToLong(name -> sizeOf(home.keyOf(name)))
                .sum();
        return names.size() <= GroupListing.Weigh.SAMPLE ? bytes : bytes * names.size() / GroupListing.Weigh.SAMPLE;
    }

    private long sizeOf(EncodedKey key) {
        EmbeddedEntry stored = entries.find(key);
        return stored == null ? 0 : stored.sizeBytes();
    }

    private Lookup find(EncodedKey key) {
        EmbeddedEntry stored = entries.find(key);
        return stored == null ? Lookup.absent() : stored.read(key, epoch);
    }

    /** Returns all names in the index. The elements of a sorted set alternate with scores. */
    private List<Element> listed(GroupHome home) {
        List<Element> elementsAndScores = indexOf(home).elements();
        List<Element> elements = new ArrayList<>(elementsAndScores.size() / 2);
        for (int i = 0; i < elementsAndScores.size(); i += 2) {
            elements.add(elementsAndScores.get(i));
        }
        return elements;
    }

    private AggregateModel indexOf(GroupHome home) {
        return find(home.index(), AggregateKind.SORTED_SET);
    }

    /** Returns the key of the names of aggregates, which a server has with their stamps. */
    private static EncodedKey aggregatesKey(GroupHome home) {
        return EncodedKey.of(home.stamps().text() + ":aggregates");
    }

    /** Lists a stored entry in the index of its group. */
    void listEntry(EncodedKey key, EmbeddedEntry entry) {
        GroupHome home = GroupHome.of(key);
        list(home.index(), AggregateKind.SORTED_SET, List.of(NO_SCORE, home.nameOf(key)), entry);
    }

    void listAggregate(EncodedKey key, EmbeddedEntry stored) {
        GroupHome home = GroupHome.of(key);
        list(aggregatesKey(home), AggregateKind.SET, List.of(home.nameOf(key)), stored);
    }

    private void list(EncodedKey index, AggregateKind kind, List<Element> arguments, EmbeddedEntry member) {
        entries.change(index, present -> {
            AggregateModel model = modelOf(present, kind);
            boolean isNew = model.isEmpty();
            model.execute(
                    kind == AggregateKind.SET ? AggregateOperation.SET_ADD : AggregateOperation.SORTED_ADD, arguments);
            EmbeddedEntry.Aggregate next = new EmbeddedEntry.Aggregate(epoch, ANY_STAMP, model);
            EmbeddedEntry kept = isNew || present == null ? EmbeddedEntry.lasting(next) : present.with(next);
            return new Change<>(true, kept.expiring(longest(isNew ? null : present, member), entries.nowNanos()));
        });
    }

    private Expiry longest(@Nullable EmbeddedEntry index, EmbeddedEntry member) {
        long now = entries.nowNanos();
        long ofMember = member.millisLeft(now);
        if (ofMember < 0 || (index != null && index.millisLeft(now) < 0)) {
            return Expiry.NEVER;
        }
        long nanos = Math.max(index == null ? 0 : index.nanosLeft(now), member.nanosLeft(now));
        return Expiry.afterMillis(TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }

    private void unlist(EncodedKey index, AggregateKind kind, List<Element> names) {
        entries.change(index, present -> {
            AggregateModel model = modelOf(present, kind);
            model.execute(
                    kind == AggregateKind.SET ? AggregateOperation.SET_REMOVE : AggregateOperation.SORTED_REMOVE,
                    names);
            if (present == null || model.isEmpty()) {
                return new Change<>(true, null);
            }
            return new Change<>(true, present.with(new EmbeddedEntry.Aggregate(epoch, ANY_STAMP, model)));
        });
    }

    /** Returns the names in an index, which must not be modified. */
    private AggregateModel find(EncodedKey index, AggregateKind kind) {
        return modelOf(entries.find(index), kind);
    }

    private AggregateModel modelOf(@Nullable EmbeddedEntry present, AggregateKind kind) {
        EmbeddedEntry.Aggregate index = present == null ? null : present.aggregate();
        return index == null || index.epoch() != epoch ? AggregateModel.empty(kind) : index.model();
    }

    Reply<?> execute(LockCommand<?> command) {
        return Reply.done(entries.together(command.home().slot(), () -> answer(command.home(), command)));
    }

    private Object answer(GroupHome home, LockCommand<?> command) {
        if (command instanceof LockCommand.Lock lock) {
            return lock(home, lock);
        }
        long present = token(home);
        if (command instanceof LockCommand.RenewLock renew) {
            boolean isHeld = present == renew.token();
            if (isHeld) {
                expire(home.lock(), renew.lease());
            }
            return isHeld;
        }
        boolean isHeld = present != 0 && isOf(home, present, ((LockCommand.Unlock) command).holder());
        if (isHeld) {
            entries.change(home.lock(), before -> new Change<>(true, null));
        }
        return isHeld;
    }

    private long lock(GroupHome home, LockCommand.Lock command) {
        long present = token(home);
        if (present != 0 && !isOf(home, present, command.holder())) {
            return 0;
        }
        long token = present == 0 ? Math.max(nowMicros(), lastToken(home) + 1) : present;
        byte[] last = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(token)
                .putLong(command.holder())
                .array();
        store(home.lock(), lockBytes(epoch, token), command.lease());
        store(home.stamps(), last, REMEMBERED);
        return token;
    }

    /** Returns the stored form of a lock: the epoch and the token of its holder. */
    static byte[] lockBytes(int epoch, long token) {
        return ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(epoch)
                .putLong(token)
                .array();
    }

    /** Returns the token of the lock, 0 if it is free in this epoch. */
    private long token(GroupHome home) {
        ByteBuffer lock = bytes(home.lock());
        return lock != null && lock.getInt() == epoch ? lock.getLong() : 0;
    }

    private boolean isOf(GroupHome home, long token, long holder) {
        ByteBuffer last = bytes(home.stamps());
        return last != null && last.getLong() == token && last.getLong() == holder;
    }

    private long lastToken(GroupHome home) {
        ByteBuffer last = bytes(home.stamps());
        return last == null ? 0 : last.getLong();
    }

    private @Nullable ByteBuffer bytes(EncodedKey key) {
        EmbeddedEntry found = entries.find(key);
        return found == null ? null : ByteBuffer.wrap(found.bytes());
    }

    private void store(EncodedKey key, byte[] bytes, Expiry expiry) {
        EmbeddedEntry entry = EmbeddedEntry.lasting(bytes).expiring(expiry, entries.nowNanos());
        entries.change(key, before -> new Change<>(true, entry));
    }

    /** Sets the expiry of an index or a lock; returns 1 if it exists, or 0. */
    private long expire(EncodedKey key, Expiry expiry) {
        return entries.change(
                key,
                present -> new Change<>(
                        present == null ? 0L : 1L,
                        present == null ? null : present.expiring(expiry, entries.nowNanos())));
    }

    /** The clock of this process starts at any value, even below zero; tokens are positive and increase with it. */
    private long nowMicros() {
        return Long.divideUnsigned(entries.nowNanos() ^ Long.MIN_VALUE, 1_000);
    }
}
