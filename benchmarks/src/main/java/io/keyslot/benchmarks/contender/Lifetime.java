// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import java.util.concurrent.TimeUnit;
import javax.cache.configuration.Factory;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;

/** How long entries live. */
public enum Lifetime {
    /** An hour from their last write on: what one {@code SET} with {@code PX} does. */
    MODIFIED {
        @Override
        Factory<? extends ExpiryPolicy> policy() {
            return ModifiedExpiryPolicy.factoryOf(Duration.ONE_HOUR);
        }
    },

    /** An hour from their creation on. Contenders without JCache do as if it were {@link #MODIFIED}. */
    CREATED {
        @Override
        Factory<? extends ExpiryPolicy> policy() {
            return CreatedExpiryPolicy.factoryOf(Duration.ONE_HOUR);
        }
    },

    /** For ever. */
    ETERNAL {
        @Override
        Factory<? extends ExpiryPolicy> policy() {
            return EternalExpiryPolicy.factoryOf();
        }
    };

    private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

    /** Returns the policy of JCache. */
    abstract Factory<? extends ExpiryPolicy> policy();

    /** Returns whether entries expire. */
    boolean isLimited() {
        return this != ETERNAL;
    }

    /** Returns the time to live of entries that expire. */
    long millis() {
        return HOUR_MILLIS;
    }
}
