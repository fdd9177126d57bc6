// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.QueueCommand;
import io.keyslot.client.partition.QueueCommand.Delivery;
import io.keyslot.client.partition.QueueCommand.Receive;
import io.keyslot.client.partition.QueueCommand.Received;
import io.keyslot.client.partition.QueueCommand.Send;
import io.keyslot.client.partition.QueueCommand.Sent;
import io.keyslot.client.partition.QueueCommand.Settle;
import io.keyslot.client.partition.QueueCommand.Settlement;
import io.keyslot.client.partition.embedded.StoredEntries.Change;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateModel;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A fragment of a queue, which is stored and changed as {@code queue.lua} does it. For one command. */
final class EmbeddedQueue {
    private static final long DEAD = 100_000_000_000_000L;
    private static final long IDS = 2 * DEAD;
    private static final long ANY_STAMP = 1;

    private final StoredEntries entries;
    private final int epoch;
    private final GroupHome home;
    /** This process's clock may start below zero. */
    private final long nowMicros;

    private final long now;
    private AggregateModel messages = AggregateModel.empty(AggregateKind.HASH);
    private AggregateModel order = AggregateModel.empty(AggregateKind.SORTED_SET);

    EmbeddedQueue(StoredEntries entries, int epoch, GroupHome home) {
        this.entries = entries;
        this.epoch = epoch;
        this.home = home;
        this.nowMicros = Long.divideUnsigned(entries.nowNanos() ^ Long.MIN_VALUE, 1_000);
        this.now = nowMicros / 1_000;
    }

    Object execute(QueueCommand<?> command) {
        return entries.together(home.slot(), () -> {
            messages = modelAt(home.messages(), messages);
            order = modelAt(home.order(), order);
            Object answer = command instanceof Send send
                    ? send(send)
                    : command instanceof Receive receive
                            ? receive(receive)
                            : command instanceof Settle settle ? settle(settle) : describe();
            store(home.messages(), messages);
            store(home.order(), order);
            return answer;
        });
    }

    private AggregateModel modelAt(EncodedKey key, AggregateModel otherwise) {
        EmbeddedEntry present = entries.find(key);
        EmbeddedEntry.Aggregate aggregate = present == null ? null : present.aggregate();
        return aggregate == null || aggregate.epoch() != epoch ? otherwise : aggregate.model();
    }

    private void store(EncodedKey key, AggregateModel model) {
        EmbeddedEntry next =
                model.isEmpty() ? null : EmbeddedEntry.lasting(new EmbeddedEntry.Aggregate(epoch, ANY_STAMP, model));
        entries.change(key, present -> new Change<>(true, next));
    }

    private @Nullable String get(String field) {
        Object value = messages.execute(AggregateOperation.HASH_GET, List.of(Element.of(field)));
        return value == null ? null : ((Element) value).text();
    }

    private long number(String field) {
        String value = get(field);
        return value == null ? 0 : Long.parseLong(value);
    }

    private void put(String field, Object value) {
        Element stored = value instanceof Element element ? element : Element.of(value.toString());
        var unused = messages.execute(AggregateOperation.HASH_PUT, List.of(Element.of(field), stored));
    }

    private void remove(String... fields) {
        var unused = messages.execute(
                AggregateOperation.HASH_REMOVE_MANY,
                Stream.of(fields).map(Element::of).toList());
    }

    private void place(String member, long score) {
        var unused = order.execute(AggregateOperation.SORTED_ADD, List.of(Element.of(score), Element.of(member)));
    }

    /** Returns the score, or -1. */
    private long score(String member) {
        Object score = order.execute(AggregateOperation.SORTED_SCORE, List.of(Element.of(member)));
        return score == null ? -1 : Long.parseLong(((Element) score).text());
    }

    private void follow(String number) {
        String session = get("s" + number);
        String following = get("n" + number);
        if (following != null) {
            remove("n" + number);
            place(following, now);
        } else if (session != null) {
            remove("t" + session);
        }
    }

    /** Returns whether the sorted set was evicted alone. */
    private boolean isCut() {
        return number("size") > 0 && order.isEmpty();
    }

