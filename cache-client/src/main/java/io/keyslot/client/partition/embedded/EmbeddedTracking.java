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

/** The tracking of one connection. Changes are reported with the slot locked, before they are visible. */
final class EmbeddedTracking {
    /** Beyond this number, all keys are reported as invalid, like at a server. */
    static final int MOST_KEYS = 100_000;

    private final PushListeners listeners;
    private final Set<EncodedKey> read = ConcurrentHashMap.newKeySet();
    private volatile boolean on;
    private volatile PushCommand.Track way = new PushCommand.Track(List.of());

    public EmbeddedTracking(PushListeners listeners) {
        this.listeners = listeners;
    }

    /** Begins to report changes of these entries. Returns false if tracking is on in another mode. */
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

    public boolean notesReads() {
        return on && way.prefixes().isEmpty() && !way.isOfAsked();
    }

    /** Returns whether only explicitly tracked reads are recorded. */
    public boolean isOfAsked() {
        return on && way.isOfAsked();
    }

    /** Returns whether all changes of keys with some prefixes are reported, regardless of reads. */
    public boolean isOfPrefixes() {
        return on && !way.prefixes().isEmpty();
    }

    public void note(EncodedKey key) {
        if (read.size() >= MOST_KEYS) {
            read.clear();
            listeners.tell(new Push.AllInvalidated("more keys were read than are remembered"));
        }
        read.add(key);
    }

    void changes(EncodedKey key) {
        List<String> prefixes = way.prefixes();
        boolean isToBePublished =
                prefixes.isEmpty() ? read.remove(key) : prefixes.stream().anyMatch(key.text()::startsWith);
        if (isToBePublished) {
            listeners.tell(new Push.Invalidated(List.of(key)));
        }
    }
}
