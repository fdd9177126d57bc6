// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that goes only when it is told to. Starts shortly before its number overflows, as a real one may. */
final class ManualTicker implements Ticker {
    private final AtomicLong nanos =
            new AtomicLong(Long.MAX_VALUE - Duration.ofMillis(50).toNanos());

    @Override
    public long read() {
        return nanos.get();
    }

    void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }
}
