// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The methods of an engine {@code S} that answer commands, by the type of the command. Complete before it is used.
 *
 * @param <C> the commands
 * @param <A> the answers
 */
public final class Handlers<S, C, A> {
    private final Map<Class<?>, BiFunction<S, C, A>> byType = new HashMap<>();

    /** Adds the method for a type of commands; a sealed one stands for all its types. */
    public <T> Handlers<S, C, A> on(Class<T> type, BiFunction<S, T, ? extends A> method) {
        add(type, (engine, command) -> method.apply(engine, type.cast(command)));
        return this;
    }

    private void add(Class<?> type, BiFunction<S, C, A> method) {
        if (type.isSealed()) {
            for (Class<?> each : type.getPermittedSubclasses()) {
                add(each, method);
            }
        } else {
            byType.put(type, method);
        }
    }

    public A answer(S engine, C command) {
        BiFunction<S, C, A> method = byType.get(command.getClass());
        if (method == null) {
            throw new IllegalArgumentException(
                    command.getClass().getSimpleName() + " is not a command that a partition answers");
        }
        return method.apply(engine, command);
    }
}
