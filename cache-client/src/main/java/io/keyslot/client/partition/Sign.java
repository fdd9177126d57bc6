// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.ProbeKey;
import java.time.Duration;

/**
 * Something that is left at one address for a moment, and looked for at another: it is there if both lead to the same data. It is no
 * entry, and no scan shows it.
 *
 * @param number another for each sign
 * @param step what is done before it is looked whether the sign is there
 */
public record Sign(long number, Step step) {
    /** A sign that nobody has removed is gone after so long. */
    public static final Duration KEPT = Duration.ofSeconds(60);

    /** What is done with a sign. */
    public enum Step {
        LOOK,
        LEAVE,
        REMOVE
    }

    /** Returns where it is kept. */
    public EncodedKey key() {
        return ProbeKey.of(number);
    }

    /** Returns the same sign for another step. */
    public Sign to(Step next) {
        return new Sign(number, next);
    }

    /**
     * What an address shows.
     *
     * @param runId what the server draws when it starts; empty if it does not say
     * @param isThere whether the sign is there, after the step
     */
    public record Sighting(String runId, boolean isThere) {
        /** Returns whether these are two servers, whatever signs they show. */
        public boolean isOfAnotherServerThan(Sighting other) {
            return !runId.isEmpty() && !other.runId.isEmpty() && !runId.equals(other.runId);
        }
    }
}
