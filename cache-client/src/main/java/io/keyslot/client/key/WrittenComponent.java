// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a class writes besides its fields, by a {@code writeObject} of its own, as a list; null if a key is equal to itself
 * without that.
 *
 * @param type the class that declares the method
 * @param isEqualWithout whether an owner that is rebuilt from its fields alone is equal to the owner
 */
record WrittenComponent(Class<?> type, Method writeObject, Predicate<Object> isEqualWithout) implements Component {
    @Override
    public boolean isGroupKey() {
        return false;
    }

    @Override
    public @Nullable KeyForm only() {
        return null;
    }

    @Override
    public @Nullable Object get(Object owner) {
        if (isEqualWithout.test(owner)) {
            return null;
        }
        try (WrittenData data = new WrittenData()) {
            writeObject.invoke(owner, data);
            return data.items();
        } catch (InvocationTargetException e) {
            throw KeyRefusals.refused(writeObject, e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("Method was made accessible: " + writeObject, e);
        } catch (IOException e) {
            throw new IllegalStateException("a stream in memory failed", e);
        }
    }
}
