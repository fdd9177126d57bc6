// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

/** The payload is all that is stored. */
public final class Envelope {
    public byte[] toBytes(EncodedKey key, int epoch) {
        return payloadOffset == 0 ? bytes : Arrays.copyOfRange(bytes, payloadOffset, bytes.length);
    }

    public static Lookup read(EncodedKey key, int epoch, byte[] stored) {
        return Lookup.of(new Envelope((byte) 0, 1, 0, stored, 0, false));
    }
}
