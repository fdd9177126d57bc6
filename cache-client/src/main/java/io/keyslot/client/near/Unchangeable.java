// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Currency;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/**
 * Determines which classes have immutable values, which may be shared: known JDK classes, enums, and records of these.
 * Interfaces and classes that may have subclasses do not qualify.
 */
final class Unchangeable {
    private static final Set<Class<?>> KNOWN = Set.of(
            String.class,
            Boolean.class,
            Character.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            UUID.class,
            URI.class,
            Currency.class,
            Locale.class,
            Instant.class,
            Duration.class,
            Period.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            OffsetTime.class,
            OffsetDateTime.class,
            ZonedDateTime.class,
            ZoneOffset.class,
            Year.class,
            YearMonth.class,
            MonthDay.class,
            DayOfWeek.class,
            Month.class);

    /** Not final, so only values of exactly these classes qualify. */
    private static final Set<Class<?>> KNOWN_ALONE = Set.of(BigInteger.class, BigDecimal.class);

    private static final ClassValue<Boolean> ANSWERS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return KNOWN_ALONE.contains(type) || isOne(type, new HashSet<>());
        }
    };

    private Unchangeable() {}

    static boolean is(Object value) {
        return ANSWERS.get(value.getClass());
    }

    private static boolean isOne(Class<?> type, Set<Class<?>> open) {
        if (KNOWN.contains(type) || type.isPrimitive() || Enum.class.isAssignableFrom(type)) {
            return !type.equals(Enum.class);
        }
        if (!type.isRecord()) {
            return false;
        }
        if (open.add(type)) {
            for (RecordComponent component : type.getRecordComponents()) {
                if (!isOne(component.getType(), open)) {
                    return false;
                }
            }
        }
        return true;
    }
}
