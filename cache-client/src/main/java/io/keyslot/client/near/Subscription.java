// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.event.EventGap;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.ProbeKey;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection for the invalidations of one partition, replaced when it is lost. The partition reports all keys with
 * the prefixes of the listeners, without cost for writers. A listener is connected, or disconnected since a time before
 * which everything was reported to it; the time until it is connected again is a gap. Thread-safe.
 */
final class Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);

    /** The pauses before a reconnect. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    /** The pauses before a new attempt after a refusal, which needs an administrator. */
    private static final Duration FIRST_CHECK = Duration.ofSeconds(2);

    private static final Duration LONGEST_CHECK = Duration.ofMinutes(1);

    /** The number of unanswered rounds in a row that closes the connection. */
    private static final int MOST_SILENCES = 3;

    /** After this time it is known whether a push was the last one of a lost connection. */
    private static final Duration UNTIL_LOST = Duration.ofMillis(10);

    private final InvalidationStream stream;
    private final PartitionId id;
    private final PartitionConnector connector;
    private final Timing timing;
    private volatile List<InvalidationListener> listening = List.of(); // the keys of listeners; written with the lock

    // Guarded by this.
    private final Map<InvalidationListener, Listening> listeners = new LinkedHashMap<>();
    private final Set<String> tracked = new LinkedHashSet<>(); // prefixes
    private @Nullable PartitionConnection connection;
    private long announced;
    private long connectingBy;
    private Instant confirmedUntil;
    private boolean isConnecting;
    private boolean isAsking;
    private boolean isCheckingAgain; // soon
    private int failures; // in a row, of connects
    private int refusals; // in a row
    private int silences;
    private boolean closed;

    private static final class Listening {
        private final CompletableFuture<Void> first = new CompletableFuture<>();
        private @Nullable Instant disconnectedSince; // null while connected
        private boolean isBegun;

        Listening(Instant since) {
            disconnectedSince = since;
        }
    }

    Subscription(InvalidationStream stream, PartitionId id, PartitionConnector connector) {
        this.stream = stream;
        this.id = id;
        this.connector = connector;
        this.timing = stream.timing();
        this.confirmedUntil = now();
    }

    private Instant now() {
        return Instant.ofEpochMilli(timing.ticker().epochMillis());
    }

    /** Adds a listener that has missed the changes since this time. The future completes when it receives changes. */
    synchronized CompletableFuture<Void> add(InvalidationListener listener, Instant since) {
        Listening known = new Listening(since);
        listeners.put(listener, known);
        listening = List.copyOf(listeners.keySet());
        return known.first;
    }

    synchronized void begun(InvalidationListener listener) {
        Listening known = listeners.get(listener);
        if (known != null) {
            known.isBegun = true;
        }
    }

    synchronized void remove(InvalidationListener listener) {
        listeners.remove(listener);
        listening = List.copyOf(listeners.keySet());
    }

    /** Takes the next step for all listeners: connects, or subscribes to more prefixes. */
    void ask() {
        PartitionConnection over;
        List<String> more;
        synchronized (this) {
            if (closed || isAsking || isConnecting) {
                return;
            }
            over = connection;
            more = listeners.keySet().stream()
                    .map(InvalidationListener::prefix)
                    .filter(prefix -> !tracked.contains(prefix))
                    .distinct()
                    .toList();
            isConnecting = over == null;
            connectingBy = announced;
            isAsking = over != null && !more.isEmpty();
            if (over != null && more.isEmpty()) {
                return;
            }
        }
        if (over == null) {
            Futures.whenOver(stream.connects().run(connector.address(), timing, connector::connect), this::connected);
        } else {
            track(over, more);
        }
    }

    private void connected(@Nullable PartitionConnection made, @Nullable Throwable failure) {
        boolean isUnwanted;
        long newer;
        synchronized (this) {
            isConnecting = false;
            newer = announced > connectingBy ? announced : 0;
            isUnwanted = closed;
            if (made != null && !closed) {
                connection = made;
                silences = 0;
            }
        }
        if (made == null) {
            LOG.debug("{}: cannot be listened to", connector.address(), failure);
            again();
        } else if (isUnwanted) {
            made.close();
        } else {
            if (newer > 0) { // meanwhile
                CompletableFuture<?> unused = made.announce(newer);
            }
            made.listen(push -> received(made, push));
            Futures.whenOver(made.lost(), (why, unexpected) -> lost(made));
            ask();
        }
    }

    private void again() {
        long pause;
        synchronized (this) {
            if (closed) {
                return;
            }
            pause = timing.upTo(Timing.doubled(FIRST_PAUSE, failures++, LONGEST_PAUSE));
        }
        timing.schedule(this::ask, pause);
    }

    private void track(PartitionConnection over, List<String> prefixes) {
        Instant sent = now();
        Futures.whenOver(over.send(new Command.Track(prefixes), Route.ANY, Patience.UNLIMITED), (reply, failure) -> {
            if (reply instanceof Reply.Done<Boolean>) {
                reports(over, prefixes, sent);
            } else {
                refused(over, reply);
            }
        });
    }

    private void reports(PartitionConnection over, List<String> prefixes, Instant asked) {
        Instant now = now();
        boolean isMissed = stream.map().slotsOf(id) > 0; // a partition without slots had no changes
        List<Runnable> changes;
        synchronized (this) {
            isAsking = false;
            if (!over.equals(connection)) {
                return;
            }
            if (tracked.isEmpty()) {
                confirmedUntil = certainBy(asked);
            }
            tracked.addAll(prefixes);
            failures = 0;
            refusals = 0;
            changes = connectListeners(isMissed, now);
        }
        changes.forEach(Runnable::run);
        ask(); // for listeners added meanwhile
    }

    /**
     * Connects the listeners with tracked prefixes. Returns their notifications, to be run without the lock; gaps only if
     * the partition may have had changes ({@code isMissed}). Called with the lock held.
     */
    private List<Runnable> connectListeners(boolean isMissed, Instant now) {
        List<Runnable> changes = new ArrayList<>();
        listeners.forEach((listener, known) -> {
            Instant since = known.disconnectedSince;
            if (since == null || !tracked.contains(listener.prefix())) {
                return;
            }
            known.disconnectedSince = null;
            if (known.isBegun && isMissed) {
                changes.add(() -> listener.missed(new EventGap(EventGap.Reason.CONNECTION, since, now)));
            }
            changes.add(() -> known.first.complete(null));
        });
        return changes;
    }

    private void refused(PartitionConnection over, @Nullable Reply<Boolean> reply) {
        synchronized (this) {
            isAsking = false;
        }
        if (reply instanceof Reply.Refused<Boolean> refused && refused.refusal() == Refusal.FORBIDDEN) {
            stream.refused(connector.address(), refused.detail());
            checkAgain(); // over the same connection, to which granted rights apply as well
        } else {
            over.close();
        }
    }

    private void checkAgain() {
        long pause;
        synchronized (this) {
            if (closed || isCheckingAgain) {
                return; // the pending attempt covers later listeners
            }
            isCheckingAgain = true;
            pause = timing.upTo(Timing.doubled(FIRST_CHECK, refusals++, LONGEST_CHECK));
        }
        timing.schedule(
                () -> {
                    synchronized (this) {
                        isCheckingAgain = false;
                    }
                    ask();
                },
                pause);
    }

    private void received(PartitionConnection from, Push push) {
        if (push instanceof Push.Invalidated invalidated) {
            for (EncodedKey key : invalidated.keys()) {
                for (InvalidationListener listener : listening) {
                    if (listener.isOf(key)) {
                        listener.invalidated(id, key);
                    }
                }
            }
        } else if (push instanceof Push.AllInvalidated) {
            Instant since = confirmedUntil();
            timing.schedule(() -> emptied(from, since), UNTIL_LOST.toNanos());
        }
    }

    private synchronized Instant confirmedUntil() {
        return confirmedUntil;
    }

    /** Called for a lost connection too; then the next connection reports the gap. */
    private void emptied(PartitionConnection from, Instant since) {
        Instant now = now();
        List<InvalidationListener> connected = new ArrayList<>();
        synchronized (this) {
            if (from.equals(connection) && !from.lost().isDone()) {
                listeners.forEach((listener, known) -> {
                    if (known.disconnectedSince == null) {
                        connected.add(listener);
                    }
                });
            }
        }
        connected.forEach(listener -> listener.missed(new EventGap(EventGap.Reason.INVALIDATED, since, now)));
    }

    private void lost(PartitionConnection over) {
        synchronized (this) {
            if (!over.equals(connection)) {
                return;
            }
            connection = null;
            isAsking = false;
            tracked.clear();
            for (Listening known : listeners.values()) {
                known.disconnectedSince = known.disconnectedSince == null ? confirmedUntil : known.disconnectedSince;
            }
        }
        again();
    }

    /**
     * Checks whether all changes before now have been reported; also true if they will be a gap. A change before a
     * request may be reported only after its reply, but before the reply to the next request.
     */
    CompletableFuture<Boolean> pass() {
        PartitionConnection over;
        String prefix;
        synchronized (this) {
            over = connection;
            if (over == null || tracked.isEmpty()) {
                return CompletableFuture.completedFuture(true);
            }
            prefix = tracked.iterator().next();
        }
        // A key that the user may read under any access rules; the result is ignored.
        EncodedKey key =
                stream.isOfCluster() ? ProbeKey.at(id, stream.map(), prefix, timing.random()) : EncodedKey.of(prefix);
        Command<?> last = stream.isOfCluster() ? new Command.Served() : new Command.Get(EncodedKey.of(prefix));
        Instant asked = now();
        return answerOf(over, key == null ? last : new Command.Get(key))
                .thenCompose(reply ->
                        reply instanceof Reply.Done ? answerOf(over, last) : CompletableFuture.completedFuture(reply))
                .thenApply(reply -> passed(over, asked, reply));
    }

    private static CompletableFuture<Reply<?>> answerOf(PartitionConnection over, Command<?> question) {
        return over.send(question, Route.ANY, Patience.UNLIMITED).thenApply(reply -> reply);
    }

    /**
     * A server that answers may have lost its role a moment ago, and then does not report later changes made elsewhere.
     */
    private static Instant certainBy(Instant answered) {
        return answered.minus(PartitionConnection.LONGEST_UNNOTICED);
    }

    private boolean passed(PartitionConnection over, Instant asked, Reply<?> reply) {
        boolean isPassed = reply instanceof Reply.Done<?> done && isOwner(done.value());
        boolean isSilent;
        synchronized (this) {
            if (!over.equals(connection)) {
                return true; // it is disconnected
            }
            if (isPassed) {
                confirmedUntil = certainBy(asked);
            }
            silences = reply instanceof Reply.Unknown ? silences + 1 : 0;
            isSilent = silences >= MOST_SILENCES;
        }
        if (isSilent) {
            over.close();
        }
        return isPassed;
    }

    /** Returns whether the answer is not that of a node of a cluster that has lost slots, whose new owner reports changes. */
    private boolean isOwner(@Nullable Object answer) {
        return !stream.isOfCluster()
                || (answer instanceof Optional<?> known
                        && known.orElse(null) instanceof Command.ServedSlots served
                        && served.hasAll(id, stream.map()));
    }

    /** Continues with a newer slot map, which the partition requires of all connections. */
    void announce(SlotMap newest) {
        connector.announce(newest);
        PartitionConnection over;
        synchronized (this) {
            announced = newest.version();
            over = connection;
        }
        if (over != null) {
            CompletableFuture<?> unused = over.announce(newest.version());
        }
    }

    void close() {
        synchronized (this) {
            closed = true;
            connection = null;
            listeners.clear();
            listening = List.of();
        }
        connector.close();
    }
}
