// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushListeners;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tracking of one connection. Thread-safe. Changes are reported with the slot locked, before they are visible.
 */
final class EmbeddedPushes {
    /** Beyond this number, all keys are reported as invalid, like at a server. */
    static final int MOST_KEYS = 100_000;

    private final PushListeners listeners;
    private final StoredEntries entries;
    private final Set<EncodedKey> read = ConcurrentHashMap.newKeySet();
    private volatile boolean tracks;
    private volatile Command.Track way = new Command.Track(List.of());

    EmbeddedPushes(PushListeners listeners, StoredEntries entries) {
        this.listeners = listeners;
        this.entries = entries;
    }

    Reply<Boolean> track(Command.Track command) {
        if (!begin(command)) {
            return Reply.refused(Refusal.FORBIDDEN, "this connection already receives invalidations in another mode");
        }
        if (listeners.isEnded()) {
            entries.untrack(this);
        }
        return Reply.done(true);
    }

    /** Begins to report changes. Returns false if tracking is on in another mode. */
    private synchronized boolean begin(Command.Track wanted) {
        if (tracks) {
            boolean isMore = !way.prefixes().isEmpty() && !wanted.prefixes().isEmpty();
            if (isMore) {
                Set<String> all = new LinkedHashSet<>(way.prefixes());
                all.addAll(wanted.prefixes());
                way = new Command.Track(List.copyOf(all));
            }
            return isMore || way.equals(wanted);
        }
        way = wanted;
        tracks = true;
        entries.track(this);
        return true;
    }

    /** Returns whether tracked reads are recorded, by {@link #note} with the lock of the slot held. */
    boolean tracksReads() {
        return tracks && way.prefixes().isEmpty();
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

    void end(String reason) {
        listeners.end(reason);
        entries.untrack(this);
    }
}
