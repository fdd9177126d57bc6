// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.concurrent.Closing;
import java.util.List;

/**
 * The destruction of a cache and its entries, which may take several attempts, as a missing partition keeps its
 * entries. Until all are removed, no other cache may have the name. Thread-safe; one thread waits for another's
 * attempt.
 */
final class Destruction {
    private final KeyslotCache<?, ?> cache;
    private boolean done; // guarded by this

    Destruction(KeyslotCache<?, ?> cache) {
        this.cache = cache;
    }

    /** Closes the cache and removes its entries, unless that was done; throws if this fails. */
    synchronized void run() {
        if (!done) {
            // Close first: a value that is stored after the removal would be served by the next cache of this name.
            Closing.all(List.of(cache::close, this::removeEntries));
        }
    }

    private void removeEntries() {
        cache.removeRemains();
        done = true;
    }
}
