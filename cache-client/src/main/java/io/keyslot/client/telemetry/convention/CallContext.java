// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry.convention;

import io.keyslot.cache.MissCause;
import io.micrometer.observation.Observation;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one call of a cache. The outcome and the causes are known when it has ended. Made by Keyslot only. Safe for
 * use by several threads.
 */
@SuppressWarnings("exports") // who uses this requires Micrometer
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

    /** Returns what the manager is called in threads and meters: the tag {@code cache.manager} of {@code keyslot.loads}. */
    public String manager() {
        return manager;
    }

    /** Returns the name of the cache. */
    public String cache() {
        return cache;
    }

    /** Returns the method that was called; an asynchronous form has the name of the other one. */
    public String operation() {
        return operation;
    }

    /**
     * Returns the application's key if the call is about one. There are many, and it may be personal data: no convention of
     * Keyslot uses it.
     */
    public @Nullable Object key() {
        return key;
    }

    /** Returns how the call has ended. */
    public abstract CallOutcome outcome();

    /** Returns why entries were not found, each cause once; also if they were loaded then. */
    public abstract Set<MissCause> causes();
}
