// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import io.keyslot.slot.HashSlot;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes under which an entry is stored, with their slot, and what happens together with each write of the entry.
 * Immutable; equal if the bytes are.
 */
public final class EncodedKey {
    private final byte[] bytes;
    private final int slot;
    private final WriteEffects effects;
    private final StoredForm form;
    private final int checksum; // computed at once: a thread that reads answers is not to write into keys of others

    /** Takes over the bytes: the caller must not change them any more. */
    public EncodedKey(byte[] bytes) {
        this(bytes, HashSlot.of(bytes), checksumOf(bytes), WriteEffects.NONE, StoredForm.ENVELOPED);
    }

    private EncodedKey(byte[] bytes, int slot, int checksum, WriteEffects effects, StoredForm form) {
        this.bytes = bytes;
        this.slot = slot;
        this.checksum = checksum;
        this.effects = effects;
        this.form = form;
    }

    /** As the constructor, for bytes whose slot is known already. */
    public static EncodedKey inSlot(int slot, byte[] bytes) {
        return new EncodedKey(bytes, slot, checksumOf(bytes), WriteEffects.NONE, StoredForm.ENVELOPED);
    }

    public static EncodedKey of(String text) {
        return new EncodedKey(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the bytes themselves, not a copy: they must not be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the hash slot. */
    public int slot() {
        return slot;
    }

    /** Returns the same key, to be listed in the index of its group whenever an entry is stored, if it is a member of one. */
    public EncodedKey indexed() {
        return isMember() ? with(WriteEffects.INDEXED) : this;
    }

    /** Returns the same key with other effects. */
    public EncodedKey with(WriteEffects others) {
        return new EncodedKey(bytes, slot, checksum, others, form);
    }

    /** Returns the same key, under which the value stands alone. */
    public EncodedKey raw() {
        return new EncodedKey(bytes, slot, checksum, effects, StoredForm.RAW);
    }

    /** Returns what stands under the key if it is an entry. */
    public StoredForm form() {
        return form;
    }

    /** An application's string has no brace: where there is one, it begins the hash tag. */
    private boolean isMember() {
        for (byte character : bytes) {
            if (character == '{') {
                return true;
            }
        }
        return false;
    }

    /** Returns what happens together with each write of the entry. */
    public WriteEffects effects() {
        return effects;
    }

    /** Returns the number of bytes. */
    public int length() {
        return bytes.length;
    }

    /** Returns the key as text, as {@code redis-cli} would show it. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the checksum as an envelope has it. */
    public byte[] checksumBytes() {
        return ByteBuffer.allocate(Integer.BYTES).putInt(checksum).array();
    }

    /** Returns the CRC-32C of the bytes, by which an entry knows the key that it was written for. */
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

    /** Returns slot and length only: the content of a key belongs in no log. */
    @Override
    public String toString() {
        return "key of " + bytes.length + " bytes in slot " + slot;
    }
}
