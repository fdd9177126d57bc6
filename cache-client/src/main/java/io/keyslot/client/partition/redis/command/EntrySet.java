// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.redis.wire.Resp;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** A {@code SET} of an entry with an envelope; the options follow the value. */
public record EntrySet(EncodedKey key, Envelope envelope, int epoch, List<byte[]> options) implements Pipeline.Part {
    private static final byte[] SET = {'S', 'E', 'T'};

    @Override
    public byte[][] arguments() {
        byte[][] arguments = new byte[2 + options.size()][];
        arguments[0] = key.bytes();
        arguments[1] = envelope.toBytes(key, epoch);
        for (int i = 0; i < options.size(); i++) {
            arguments[2 + i] = options.get(i);
        }
        return arguments;
    }

    @Override
    public void encode(ByteBuf buffer) {
        Resp.writeStart(buffer, SET, 2 + options.size());
        EntryBytes.write(buffer, key, envelope, epoch);
        for (byte[] option : options) {
            Resp.writeBulk(buffer, option);
        }
    }
}
