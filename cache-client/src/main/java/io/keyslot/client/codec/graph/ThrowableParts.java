// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.allow.KnownClasses;
import java.io.ObjectStreamClass;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How the part of an exception that belongs to the JDK is made again: by a public constructor, from what the exception
 * says about itself. Its cause, stack trace and suppressed exceptions are set afterwards, as they are for every exception.
 *
 * @param type the class with the constructor
 * @param parameters those of the constructor
 * @param parts what is written: the arguments of the constructor, then what else is set afterwards
 * @param count how many parts there are
 * @param finish sets what the constructor did not
 */
record ThrowableParts<T extends Throwable>(
        Class<T> type,
        List<Class<?>> parameters,
        Function<T, @Nullable Object[]> parts,
        int count,
        BiConsumer<T, @Nullable Object[]> finish) {

    private static final ThrowableParts<Throwable> MESSAGE = new ThrowableParts<>(
            Throwable.class,
            List.of(String.class),
            throwable -> new @Nullable Object[] {RawMessage.of(throwable)},
            1,
            (throwable, parts) -> {});

    /** Java serialization writes their cause a second time, under an old name. */
    private static final Set<Class<?>> WITHOUT_STATE = Set.of(
            ClassNotFoundException.class,
            ExceptionInInitializerError.class,
            java.lang.reflect.UndeclaredThrowableException.class,
            java.security.PrivilegedActionException.class);

    ThrowableParts {
        parameters = List.copyOf(parameters);
    }

    /** Returns how the JDK's part of an exception is made, null if it has state that cannot be set. */
    static @Nullable ThrowableParts<?> of(Class<?> type) {
        for (Class<?> current = type; current != Throwable.class; current = current.getSuperclass()) {
            ThrowableParts<?> parts = JdkThrowables.of(current);
            if (parts != null) {
                return parts;
            }
            if (KnownClasses.isJdk(current.getName()) && hasState(current)) {
                return null;
            }
        }
        return MESSAGE;
    }

    private static boolean hasState(Class<?> type) {
        return !WITHOUT_STATE.contains(type) && ObjectStreamClass.lookup(type).getFields().length > 0;
    }

    /** Returns a constructor that makes objects of the class, which is the type or below it. */
    Constructor<?> constructorFor(Class<?> below) {
        try {
            return InheritedConstructor.of(below, type.getConstructor(parameters.toArray(Class<?>[]::new)));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("%s has no such constructor".formatted(type), e);
        }
    }

    @Nullable
    Object[] of(Throwable throwable) {
        return parts.apply(type.cast(throwable));
    }

    Throwable construct(Constructor<?> constructor, @Nullable Object[] values) {
        return (Throwable) Reflection.construct(constructor, Arrays.copyOf(values, parameters.size()));
    }

    void finish(Throwable throwable, @Nullable Object[] values) {
        finish.accept(type.cast(throwable), values);
    }
}
