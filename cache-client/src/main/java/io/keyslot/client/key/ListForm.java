// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The items of a list, of whatever class it is: {@code List.equals} does not look at that either. */
final class ListForm implements CompositeForm {
    @Override
    public String name() {
        return "List";
    }

    @Override
    public void write(Object value, ItemWriter out) {
        for (Object item : (List<?>) value) {
            out.item(item);
        }
    }

    @Override
    public Object read(ItemReader in) {
        List<@Nullable Object> items = new ArrayList<>();
        while (in.hasNext()) {
            items.add(in.item());
        }
        return items;
    }
}
