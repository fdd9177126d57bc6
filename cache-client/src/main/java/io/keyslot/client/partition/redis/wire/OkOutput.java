// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;

/** Decodes the status {@code OK} without creating a string. */
final class OkOutput extends CommandOutput<byte[], byte[], Boolean> {
    OkOutput() {
        super(ByteArrayCodec.INSTANCE, false);
    }

    @Override
    public void set(ByteBuffer bytes) {
        output = bytes != null && bytes.remaining() == 2 && bytes.get() == 'O' && bytes.get() == 'K';
    }
}
