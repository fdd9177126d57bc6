// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.Reply;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The {@link WarmUp} of one partition while there is one. Safe for use by several threads. */
final class WarmUps {
    private final Timing timing;
    private final AtomicReference<@Nullable WarmUp> present = new AtomicReference<>();

    WarmUps(Timing timing) {
        this.timing = timing;
    }

    /** The partition is back. */
    void begin(long now) {
        present.set(new WarmUp(now));
    }

    /** Returns whether to store a value that was loaded. */
    boolean admitsLoad() {
        WarmUp warmUp = underWay();
        return warmUp == null
                || timing.random().nextDouble() < warmUp.share(timing.ticker().nanos());
    }

    void learnFrom(Reply<?> reply) {
        WarmUp warmUp = underWay();
        if (warmUp != null) {
            warmUp.learnFrom(reply);
        }
    }

    /** Without a warm-up this is no more than a look: it is asked with every reply. */
    private @Nullable WarmUp underWay() {
        WarmUp warmUp = present.get();
        if (warmUp == null || !warmUp.isOver(timing.ticker().nanos())) {
            return warmUp;
        }
        present.compareAndSet(warmUp, null); // unless the partition has come back once more
        return null;
    }
}
