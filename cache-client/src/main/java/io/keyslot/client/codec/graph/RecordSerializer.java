// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Serializes records, which their canonical constructor restores; missing components are 0, false or null. */
final class RecordSerializer extends FieldsSerializer {
    private final Constructor<?> constructor;
    private final @Nullable Object[] missing;
    private final @Nullable Method readResolve;

    private RecordSerializer(
            Slots slots,
            FieldAccess[] order,
            Constructor<?> constructor,
            @Nullable Object[] missing,
            @Nullable Method readResolve) {
        super(slots, order);
        this.constructor = constructor;
        this.missing = missing;
        this.readResolve = readResolve;
    }

    static RecordSerializer of(Class<?> type) {
        Class<?>[] types = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        @Nullable
        Object[] missing = Arrays.stream(types)
                .map(component -> FieldKind.of(component).missing())
                .toArray();
        Slots slots = Slots.ofRecord(type);
        try {
            Constructor<?> constructor = Reflection.open(type.getDeclaredConstructor(types));
            return new RecordSerializer(slots, slots.own(), constructor, missing, SerialMethods.readResolve(type));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type.getName() + " is not what the language calls a record", e);
        }
    }

    @Override
    RecordSerializer reading(FieldAccess[] otherOrder) {
        return new RecordSerializer(slots(), otherOrder, constructor, missing, readResolve);
    }

    @Override
    void write(Graph graph, ValueOutput output, Object value) {
        int id = graph.references().beginBuilt();
        writeParts(graph, output, value);
        graph.references().endBuilt(id);
    }

    @Override
    @Nullable
    Object read(Graph graph, BoundedInput input) {
        @Nullable Object[] components = missing.clone();
        readParts(graph, input, components);
        Object value = Reflection.construct(constructor, components);
        return readResolve == null ? value : Reflection.invoke(readResolve, value);
    }
}
