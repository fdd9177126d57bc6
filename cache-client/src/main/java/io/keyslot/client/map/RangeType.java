// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.KeyText;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The type of the ids in ranges, with an order that is the same on every machine. Each type parses its usual form from
 * the bytes of a key, because that is done for each call. The JDK parses other forms.
 */
public enum RangeType {
    /** 64-bit integers. */
    NUMBER {
        @Override
        long number(IdText id) {
            int sign = id.hasAt(0, '-') ? 1 : 0;
            int digits = id.length() - sign;
            long number = digits < 1 || digits > 18 ? -1 : id.digits(sign, id.length());
            if (number < 0) {
                return NO_NUMBER;
            }
            return sign == 0 ? number : -number;
        }

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

    /** Texts in the order of their UTF-8 bytes. */
    TEXT {
        @Override
        Rank parsed(String id) {
            return Rank.text(KeyText.unescape(id).getBytes(StandardCharsets.UTF_8));
        }
    },

    /** UUIDs in the order of their texts (unsigned), unlike {@link UUID#compareTo}. */
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

    /** Instants such as {@code 2026-11-22T10:15:30Z}. */
    INSTANT {
        @Override
        long number(IdText id) {
            if (id.length() != 20
                    || !id.hasAt(10, 'T')
                    || !id.hasAt(13, ':')
                    || !id.hasAt(16, ':')
                    || !id.hasAt(19, 'Z')) {
                return NO_NUMBER;
            }
            long day = dayOf(id);
            long hour = id.digits(11, 13);
            long minute = id.digits(14, 16);
            long second = id.digits(17, 19);
            boolean isUsual = day != NO_NUMBER && isIn(hour, 23) && isIn(minute, 59) && isIn(second, 59);
            return isUsual ? day * SECONDS_OF_A_DAY + (hour * 60 + minute) * 60 + second : NO_NUMBER;
        }

        @Override
        Rank parsed(String id) {
            LocalDateTime time = LocalDateTime.ofInstant(Instant.parse(id), ZoneOffset.UTC);
            return Rank.signed(
                    dayNumber(time.getYear(), time.getMonthValue(), time.getDayOfMonth()) * SECONDS_OF_A_DAY
                            + time.toLocalTime().toSecondOfDay(),
                    time.get(ChronoField.NANO_OF_SECOND));
        }
    },

    /** Dates such as {@code 2026-11-22}. */
    DATE {
        @Override
        long number(IdText id) {
            return id.length() == 10 ? dayOf(id) : NO_NUMBER;
        }

        @Override
        Rank parsed(String id) {
            LocalDate day = LocalDate.parse(id);
            return Rank.signed(dayNumber(day.getYear(), day.getMonthValue(), day.getDayOfMonth()), 0);
        }
    };

    private static final long SECONDS_OF_A_DAY = 86_400;

    /** Stands for an id in another form, or of a type that is not ordered by one number. */
    static final long NO_NUMBER = Long.MIN_VALUE;

    /**
     * Returns the signed number that ranks an id in the usual form; {@link #NO_NUMBER} to use {@link #order} instead.
     */
    long number(IdText id) {
        return NO_NUMBER;
    }

    /** Returns the rank of an id in any form; returns null or throws if it does not have this type. */
    abstract @Nullable Rank parsed(String id);

    /** Returns the rank of an id, null if it does not have this type. */
    public @Nullable Rank order(IdText id) {
        long number = number(id);
        if (number != NO_NUMBER) {
            return Rank.signed(number, 0);
        }
        try {
            return parsed(id.toString());
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

    /** Returns the day at the beginning of an id with at least ten characters, or {@link #NO_NUMBER}. */
    private static long dayOf(IdText id) {
        if (!id.hasAt(4, '-') || !id.hasAt(7, '-')) {
            return NO_NUMBER;
        }
        long year = id.digits(0, 4);
        long month = id.digits(5, 7);
        long day = id.digits(8, 10);
        boolean isDay = year >= 0 && isIn(month, 12) && month > 0 && isIn(day, 31) && day > 0;
        if (!isDay || (day > 28 && day > YearMonth.of((int) year, (int) month).lengthOfMonth())) {
            return NO_NUMBER;
        }
        return dayNumber(year, month, day);
    }

    /** Returns a number that increases with the day; for comparison only. */
    private static long dayNumber(long year, long month, long day) {
        return (year * 12 + month - 1) * 32 + day;
    }

    private static boolean isIn(long number, long most) {
        return number >= 0 && number <= most;
    }
}
