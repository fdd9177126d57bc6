// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.invalidation;

import io.keyslot.client.stored.EncodedKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The keys of one cache that were told and whose entries have to be read, each once, in the order in which they were told first.
 * Safe for use by several threads.
 */
final class PublishedKeys {
    /** Beyond this many, what is told is dropped. */
    static final int MOST_WAITING = 10_000;

    private final Map<EncodedKey, Long> sinceNanos = new LinkedHashMap<>();

    /** Adds a key that was told, unless it waits already. Returns false if too many wait. */
    synchronized boolean add(EncodedKey key, long nowNanos) {
        if (sinceNanos.size() == MOST_WAITING && !sinceNanos.containsKey(key)) {
            return false;
        }
        sinceNanos.putIfAbsent(key, nowNanos);
        return true;
    }

    /** Takes some out, with the time since when they have waited. */
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
