// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushCommand;
import io.keyslot.client.partition.PushCommand.Channels;
import io.keyslot.client.partition.PushListeners;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tracking and the subscriptions of one connection. Thread-safe. Changes are reported with the slot locked, before
 * they are visible.
 */
final class EmbeddedPushes {
    /** Beyond this number, all keys are reported as invalid, like at a server. */
    static final int MOST_KEYS = 100_000;

    private final PushListeners listeners;
    private final StoredEntries entries;
    private final Subscribers subscribers;
    private final Channels channels = new Channels();
    private final Set<EncodedKey> read = ConcurrentHashMap.newKeySet();
    private volatile boolean tracks;
    private volatile PushCommand.Track way = new PushCommand.Track(List.of());

    EmbeddedPushes(PushListeners listeners, StoredEntries entries, Subscribers subscribers) {
        this.listeners = listeners;
        this.entries = entries;
        this.subscribers = subscribers;
    }

    Reply<Boolean> track(PushCommand.Track command) {
        if (!begin(command)) {
            return Reply.refused(Refusal.FORBIDDEN, "this connection already receives invalidations in another mode");
        }
        if (listeners.isEnded()) {
            entries.untrack(this);
        }
        return Reply.done(true);
    }

    /** Begins to report changes. Returns false if tracking is on in another mode. */
    private synchronized boolean begin(PushCommand.Track wanted) {
        if (tracks) {
            boolean isMore = !way.prefixes().isEmpty() && !wanted.prefixes().isEmpty();
            if (isMore) {
                Set<String> all = new LinkedHashSet<>(way.prefixes());
                all.addAll(wanted.prefixes());
                way = new PushCommand.Track(List.copyOf(all));
            }
            return isMore || way.equals(wanted);
        }
        way = wanted;
        tracks = true;
        entries.track(this);
        return true;
    }

    /** Returns whether reads must be recorded by {@link #note}, with the lock of the slot held. */
    boolean notesReads() {
        return tracks && way.prefixes().isEmpty() && !way.isOfAsked();
    }

    /** Returns whether only explicitly tracked reads are reported. */
    boolean isOfAsked() {
        return tracks && way.isOfAsked();
    }

    /** Reports expired entries to a connection that tracks prefixes; nothing else looks for them. */
    void expire() {
        if (tracks && !way.prefixes().isEmpty()) {
            entries.expire();
        }
    }

    void note(EncodedKey key) {
        if (read.size() >= MOST_KEYS) {
            read.clear();
            listeners.publish(new Push.AllInvalidated("more keys were read than are remembered"));
        }
        read.add(key);
    }

    /** Reports the change of a key, if it was read or has a tracked prefix. */
    void changes(EncodedKey key) {
        List<String> prefixes = way.prefixes();
        boolean isToBePublished =
                prefixes.isEmpty() ? read.remove(key) : prefixes.stream().anyMatch(key.text()::startsWith);
        if (isToBePublished) {
            listeners.publish(new Push.Invalidated(List.of(key)));
        }
    }

    Reply<Boolean> subscribe(PushCommand.Subscribe command) {
        if (!channels.admit(command.channels())) {
            return Channels.tooMany();
        }
        subscribers.add(listeners, command.channels());
        return Reply.done(true);
    }

    long publish(PushCommand.Publish command) {
        return subscribers.publish(new Push.Message(command.channel(), command.payload()));
    }

    void end(String reason) {
        listeners.end(reason);
        entries.untrack(this);
        subscribers.remove(listeners);
    }

    /** The subscribers of one incarnation. A message reaches all subscribers before the next. Thread-safe. */
    static final class Subscribers {
        private final Object lock = new Object();
        private final Map<String, Set<PushListeners>> byChannel = new HashMap<>(); // guarded by lock

        /** Subscribes a connection until it is removed. Ignores a lost connection. */
        void add(PushListeners connection, List<String> channels) {
            synchronized (lock) {
                if (!connection.isEnded()) {
                    channels.forEach(channel -> byChannel
                            .computeIfAbsent(channel, first -> new LinkedHashSet<>())
                            .add(connection));
                }
            }
        }

        long publish(Push.Message message) {
            synchronized (lock) {
                Set<PushListeners> all = byChannel.getOrDefault(message.channel(), Set.of());
                all.forEach(connection -> connection.publish(message));
                return all.size();
            }
        }

        void remove(PushListeners connection) {
            synchronized (lock) {
                byChannel.values().removeIf(all -> all.remove(connection) && all.isEmpty());
            }
        }
    }
}
