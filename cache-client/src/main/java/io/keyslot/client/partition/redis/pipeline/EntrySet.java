// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.pipeline;

import io.keyslot.client.partition.redis.wire.Resp;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.netty.buffer.ByteBuf;

/**
 * A {@code SET} of an entry with an envelope. Its bytes are put together where they are sent from: the encoded value is not
 * copied before.
 *
 * @param epoch of the entry
 * @param options what stands behind the value
 */
public record EntrySet(EncodedKey key, Envelope envelope, int epoch, byte[]... options) implements Pipeline.Part {
    private static final byte[] SET = {'S', 'E', 'T'};

    @Override
    public byte[][] arguments() {
        byte[][] arguments = new byte[2 + options.length][];
        arguments[0] = key.bytes();
        arguments[1] = envelope.toBytes(key, epoch);
        System.arraycopy(options, 0, arguments, 2, options.length);
        return arguments;
    }

    @Override
    public void encode(ByteBuf buffer) {
        Resp.writeStart(buffer, SET, 2 + options.length);
        Resp.writeBulk(buffer, key.bytes());
        Resp.writeBulkStart(buffer, envelope.sizeBytes());
        buffer.writeBytes(envelope.headerBytes(key, epoch));
        envelope.read((bytes, offset, length, isShared) -> buffer.writeBytes(bytes, offset, length));
        Resp.writeBulkEnd(buffer);
        for (byte[] option : options) {
            Resp.writeBulk(buffer, option);
        }
    }
}
