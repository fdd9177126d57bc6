// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import io.keyslot.slot.HashSlot;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The stored bytes of a key, with its slot, and what each write of its entry does besides. Immutable; compared by the
 * bytes.
 */
public final class EncodedKey {
    private static final String COPIES = "keyslot:gutter:";

    private final byte[] bytes;
    private final int slot;
    private final Effects effects;
    private final StoredForm form;
    private final int checksum; // computed eagerly, so that reader threads never write to shared keys

    /** What a write of an entry does in the same atomic step; one object, so that keys without effects stay small. */
    private record Effects(boolean isIndexed, @Nullable Feed feed) {
        static final Effects NONE = new Effects(false, null);
        static final Effects INDEX = new Effects(true, null);
    }

    /** Creates a key without copying the bytes, which must not change any more. */
    public EncodedKey(byte[] bytes) {
        this(bytes, HashSlot.of(bytes), checksumOf(bytes), Effects.NONE, StoredForm.ENVELOPED);
    }

    private EncodedKey(byte[] bytes, int slot, int checksum, Effects effects, StoredForm form) {
        this.bytes = bytes;
        this.slot = slot;
        this.checksum = checksum;
        this.effects = effects;
        this.form = form;
    }

    public static EncodedKey inSlot(int slot, byte[] bytes) {
        return new EncodedKey(bytes, slot, checksumOf(bytes), Effects.NONE, StoredForm.ENVELOPED);
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
        return isOfGroup() ? with(effects.feed == null ? Effects.INDEX : new Effects(true, effects.feed)) : this;
    }

    /** Returns the key such that each change of its entry is appended to a feed, or to none. */
    public EncodedKey in(@Nullable Feed feed) {
        return Objects.equals(feed, effects.feed) ? this : with(new Effects(effects.isIndexed, feed));
    }

    private EncodedKey with(Effects other) {
        return new EncodedKey(bytes, slot, checksum, other, form);
    }

    /** Returns the same key, for a value without an envelope. */
    public EncodedKey raw() {
        return new EncodedKey(bytes, slot, checksum, effects, StoredForm.RAW);
    }

    public StoredForm form() {
        return form;
    }

    /**
     * Returns the key of a copy of the entry, which is kept elsewhere while the partition of the entry is missing. Each
     * number leads to another slot. Copies end soon and can be lost, so moves of slots leave them where they are.
     */
    public EncodedKey copy(int number) {
        return of(COPIES + "{" + Integer.toHexString(checksum) + "." + number + "}" + text());
    }

    public boolean isCopy() {
        return text().startsWith(COPIES);
    }

    /** Returns the place of the key in a table of this size, a power of two; similar keys are spread. */
    public int placeIn(int places) {
        return (checksum * 0x9E37_79B9) >>> (Integer.SIZE - Integer.numberOfTrailingZeros(places));
    }

    /** Returns whether it belongs to a group, other than the entry of its root. Only a hash tag has a brace. */
    public boolean isOfGroup() {
        for (byte character : bytes) {
            if (character == '{') {
                return true;
            }
        }
        return false;
    }

    /** Returns whether each write of the entry lists its name in the index of its group, in the same atomic step. */
    public boolean isIndexed() {
        return effects.isIndexed;
    }

    /** Returns the feed to which each change of the entry is appended, in the same atomic step; null for none. */
    public @Nullable Feed feed() {
        return effects.feed;
    }

    /** Returns whether a write of the entry has to do something else in the same atomic step. */
    public boolean hasEffects() {
        return effects.isIndexed || effects.feed != null;
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
