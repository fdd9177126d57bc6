// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.ProbeKey;
import java.time.Duration;

/**
 * A temporary key that is written at one address and looked up at another, to check whether both addresses lead to the
 * same data. It is not an entry, and scans do not show it. Its number is unique.
 */
public record Sign(long number, Step step) {
    /** The lifetime of a sign that is not removed. */
    public static final Duration KEPT = Duration.ofSeconds(60);

    public enum Step {
        LOOK,
        LEAVE,
        REMOVE
    }

    public EncodedKey key() {
        return ProbeKey.of(number);
    }

    public Sign to(Step next) {
        return new Sign(number, next);
    }

    /**
     * The result of a check: the server's random run id, empty if unknown, and whether the sign exists after the step.
     */
    public record Sighting(String runId, boolean isThere) {
        /** Returns whether the run ids prove that these are two servers, whatever their signs. */
        public boolean isOfAnotherServerThan(Sighting other) {
            return !runId.isEmpty() && !other.runId.isEmpty() && !runId.equals(other.runId);
        }
    }
}
