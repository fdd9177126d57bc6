// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;

/** The output of {@code SUBSCRIBE}: {@link ServerPushes} counts its pushes, and Lettuce reads only an error. */
final class Confirmations extends CommandOutput<byte[], byte[], Boolean> {
    private int missing;

    Confirmations(int channels) {
        super(ByteArrayCodec.INSTANCE, true);
        this.missing = channels;
    }

    boolean isLast() {
        missing--;
        return missing == 0;
    }
}
