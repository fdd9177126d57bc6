// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import java.util.concurrent.TimeUnit;
import javax.cache.configuration.Factory;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;

/** The lifetime of entries. */
public enum Lifetime {
    /** An hour since the last write, as {@code SET} with {@code PX} does. */
    MODIFIED(ModifiedExpiryPolicy.factoryOf(Duration.ONE_HOUR)),

    /** An hour since the creation. Contenders without JCache treat it like {@link #MODIFIED}. */
    CREATED(CreatedExpiryPolicy.factoryOf(Duration.ONE_HOUR)),

    ETERNAL(EternalExpiryPolicy.factoryOf());

    private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

    @SuppressWarnings("ImmutableEnumChecker") // a factory without state
    private final Factory<? extends ExpiryPolicy> policy;

    Lifetime(Factory<? extends ExpiryPolicy> policy) {
        this.policy = policy;
    }

    Factory<? extends ExpiryPolicy> policy() {
        return policy;
    }

    boolean isLimited() {
        return this != ETERNAL;
    }

    long millis() {
        return HOUR_MILLIS;
    }
}
