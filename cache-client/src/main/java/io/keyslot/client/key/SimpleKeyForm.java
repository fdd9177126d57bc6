// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of Spring's {@code SimpleKey}, the key of cached methods that have none or several parameters.
 *
 * <p>By name, since Spring is no dependency; by its constructor, since that computes a hash code which is transient.
 */
final class SimpleKeyForm implements CompositeForm {
    static final String NAME = "SimpleKey";
    static final String CLASS_NAME = "org.springframework.cache.interceptor.SimpleKey";

    private final FieldComponent parameters;
    private final Constructor<?> constructor;

    private SimpleKeyForm(Field parameters, Constructor<?> constructor) {
        this.parameters = new FieldComponent(parameters);
        this.constructor = constructor;
    }

    /** Returns whether Spring has made the key of several arguments, or of none. */
    static boolean isOf(Object key) {
        return key.getClass().getName().equals(CLASS_NAME);
    }

    static KeyForm of(Class<?> type) {
        try {
            return new SimpleKeyForm(type.getDeclaredField("params"), type.getConstructor(Object[].class));
        } catch (ReflectiveOperationException e) {
            return RefusedForm.of(type, "this version of Spring is not known to Keyslot");
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void write(Object value, ItemWriter out) {
        @Nullable Object[] items = (@Nullable Object[]) Objects.requireNonNull(parameters.get(value), "parameters");
        for (Object item : items) {
            out.item(item);
        }
    }

    @Override
    public Object read(ItemReader in) {
        List<@Nullable Object> items = new ArrayList<>();
        while (in.hasNext()) {
            items.add(in.item());
        }
        try {
            return constructor.newInstance((Object) items.toArray());
        } catch (InvocationTargetException e) {
            throw KeyRefusals.refused(constructor, e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Constructor of SimpleKey is public", e);
        }
    }
}
