// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.serializers.EnumNameSerializer;
import io.keyslot.client.codec.allow.ClassRefusal;
import io.keyslot.client.codec.allow.KnownClasses;
import io.keyslot.client.codec.graph.FieldsSerializer.ObjectSerializer;
import io.keyslot.client.codec.graph.FieldsSerializer.RecordSerializer;
import io.keyslot.client.codec.graph.GraphType.Sharing;
import io.keyslot.client.codec.graph.Shape.Form;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Selects the serializers of classes that are not in the table of the JDK's. */
final class ApplicationTypes {
    private ApplicationTypes() {}

    /** Returns the type of an allowed class that has an encoded form. */
    static GraphType of(Class<?> type) {
        if (type.isArray()) {
            ArraySerializer serializer = new ArraySerializer(type.getComponentType());
            return GraphType.named(type, serializer, Sharing.BY_IDENTITY, Shape.of(Form.ARRAY));
        }
        if (type.isEnum()) {
            EnumNameSerializer serializer = new EnumNameSerializer(type.asSubclass(Enum.class));
            return GraphType.named(type, serializer, Sharing.NEVER, Shape.of(Form.ENUM));
        }
        if (type.isRecord()) {
            return fields(type, RecordSerializer.of(type), Sharing.BY_CONTENT, Form.FIELDS);
        }
        ObjectSerializer serializer = ObjectSerializer.of(type);
        Form withElements = Map.class.isAssignableFrom(type) ? Form.MAP : Form.COLLECTION;
        return fields(
                type,
                serializer,
                ObjectSerializer.isContainer(type) ? Sharing.BY_CONTENT : Sharing.BY_IDENTITY,
                serializer.hasElements() ? withElements : Form.FIELDS);
    }

    private static GraphType fields(Class<?> type, FieldsSerializer serializer, Sharing sharing, Form form) {
        Shape shape = Shape.of(form, serializer.slots().own());
        return GraphType.named(type, serializer, sharing, shape);
    }

    /** Refuses classes whose objects have no encoded form, even if they are allowed. */
    static void requireEncodable(Class<?> type) {
        if (type.isArray() || type.isEnum()) {
            return;
        }
        if (type.isHidden() || type.isSynthetic()) {
            throw refusal(type, "is a lambda: store the data that it captures instead");
        }
        if (Throwable.class.isAssignableFrom(type)) {
            throw refusal(type, "is an exception, which only Java serialization can restore: use codec: jdk");
        }
        if (KnownClasses.isJdk(type.getName())) {
            throw refusal(
                    type,
                    "has no encoded form: store one of the types that docs/values.md of Keyslot lists"
                            + (Serializable.class.isAssignableFrom(type) ? ", or use codec: jdk" : ""));
        }
        if (Reflection.writesItself(type)) {
            throw refusal(
                    type,
                    "has a writeObject, a readObject or is Externalizable, which only Java serialization calls: use codec: jdk");
        }
        if (Proxy.isProxyClass(type)) {
            throw refusal(type, "is a dynamic proxy, which exists in this process only");
        }
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            throw refusal(type, "is abstract and has no objects");
        }
    }

    private static RuntimeException refusal(Class<?> type, String reason) {
        return ClassRefusal.of(Types.CODEC, type, reason);
    }

    /** Serializes arrays of objects; each element has its own class. */
    static final class ArraySerializer extends ValueSerializer<@Nullable Object[]> {
        private final Class<?> component;

        ArraySerializer(Class<?> component) {
            this.component = component;
        }

        @Override
        void write(Graph graph, ValueOutput output, @Nullable Object[] array) {
            output.writeVarInt(array.length, true);
            for (Object element : array) {
                graph.writeValue(output, element);
            }
        }

        @Override
        @Nullable
        Object[] read(Graph graph, BoundedInput input) {
            int length = input.readLength(1);
            @Nullable Object[] array = (Object[]) Array.newInstance(component, length);
            graph.reference(array);
            for (int i = 0; i < length; i++) {
                array[i] = graph.readValue(input);
            }
            return array;
        }
    }
}
