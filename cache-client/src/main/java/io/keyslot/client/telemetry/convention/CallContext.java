// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry.convention;

import io.keyslot.cache.MissCause;
import io.micrometer.observation.Observation;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The context of the observation of one call to a cache. Outcome and causes are known at its end. Created by Keyslot
 * only. Safe for use by several threads.
 */
@SuppressWarnings("exports") // users of this class require Micrometer
public abstract class CallContext extends Observation.Context {
    private final String manager;
    private final String cache;
    private final String operation;
    private final @Nullable Object key;

    protected CallContext(String manager, String cache, String operation, @Nullable Object key) {
        this.manager = manager;
        this.cache = cache;
        this.operation = operation;
        this.key = key;
    }

    /**
     * Returns the name of the manager in threads and meters: the tag {@code cache.manager} of {@code keyslot.loads}.
     */
    public String manager() {
        return manager;
    }

    /** Returns the name of the cache. */
    public String cache() {
        return cache;
    }

    /** Returns the name of the called method; for an asynchronous method, that of the synchronous one. */
    public String operation() {
        return operation;
    }

    /**
     * Returns the application's key, or null if the call has no single key. Keys have a high cardinality and may be
     * personal data: Keyslot's conventions do not use them.
     */
    public @Nullable Object key() {
        return key;
    }

    /** Returns how the call has ended. */
    public abstract CallOutcome outcome();

    /** Returns the causes of misses, each once, also if the entries were loaded then. */
    public abstract Set<MissCause> causes();
}
