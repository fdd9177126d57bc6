// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import java.util.Random;
import java.util.function.Supplier;

/** Draws the ids of incarnations. */
public final class RandomIds implements Supplier<String> {
    private final Random random;

    public RandomIds(Random random) {
        this.random = random;
    }

    @Override
    public String get() {
        return "%016x".formatted(random.nextLong());
    }
}
