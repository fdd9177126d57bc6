// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.graph.Elements.Order;
import io.keyslot.client.codec.graph.Elements.Place;
import java.util.Properties;

/** Properties without defaults: those that have some do not tell which, so they are refused. */
final class PropertiesSerializer extends ValueSerializer<Properties> {
    @Override
    void write(Graph graph, ValueOutput output, Properties properties) {
        if (!properties.keySet().containsAll(properties.stringPropertyNames())) {
            throw new CodecException("Codec kryo: java.util.Properties with defaults have no encoded form");
        }
        Elements.writeMap(graph, output, properties, Place.HASHED, Order.SORTED_IF_ENUMS);
    }

    @Override
    @SuppressWarnings("NullAway") // A forged null is refused by the table itself.
    Properties read(Graph graph, BoundedInput input) {
        int size = input.readLength(MapSerializer.BYTES_PER_ENTRY);
        Properties properties = new Properties();
        graph.reference(properties);
        MapSerializer.readEntries(graph, input, size, properties, Place.HASHED);
        return properties;
    }
}
