// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.client.entry.CacheCounters;

/** Records hits and misses in the current call, besides the statistics. */
final class ObservedCounters extends CacheCounters {
    private final MicrometerObservations observations;

    ObservedCounters(boolean enabled, MicrometerObservations observations) {
        super(enabled);
        this.observations = observations;
    }

    @Override
    public void hits(long count) {
        super.hits(count);
        RunningCall call = count > 0 ? observations.currentCall() : null;
        if (call != null) {
            call.hit();
        }
    }

    @Override
    public void misses(long count) {
        super.misses(count);
        RunningCall call = count > 0 ? observations.currentCall() : null;
        if (call != null) {
            call.miss();
        }
    }
}
