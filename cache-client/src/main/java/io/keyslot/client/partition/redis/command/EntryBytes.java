// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.redis.wire.Resp;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.StoredForm;
import io.netty.buffer.ByteBuf;

/** Encodes a key and its entry as two arguments, directly into the send buffer, without a copy of the value. */
final class EntryBytes {
    private EntryBytes() {}

    static void write(ByteBuf buffer, EncodedKey key, Envelope envelope, int epoch) {
        Resp.writeBulk(buffer, key.bytes());
        if (key.form() != StoredForm.ENVELOPED) {
            Resp.writeBulk(buffer, key.form().bytes(key, epoch, envelope));
            return;
        }
        Resp.writeBulkStart(buffer, envelope.sizeBytes());
        buffer.writeBytes(envelope.headerBytes(key, epoch));
        envelope.read((bytes, offset, length, isShared) -> buffer.writeBytes(bytes, offset, length));
        Resp.writeBulkEnd(buffer);
    }
}
