// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.jspecify.annotations.Nullable;

/** An expiry policy of an application, which is asked about each entry. Nothing expires. */
final class OwnExpiry implements ExpiryPolicy {
    @Override
    public Duration getExpiryForCreation() {
        return Duration.ETERNAL;
    }

    @Override
    public @Nullable Duration getExpiryForAccess() {
        return null;
    }

    @Override
    public Duration getExpiryForUpdate() {
        return Duration.ETERNAL;
    }
}
