// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushListeners;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
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

    EmbeddedPushes(PushListeners listeners, StoredEntries entries) {
        this.listeners = listeners;
        this.entries = entries;
    }

    Reply<Boolean> track() {
        begin();
        if (listeners.isEnded()) {
            entries.untrack(this);
        }
        return Reply.done(true);
    }

    private synchronized void begin() {
        if (!tracks) {
            tracks = true;
            entries.track(this);
        }
    }

    /** Returns whether tracked reads are recorded, by {@link #note} with the lock of the slot held. */
    boolean tracks() {
        return tracks;
    }

    void note(EncodedKey key) {
        if (read.size() >= MOST_KEYS) {
            read.clear();
            listeners.publish(new Push.AllInvalidated("more keys were read than are remembered"));
        }
        read.add(key);
    }

    /** Reports the change of a key, if it was read. */
    void changes(EncodedKey key) {
        if (read.remove(key)) {
            listeners.publish(new Push.Invalidated(List.of(key)));
        }
    }

    void end(String reason) {
        listeners.end(reason);
        entries.untrack(this);
    }
}
