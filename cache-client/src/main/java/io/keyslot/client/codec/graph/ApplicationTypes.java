// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.serializers.EnumNameSerializer;
import io.keyslot.client.codec.allow.KnownClasses;
import io.keyslot.client.codec.allow.Refusal;
import io.keyslot.client.codec.graph.GraphType.Sharing;
import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Map;

/** Decides how the objects of a class that is not in the table of the JDK's are written. */
final class ApplicationTypes {
    private ApplicationTypes() {}

    /** Returns the type of a class that is allowed and has an encoded form. */
    static GraphType of(Class<?> type) {
        if (type.isArray()) {
            return GraphType.named(
                    type,
                    new ArraySerializer(type.getComponentType()),
                    Sharing.BY_IDENTITY,
                    Fingerprint.ofKind("array"));
        }
        if (type.isEnum()) {
            return GraphType.named(
                    type,
                    new EnumNameSerializer(type.asSubclass(Enum.class)),
                    Sharing.NEVER,
                    Fingerprint.ofKind("enum"));
        }
        if (type.isRecord()) {
            RecordLayout layout = RecordLayout.of(type);
            return GraphType.named(
                    type,
                    new BuiltSerializer<>(new RecordSerializer(layout)),
                    Sharing.BY_CONTENT,
                    layout.fingerprint());
        }
        if (Throwable.class.isAssignableFrom(type)) {
            ThrowableLayout layout = ThrowableLayout.of(type);
            return GraphType.named(type, new ThrowableSerializer(layout), Sharing.BY_IDENTITY, layout.fingerprint());
        }
        ObjectLayout layout = ObjectLayout.of(type);
        boolean container = Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
        return GraphType.named(
                type,
                new ObjectSerializer(layout),
                container ? Sharing.BY_CONTENT : Sharing.BY_IDENTITY,
                layout.fingerprint());
    }

    /** Refuses classes whose objects have no encoded form, whether they are allowed or not. */
    static void requireEncodable(Class<?> type) {
        if (type.isArray() || type.isEnum()) {
            return;
        }
        if (type.isHidden() || type.isSynthetic()) {
            throw refusal(type, "is a lambda: store the data that it captures instead");
        }
        boolean isThrowable = Throwable.class.isAssignableFrom(type);
        if (isThrowable && ThrowableParts.of(type) == null) {
            throw refusal(type, "is an exception with state that only Java serialization can restore: use codec: jdk");
        }
        if (KnownClasses.isJdk(type.getName()) && !isThrowable) {
            throw refusal(
                    type,
                    "has no encoded form: store one of the types that docs/codecs.md of Keyslot lists"
                            + (Serializable.class.isAssignableFrom(type) ? ", or use codec: jdk" : ""));
        }
        if (Proxy.isProxyClass(type)) {
            throw refusal(type, "is a dynamic proxy, which exists in this process only");
        }
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            throw refusal(type, "is abstract and has no objects");
        }
    }

    private static RuntimeException refusal(Class<?> type, String reason) {
        return Refusal.of(Types.CODEC, type, reason);
    }
}
