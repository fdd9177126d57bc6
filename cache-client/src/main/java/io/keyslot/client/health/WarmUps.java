// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.Reply;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

final class WarmUps {
    private final Timing timing;
    private final AtomicReference<@Nullable WarmUp> present = new AtomicReference<>();

    WarmUps(Timing timing) {
        this.timing = timing;
    }

    void begin(long now) {
        present.set(new WarmUp(now));
    }

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

    /** Called for each reply; without a warm-up it costs one field read. */
    private @Nullable WarmUp underWay() {
        WarmUp warmUp = present.get();
        if (warmUp == null || !warmUp.isOver(timing.ticker().nanos())) {
            return warmUp;
        }
        present.compareAndSet(warmUp, null); // unless another warm-up has begun
        return null;
    }
}
