// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The items of a set in the order of their texts; its own order, and its comparator, are no part of the key. */
final class SetForm implements CompositeForm {
    @Override
    public String name() {
        return "Set";
    }

    @Override
    public void write(Object value, ItemWriter out) {
        List<String> rendered = new ArrayList<>();
        for (Object item : (Set<?>) value) {
            ItemWriter writer = out.apart();
            writer.item(item);
            rendered.add(writer.text());
        }
        out.unordered(rendered);
    }

    @Override
    public Object read(ItemReader in) {
        Set<@Nullable Object> items = new LinkedHashSet<>();
        while (in.hasNext()) {
            items.add(in.item());
        }
        return items;
    }
}
