// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.KeyText;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the ids are that a placement puts into ranges, and their order, which is the same on every machine.
 */
public enum RangeType {
    /** Whole numbers of 64 bits. */
    NUMBER {
        @Override
        @Nullable
        Rank parsed(String id) {
            int digits = id.startsWith("-") ? id.length() - 1 : id.length();
            if (digits < 1 || digits > 19 || !isNumber(id)) {
                return null;
            }
            return Rank.signed(Long.parseLong(id), 0);
        }
    },

    /** Texts, by their UTF-8 form, which knows no language. */
    TEXT {
        @Override
        @Nullable
        Rank parsed(String id) {
            return Rank.text(KeyText.unescape(id).getBytes(StandardCharsets.UTF_8));
        }
    },

    /** UUIDs, without sign: as their texts, and not as {@link UUID#compareTo}. */
    UUID {
        @Override
        @Nullable
        Rank parsed(String id) {
            if (id.length() != 36) {
                return null;
            }
            UUID uuid = java.util.UUID.fromString(id);
            return Rank.unsigned(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
        }
    },

    /** Moments: {@code 2026-11-22T10:15:30Z}. */
    INSTANT {
        @Override
        @Nullable
        Rank parsed(String id) {
            if (id.length() == 20 && hasFourDigitYear(id) && id.endsWith("Z")) {
                long day = LocalDate.of(digits(id, 0, 4), digits(id, 5, 7), digits(id, 8, 10))
                        .toEpochDay();
                long second = digits(id, 11, 13) * 3600L + digits(id, 14, 16) * 60L + digits(id, 17, 19);
                return Rank.signed(day * 86_400 + second, 0);
            }
            Instant instant = Instant.parse(id);
            return Rank.signed(instant.getEpochSecond(), instant.getNano());
        }
    },

    /** Days: {@code 2026-11-22}. */
    DATE {
        @Override
        @Nullable
        Rank parsed(String id) {
            LocalDate day = id.length() == 10 && hasFourDigitYear(id)
                    ? LocalDate.of(digits(id, 0, 4), digits(id, 5, 7), digits(id, 8, 10))
                    : LocalDate.parse(id);
            return Rank.signed(day.toEpochDay(), 0);
        }
    };

    /** Returns the rank of an id of this type; null, or an exception, if it is none. */
    abstract @Nullable Rank parsed(String id);

    /** Returns where an id stands among those of this type, null if it is not of this type. */
    @Nullable
    Rank order(String id) {
        try {
            return parsed(id);
        } catch (IllegalArgumentException | DateTimeException e) {
            return null;
        }
    }

    /** Returns ranges in the order of their bounds; one whose bounds are not of this type comes last. */
    public List<PlacedRange> inOrder(List<PlacedRange> ranges) {
        Comparator<@Nullable Rank> ranks = Comparator.nullsLast(Comparator.naturalOrder());
        return ranges.stream()
                .sorted(Comparator.comparing((PlacedRange range) -> range.low() != null)
                        .thenComparing(range -> range.low() == null ? null : order(range.low()), ranks))
                .toList();
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
}
