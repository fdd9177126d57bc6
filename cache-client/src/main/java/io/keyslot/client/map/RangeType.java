// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.stored.Element;
import io.keyslot.slot.KeyText;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The type of the ids in ranges, with an order that is the same on every machine: that of the bytes of their ranks. */
@SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
public enum RangeType {
    /** 64-bit integers. */
    NUMBER(RangeType::rankOfNumber),

    /** Texts in the order of their UTF-8 bytes. */
    TEXT(id -> Element.of(KeyText.unescape(id))),

    /** UUIDs in the order of their texts (unsigned), unlike {@link java.util.UUID#compareTo}. */
    UUID(RangeType::rankOfUuid),

    /** Instants such as {@code 2026-11-22T10:15:30Z}. */
    INSTANT(RangeType::rankOfInstant),

    /** Dates such as {@code 2026-11-22}. */
    DATE(id -> rank(LocalDate.parse(id).toEpochDay(), 0));

    private static final Pattern DIGITS = Pattern.compile("-?[0-9]{1,19}");

    private final Function<String, Element> ranks;

    RangeType(Function<String, Element> ranks) {
        this.ranks = ranks;
    }

    /** Returns the rank of an id; null if it does not have this type. */
    public @Nullable Element order(String id) {
        try {
            return ranks.apply(id);
        } catch (IllegalArgumentException | DateTimeException e) {
            return null;
        }
    }

    private static Element rankOfNumber(String id) {
        if (!DIGITS.matcher(id).matches()) {
            throw new IllegalArgumentException("no number");
        }
        return rank(Long.parseLong(id), 0);
    }

    private static Element rankOfInstant(String id) {
        Instant instant = Instant.parse(id);
        return rank(instant.getEpochSecond(), instant.getNano());
    }

    private static Element rankOfUuid(String id) {
        String text = java.util.UUID.fromString(id).toString();
        if (!text.equals(id.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("a short form of a UUID");
        }
        return Element.of(text);
    }

    private static Element rank(long first, int second) {
        return Element.of(ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(first ^ Long.MIN_VALUE) // unsigned in the same order
                .putInt(second)
                .array());
    }
}
