// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import io.keyslot.slot.HashSlot;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The stored bytes of a key, with its slot, and whether its entry is indexed. Immutable; compared by the bytes.
 */
public final class EncodedKey {
    private final byte[] bytes;
    private final int slot;
    private final boolean isIndexed;
    private final StoredForm form;
    private final int checksum; // computed eagerly, so that reader threads never write to shared keys

    /** Creates a key without copying the bytes, which must not change any more. */
    public EncodedKey(byte[] bytes) {
        this(bytes, HashSlot.of(bytes), checksumOf(bytes), false, StoredForm.ENVELOPED);
    }

    private EncodedKey(byte[] bytes, int slot, int checksum, boolean isIndexed, StoredForm form) {
        this.bytes = bytes;
        this.slot = slot;
        this.checksum = checksum;
        this.isIndexed = isIndexed;
        this.form = form;
    }

    public static EncodedKey inSlot(int slot, byte[] bytes) {
        return new EncodedKey(bytes, slot, checksumOf(bytes), false, StoredForm.ENVELOPED);
    }

    public static EncodedKey of(String text) {
        return new EncodedKey(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the bytes without copying them; they must not be changed. */
    public byte[] bytes() {
        return bytes;
    }

    public boolean startsWith(byte[] prefix) {
        return bytes.length >= prefix.length && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }

    public int slot() {
        return slot;
    }

    /** Returns the key of a member such that a write lists it in the index of its group; other keys unchanged. */
    public EncodedKey indexed() {
        return isMember() ? new EncodedKey(bytes, slot, checksum, true, form) : this;
    }

    /** Returns the same key, for a value without an envelope. */
    public EncodedKey raw() {
        return new EncodedKey(bytes, slot, checksum, isIndexed, StoredForm.RAW);
    }

    public StoredForm form() {
        return form;
    }

    /** Application strings contain no brace: a brace begins the hash tag. */
    private boolean isMember() {
        for (byte character : bytes) {
            if (character == '{') {
                return true;
            }
        }
        return false;
    }

    /** Returns whether each write of the entry lists its name in the index of its group, in the same atomic step. */
    public boolean isIndexed() {
        return isIndexed;
    }

    public int length() {
        return bytes.length;
    }

    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    public byte[] checksumBytes() {
        return ByteBuffer.allocate(Integer.BYTES).putInt(checksum).array();
    }

    /** Returns the CRC-32C of the bytes, which identifies the key in its entry. */
    int checksum() {
        return checksum;
    }

    private static int checksumOf(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EncodedKey key && checksum == key.checksum && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return checksum;
    }

    /** Returns slot and length only: the content of a key must not be logged. */
    @Override
    public String toString() {
        return "key of " + bytes.length + " bytes in slot " + slot;
    }
}
