// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.KeyText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the ids are that a placement puts into ranges, and their order. Each id becomes bytes that are compared without
 * sign: that is the order of the ids, the same on every machine.
 */
public enum RangeType {
    /** Whole numbers of 64 bits. */
    NUMBER {
        @Override
        byte @Nullable [] parsed(String id) {
            int digits = id.startsWith("-") ? id.length() - 1 : id.length();
            if (digits < 1 || digits > 19 || !isNumber(id)) {
                return null;
            }
            return eight(Long.parseLong(id));
        }
    },

    /** Texts, by their UTF-8 form, which knows no language. */
    TEXT {
        @Override
        byte @Nullable [] parsed(String id) {
            return KeyText.unescape(id).getBytes(StandardCharsets.UTF_8);
        }
    },

    /** UUIDs, without sign: as their texts, and not as {@link UUID#compareTo}. */
    UUID {
        @Override
        byte @Nullable [] parsed(String id) {
            if (id.length() != 36) {
                return null;
            }
            UUID uuid = java.util.UUID.fromString(id);
            return ByteBuffer.allocate(16)
                    .putLong(uuid.getMostSignificantBits())
                    .putLong(uuid.getLeastSignificantBits())
                    .array();
        }
    },

    /** Moments: {@code 2026-11-22T10:15:30Z}. */
    INSTANT {
        @Override
        byte @Nullable [] parsed(String id) {
            if (id.length() == 20 && hasFourDigitYear(id) && id.endsWith("Z")) {
                long day = LocalDate.of(digits(id, 0, 4), digits(id, 5, 7), digits(id, 8, 10))
                        .toEpochDay();
                long second = digits(id, 11, 13) * 3600L + digits(id, 14, 16) * 60L + digits(id, 17, 19);
                return twelve(day * 86_400 + second, 0);
            }
            Instant instant = Instant.parse(id);
            return twelve(instant.getEpochSecond(), instant.getNano());
        }
    },

    /** Days: {@code 2026-11-22}. */
    DATE {
        @Override
        byte @Nullable [] parsed(String id) {
            LocalDate day = id.length() == 10 && hasFourDigitYear(id)
                    ? LocalDate.of(digits(id, 0, 4), digits(id, 5, 7), digits(id, 8, 10))
                    : LocalDate.parse(id);
            return eight(day.toEpochDay());
        }
    };

    /** Returns the bytes of an id of this type; null, or an exception, if it is none. */
    abstract byte @Nullable [] parsed(String id);

    /** Returns the bytes by which an id is compared, null if it is not of this type. */
    byte @Nullable [] order(String id) {
        try {
            return parsed(id);
        } catch (IllegalArgumentException | DateTimeException e) {
            return null;
        }
    }

    private static boolean isNumber(String id) {
        for (int i = id.startsWith("-") ? 1 : 0; i < id.length(); i++) {
            if (id.charAt(i) < '0' || id.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private static boolean hasFourDigitYear(String id) {
        return id.charAt(4) == '-' && id.charAt(0) != '-' && id.charAt(0) != '+';
    }

    private static int digits(String id, int from, int to) {
        return Integer.parseInt(id, from, to, 10);
    }

    /** Returns a number with sign as bytes without. */
    private static byte[] eight(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number ^ Long.MIN_VALUE).array();
    }

    private static byte[] twelve(long second, int nanos) {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(second ^ Long.MIN_VALUE)
                .putInt(nanos)
                .array();
    }
}
