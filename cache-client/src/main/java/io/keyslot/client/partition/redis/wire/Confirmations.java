// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;

/**
 * What {@code SUBSCRIBE} is answered: a push for each channel, where other commands have their reply, or an error, which is
 * one. So {@link ServerPushes} counts, and Lettuce reads nothing but the error.
 */
final class Confirmations extends CommandOutput<byte[], byte[], Boolean> {
    private int missing;

    Confirmations(int channels) {
        super(ByteArrayCodec.INSTANCE, true);
        this.missing = channels;
    }

    /** Counts a confirmation; returns whether it is the last one. */
    boolean isLast() {
        missing--;
        return missing == 0;
    }
}
