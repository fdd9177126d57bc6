// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushCommand;
import io.keyslot.client.partition.PushListeners;
import io.keyslot.client.stored.EncodedKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What one connection is to be told of changes. Keys that it reads are noted with the lock of their slot held, under which
 * changes are told too, before anybody can see them. Safe for use by several threads.
 */
final class EmbeddedTracking {
    /** Beyond this many, all are invalid: a server does so too. */
    static final int MOST_KEYS = 100_000;

    private final PushListeners listeners;
    private final Set<EncodedKey> read = ConcurrentHashMap.newKeySet();
    private volatile boolean on;
    private volatile PushCommand.Track way = new PushCommand.Track(List.of());

    public EmbeddedTracking(PushListeners listeners) {
        this.listeners = listeners;
    }

    /** Begins to be told of changes of these entries. Returns false if it has begun already, in another way. */
    public synchronized boolean begin(PushCommand.Track wanted, StoredEntries entries) {
        if (on) {
            boolean isMore = !way.prefixes().isEmpty() && !wanted.prefixes().isEmpty();
            if (isMore) {
                Set<String> all = new LinkedHashSet<>(way.prefixes());
                all.addAll(wanted.prefixes());
                way = new PushCommand.Track(List.copyOf(all));
            }
            return isMore || way.equals(wanted);
        }
        way = wanted;
        on = true;
        entries.track(this);
        return true;
    }

    /** Returns whether a read is to be noted. */
    public boolean notesReads() {
        return on && way.prefixes().isEmpty() && !way.isOfAsked();
    }

    /** Returns whether those who ask are told, and nobody else. */
    public boolean isOfAsked() {
        return on && way.isOfAsked();
    }

    /** Returns whether all changes of keys that begin in some way are told, whoever has read them. */
    public boolean isOfPrefixes() {
        return on && !way.prefixes().isEmpty();
    }

    /** Notes a key that is about to be read. */
    public void note(EncodedKey key) {
        if (read.size() >= MOST_KEYS) {
            read.clear();
            listeners.tell(new Push.AllInvalidated("more keys were read than are remembered"));
        }
        read.add(key);
    }

    /** What is under the key is about to change. */
    void changes(EncodedKey key) {
        List<String> prefixes = way.prefixes();
        boolean isToBePublished =
                prefixes.isEmpty() ? read.remove(key) : prefixes.stream().anyMatch(key.text()::startsWith);
        if (isToBePublished) {
            listeners.tell(new Push.Invalidated(List.of(key)));
        }
    }
}
