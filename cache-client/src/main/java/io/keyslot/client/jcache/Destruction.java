// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.concurrent.Closing;
import java.util.List;

/**
 * The end of a cache and of its entries, which may take several attempts: a partition that is missing keeps what it has.
 * Until all of it is removed, no other cache may have the name. Safe for use by several threads; one waits for another's
 * attempt, which each partition bounds by the deadline of a call.
 */
final class Destruction {
    private final KeyslotCache<?, ?> cache;
    private boolean done; // guarded by this

    Destruction(KeyslotCache<?, ?> cache) {
        this.cache = cache;
    }

    /** Closes the cache and removes its entries, unless that was done; throws what was in the way. */
    synchronized void run() {
        if (!done) {
            // Closed first: what is stored behind the removal would be what the next cache of this name serves.
            Closing.all(List.of(cache::close, this::removeEntries));
        }
    }

    private void removeEntries() {
        cache.removeRemains();
        done = true;
    }
}