    private Sent send(Send send) {
        long over = IDS + now;
        String id = send.id();
        if (score("i" + id) > over) {
            return Sent.REPEATED;
        }
        if ((number("size") >= send.atMost() && !isCut())
                || (!id.isEmpty() && count(over, Long.MAX_VALUE) >= send.atMost())) {
            return Sent.FULL;
        }
        if (isCut()) {
            long lost = number("size") + number("lost");
            messages = AggregateModel.empty(AggregateKind.HASH);
            put("lost", lost);
        }
        long number = Math.max(nowMicros, number("last") + 1);
        String before = get("t" + send.session());
        put("size", number("size") + 1);
        put("last", number);
        put("p" + number, send.payload());
        if (!send.session().isEmpty()) {
            put("s" + number, send.session());
            put("t" + send.session(), number);
        }
        if (before != null) {
            put("n" + before, number);
        } else {
            place(Long.toString(number), now);
        }
        if (!id.isEmpty()) {
            var unused = order.execute(
                    AggregateOperation.SORTED_REMOVE_BY_SCORE, List.of(Element.of(IDS), Element.of(over)));
            place("i" + id, over + send.windowMillis());
        }
        return Sent.STORED;
    }

    /** Counts the scores from one to before another. */
    private long count(long from, long to) {
        Object count = order.execute(AggregateOperation.SORTED_COUNT, List.of(Element.of(from), Element.of(to - 1)));
        return count instanceof Long found ? found : 0;
    }

    private List<Long> describe() {
        long ready = count(0, now + 1);
        long leased = count(now + 1, DEAD);
        long dead = count(DEAD, IDS);
        long size = isCut() ? 0 : number("size");
        return size == 0
                ? List.of(0L, 0L, 0L, 0L)
                : List.of(ready, leased, Math.max(0, size - ready - leased - dead), dead);
    }

    private Received receive(Receive receive) {
        long base = receive.isOfDead() ? DEAD : 0;
        long died = 0;
        long lost = number("lost");
        if (isCut()) {
            lost += number("size");
            messages = AggregateModel.empty(AggregateKind.HASH);
        } else {
            remove("lost");
        }
        for (String number = first(base); number != null; number = first(base)) {
            Object payload = messages.execute(AggregateOperation.HASH_GET, List.of(Element.of("p" + number)));
            long deliveries = number("d" + number) + 1;
            if (payload == null) {
                lost++;
                var unused = order.execute(AggregateOperation.SORTED_REMOVE, List.of(Element.of(number)));
            } else if (!receive.isOfDead() && deliveries > receive.deliveries()) {
                died++;
                place(number, DEAD + now);
                follow(number);
            } else {
                place(number, base + now + receive.leaseMillis());
                put("d" + number, deliveries);
                String session = get("s" + number);
                Delivery delivery = new Delivery(number, deliveries, session == null ? "" : session, (Element) payload);
                return new Received(delivery, number("size"), died, lost);
            }
        }
        return new Received(null, number("size"), died, lost);
    }

    private @Nullable String first(long base) {
        Object found = order.execute(
                AggregateOperation.SORTED_BY_SCORE, List.of(Element.of(base), Element.of(base + now), Element.of(1)));
        return found instanceof List<?> list && !list.isEmpty() ? ((Element) list.get(0)).text() : null;
    }

    private boolean settle(Settle settle) {
        String number = settle.delivery().number();
        long score = score(number);
        if (score < 0
                || (score >= DEAD) != settle.isOfDead()
                || number("d" + number) != settle.delivery().count()) {
            return false;
        }
        if (settle.as() == Settlement.COMPLETE) {
            var unused = order.execute(AggregateOperation.SORTED_REMOVE, List.of(Element.of(number)));
            if (!settle.isOfDead()) {
                follow(number);
            }
            put("size", number("size") - 1);
            remove("p" + number, "d" + number, "s" + number);
            if (number("size") == 0) {
                messages = AggregateModel.empty(AggregateKind.HASH);
            }
        } else {
            long lease = settle.as() == Settlement.RENEW ? settle.leaseMillis() : 0;
            place(number, (settle.isOfDead() ? DEAD : 0) + now + lease);
        }
        return true;
    }
}
