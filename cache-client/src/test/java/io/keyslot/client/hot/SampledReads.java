// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.hot;

import java.time.Duration;
import java.util.function.Supplier;

/** Reads by a clock of their own, of which samples choose some. */
final class SampledReads {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Supplier<ReadSample> next;
    private long now;
    private long counted;
    private double weights;

    /** @param next the sample of the cache that is read next */
    SampledReads(Supplier<ReadSample> next) {
        this.next = next;
    }

    /** Reads so often, and counts from the beginning. */
    void read(int aSecond, int seconds) {
        counted = 0;
        weights = 0;
        for (int i = 0; i < aSecond * seconds; i++) {
            now += SECOND / aSecond;
            ReadSample sample = next.get();
            int weight = sample.chosen();
            if (weight > 0) {
                sample.counted(now);
                counted++;
                weights += weight;
            }
        }
    }

    /** Returns how many were counted the last time. */
    long counted() {
        return counted;
    }

    /** Returns how many they stand for. */
    double weights() {
        return weights;
    }
}
