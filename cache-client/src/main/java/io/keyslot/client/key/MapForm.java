// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pairs of a map in the order of their texts, each as two items: key, value, key, value. */
final class MapForm implements CompositeForm {
    @Override
    public String name() {
        return "Map";
    }

    @Override
    public void write(Object value, ItemWriter out) {
        List<String> rendered = new ArrayList<>();
        for (Map.Entry<?, ?> pair : ((Map<?, ?>) value).entrySet()) {
            ItemWriter writer = out.apart();
            writer.item(pair.getKey());
            writer.item(pair.getValue());
            rendered.add(writer.text());
        }
        out.unordered(rendered);
    }

    @Override
    public Object read(ItemReader in) {
        Map<@Nullable Object, @Nullable Object> pairs = new LinkedHashMap<>();
        while (in.hasNext()) {
            Object key = in.item();
            pairs.put(key, in.item());
        }
        return pairs;
    }
}
