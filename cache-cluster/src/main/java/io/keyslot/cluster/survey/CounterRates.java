// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.survey;

import io.keyslot.client.partition.TrafficCommand.Counters;
import java.time.Duration;
import java.util.Optional;

/**
 * What a partition has counted in a second, all of its clients together.
 *
 * @param commands executed
 * @param found keys looked up that were there
 * @param missed keys looked up that were not there
 * @param evicted keys given up for want of memory
 * @param expired keys whose time was over
 */
public record CounterRates(double commands, double found, double missed, double evicted, double expired) {
    private static final double NANOS_OF_A_SECOND = 1e9;

    /** Returns the rates between two looks; nothing if the partition has begun to count anew in between. */
    public static Optional<CounterRates> between(Counters before, Counters after, Duration apart) {
        double seconds = apart.toNanos() / NANOS_OF_A_SECOND;
        boolean goesOn = after.commands() >= before.commands()
                && after.found() >= before.found()
                && after.missed() >= before.missed()
                && after.evicted() >= before.evicted()
                && after.expired() >= before.expired();
        return goesOn && seconds > 0
                ? Optional.of(new CounterRates(
                        (after.commands() - before.commands()) / seconds,
                        (after.found() - before.found()) / seconds,
                        (after.missed() - before.missed()) / seconds,
                        (after.evicted() - before.evicted()) / seconds,
                        (after.expired() - before.expired()) / seconds))
                : Optional.empty();
    }

    /** Returns which part of the keys looked up was there; nothing if none was looked up. */
    public Optional<Double> hitRatio() {
        return found + missed > 0 ? Optional.of(found / (found + missed)) : Optional.empty();
    }
}
