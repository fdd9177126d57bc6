// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.graph.Slot.Mark;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Optional;

/** The mark of a class that says by a {@code serialVersionUID} which version of itself it is. */
final class VersionMark {
    /** Without a number of its own, a class is the first version of itself. */
    private static final long FIRST_VERSION = 1;

    private VersionMark() {}

    /** Returns the mark; empty if the class is the first version. */
    static Optional<Slot> of(Class<?> layer) {
        long version = versionOf(layer);
        return version == FIRST_VERSION
                ? Optional.empty()
                : Optional.of(new Mark(Shape.id(layer.getName() + ' ' + version, Shape.MARK)));
    }

    private static long versionOf(Class<?> layer) {
        try {
            Field field = layer.getDeclaredField("serialVersionUID");
            boolean isVersion = Modifier.isStatic(field.getModifiers()) && field.getType() == long.class;
            return isVersion ? Reflection.open(field).getLong(null) : FIRST_VERSION;
        } catch (NoSuchFieldException e) {
            return FIRST_VERSION;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("a field was opened, and is closed", e);
        }
    }
}
