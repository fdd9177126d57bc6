// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import java.util.concurrent.TimeUnit;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.jspecify.annotations.Nullable;

/** How long the entries of a program live. */
enum Lifetime {
    ETERNAL(false, false, false) {
        @Override
        ExpiryPolicy policy() {
            return new EternalExpiryPolicy();
        }
    },
    CREATED(true, false, false) {
        @Override
        ExpiryPolicy policy() {
            return new CreatedExpiryPolicy(LONG);
        }
    },
    MODIFIED(true, true, false) {
        @Override
        ExpiryPolicy policy() {
            return new ModifiedExpiryPolicy(LONG);
        }
    },
    ACCESSED(true, false, true) {
        @Override
        ExpiryPolicy policy() {
            return new AccessedExpiryPolicy(LONG);
        }
    },
    TOUCHED(true, true, true) {
        @Override
        ExpiryPolicy policy() {
            return new TouchedExpiryPolicy(LONG);
        }
    },
    /** By a policy of the application, which is asked about each entry. */
    OWN_ETERNAL(false, false, false) {
        @Override
        ExpiryPolicy policy() {
            return new Own(this);
        }
    },
    /** By a policy of the application, which is asked about each entry. */
    OWN_TOUCHED(true, true, true) {
        @Override
        ExpiryPolicy policy() {
            return new Own(this);
        }
    };

    /** How long an entry lives that does not live for ever. */
    static final long NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Duration LONG = new Duration(TimeUnit.MILLISECONDS, TimeUnit.NANOSECONDS.toMillis(NANOS));

    private final boolean fromCreation;
    private final boolean fromUpdate;
    private final boolean fromAccess;

    Lifetime(boolean fromCreation, boolean fromUpdate, boolean fromAccess) {
        this.fromCreation = fromCreation;
        this.fromUpdate = fromUpdate;
        this.fromAccess = fromAccess;
    }

    abstract ExpiryPolicy policy();

    boolean isTimed() {
        return fromCreation;
    }

    /** Returns whether an update lets the time begin anew. */
    boolean isFromUpdate() {
        return fromUpdate;
    }

    /** Returns whether an access lets the time begin anew. */
    boolean isFromAccess() {
        return fromAccess;
    }

    boolean isOwn() {
        return this == OWN_ETERNAL || this == OWN_TOUCHED;
    }

    /** A policy of an application. */
    private record Own(Lifetime lifetime) implements ExpiryPolicy {
        @Override
        public Duration getExpiryForCreation() {
            return lifetime.fromCreation ? LONG : Duration.ETERNAL;
        }

        @Override
        public @Nullable Duration getExpiryForAccess() {
            return lifetime.fromAccess ? LONG : null;
        }

        @Override
        public Duration getExpiryForUpdate() {
            return lifetime.fromUpdate ? LONG : Duration.ETERNAL;
        }
    }
}
