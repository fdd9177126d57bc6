// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.MissCause;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.ReadHistory;
import io.keyslot.client.stored.EncodedKey;

/** Records the cause of a miss in the current call. */
final class ObservedHistory extends ReadHistory {
    private final MicrometerObservations observations;

    ObservedHistory(Ticker ticker, MicrometerObservations observations) {
        super(ticker);
        this.observations = observations;
    }

    @Override
    public MissCause missed(EncodedKey key, Answer.Kind kind) {
        MissCause cause = super.missed(key, kind);
        RunningCall call = observations.currentCall();
        if (call != null) {
            call.missed(cause);
        }
        return cause;
    }
}
