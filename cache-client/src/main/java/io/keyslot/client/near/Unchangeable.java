// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.Currency;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/**
 * Determines which classes have immutable values, which may be shared: known JDK classes, those of {@code java.time}, enums,
 * and records of these.
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
            Locale.class);

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

    private static boolean isOfTime(Class<?> type) {
        return type.getPackageName().equals("java.time") && Modifier.isFinal(type.getModifiers());
    }

    private static boolean isOne(Class<?> type, Set<Class<?>> open) {
        if (KNOWN.contains(type) || isOfTime(type) || type.isPrimitive() || Enum.class.isAssignableFrom(type)) {
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
