// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The items of an array.
 *
 * <p>An array that is the whole key is its content: as a reference nobody could find it again. Within another key it
 * depends on that key's {@code equals}, so a proof is demanded.
 *
 * <p>Items name their form unless they cannot be empty text: otherwise no item and one empty item would look the same.
 */
final class ArrayForm implements CompositeForm {
    private final Class<?> itemType;

    ArrayForm(Class<?> itemType) {
        this.itemType = itemType;
    }

    @Override
    public String name() {
        return itemType.isPrimitive() ? itemType.getName() + "[]" : "Object[]";
    }

    @Override
    public void write(Object value, ItemWriter out) {
        if (out.isNested()) {
            out.demandProof(this);
        }
        KeyForm only = onlyFormOfItems();
        for (int i = 0; i < Array.getLength(value); i++) {
            out.item(only, Array.get(value, i));
        }
    }

    @Override
    public Object read(ItemReader in) {
        KeyForm only = onlyFormOfItems();
        List<@Nullable Object> items = new ArrayList<>();
        while (in.hasNext()) {
            items.add(in.item(only));
        }
        Object array = Array.newInstance(itemType, items.size());
        for (int i = 0; i < items.size(); i++) {
            Array.set(array, i, items.get(i));
        }
        return array;
    }

    private @Nullable KeyForm onlyFormOfItems() {
        return itemType.isPrimitive() || itemType.isArray() ? KeyForms.only(itemType) : null;
    }
}
