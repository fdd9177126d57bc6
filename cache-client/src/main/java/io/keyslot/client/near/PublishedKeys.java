// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.stored.EncodedKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A queue of reported keys whose entries must be read, without duplicates, in the order of their first report.
 * Thread-safe.
 */
final class PublishedKeys {
    static final int MOST_WAITING = 10_000;

    private final Map<EncodedKey, Long> sinceNanos = new LinkedHashMap<>();

    /** Adds a key unless it is queued. Returns false if the queue is full. */
    synchronized boolean add(EncodedKey key, long nowNanos) {
        if (sinceNanos.size() == MOST_WAITING && !sinceNanos.containsKey(key)) {
            return false;
        }
        sinceNanos.putIfAbsent(key, nowNanos);
        return true;
    }

    synchronized Map<EncodedKey, Long> take(int most) {
        Map<EncodedKey, Long> taken = new LinkedHashMap<>();
        Iterator<Map.Entry<EncodedKey, Long>> waiting = sinceNanos.entrySet().iterator();
        while (taken.size() < most && waiting.hasNext()) {
            Map.Entry<EncodedKey, Long> next = waiting.next();
            taken.put(next.getKey(), next.getValue());
            waiting.remove();
        }
        return taken;
    }

    synchronized boolean isEmpty() {
        return sinceNanos.isEmpty();
    }

    synchronized void clear() {
        sinceNanos.clear();
    }
}
