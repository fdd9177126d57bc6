// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.serializers.EnumNameSerializer;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.GraphType.Sharing;
import io.keyslot.client.codec.Shape.Form;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The types that one codec writes and reads: those of the JDK by number, allowed ones of the application by name. Safe
 * for use by several threads. Contains at most one entry for each allowed class.
 */
final class Types {
    static final String CODEC = KryoCodec.NAME;

    private final AllowedClasses allowed;
    private final ClassLoader loader;
    private final SeenClasses seen;
    private final ConcurrentMap<Class<?>, GraphType> application = new ConcurrentHashMap<>();
    private final RecentTypes recent = new RecentTypes();

    private final ClassValue<Optional<Method>> writeReplace = new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
            boolean ours = type.isHidden() || type.isArray() || KnownClasses.isJdk(type.getName());
            return ours ? Optional.empty() : Optional.ofNullable(Reflection.inherited(type, "writeReplace"));
        }
    };
    private final boolean isOfKeys;

    /** Null for a codec, which refuses the first class that cannot be written. */
    private final @Nullable Found found;

    /** Creates the types of a codec, or of its keys, where equal values must have the same bytes. */
    Types(AllowedClasses allowed, ClassLoader loader, boolean isOfKeys, @Nullable Found found) {
        this.allowed = allowed;
        this.loader = loader;
        this.found = found;
        this.isOfKeys = isOfKeys;
        this.seen = new SeenClasses(CODEC, loader);
    }

    /** Returns how objects of this class are written; throws if they cannot be, or may not. */
    GraphType of(Class<?> type) {
        GraphType known = JdkTypes.of(type);
        if (known == null || (isOfKeys && known.isHashedByContent())) {
            known = application.get(type);
        }
        return known != null ? known : application.computeIfAbsent(declaring(type), this::create);
    }

    /** Returns the enum's class for that of a constant with a body. */
    private static Class<?> declaring(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        return parent != null && parent.isEnum() ? parent : type;
    }

    /** Returns the cache of types that {@link #named} has checked. */
    RecentTypes recent() {
        return recent;
    }

    /**
     * Returns the type with this name and shape. Its class is loaded only if it is allowed.
     *
     * @throws CodecException if it is not allowed
     * @throws KryoException if there is no such class, as after it was renamed: allowing it would not help
     */
    GraphType named(String name, Shape shape) {
        return of(load(name)).inShape(shape);
    }

    /** Returns an allowed class without initializing it; throws like {@link #named}. */
    Class<?> load(String name) {
        try {
            if (!isAllowed(name)) {
                throw AllowedClasses.refusalOf(CODEC, name, loader);
            }
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new KryoException("class %s is not found".formatted(name), e);
        }
    }

    private GraphType create(Class<?> type) {
        GraphType equal = isOfKeys ? JdkContainers.inKey(type) : JdkContainers.equalTo(type);
        if (equal != null) {
            return equal;
        }
        if (found != null) {
            return look(type, found);
        }
        // First, because allowing such a class would not help.
        requireEncodable(type);
        if (!isAllowed(type.getName())) {
            throw notAllowed(type.getName());
        }
        seen.require(type);
        return ofApplication(type);
    }

    boolean areOfKeys() {
        return isOfKeys;
    }

    /** Records the problem of a class, and returns a type with which the search continues in its objects. */
    private GraphType look(Class<?> type, Found refused) {
        try {
            requireEncodable(type);
            GraphType created = ofApplication(type);
            if (isAllowed(type.getName())) {
                seen.require(type);
            } else {
                refused.notAllowed().add(AllowedClasses.elementOf(type.getName()));
            }
            return created;
        } catch (CodecException e) {
            refused.problems().add(String.valueOf(e.getMessage()));
            return JdkTypes.numbered(JdkTypes.WITHOUT_BYTES);
        }
    }

    /** Returns whether the class has a {@code writeReplace}. */
    boolean isReplaced(Class<?> type) {
        return JdkTypes.of(type) == null && writeReplace.get(type).isPresent();
    }

    @Nullable
    Object replacementOf(Object object) {
        return writeReplace
                .get(object.getClass())
                .map(method -> Reflection.invoke(method, object))
                .orElse(null);
    }

    Types looking(Found refused) {
        return new Types(allowed, loader, isOfKeys, refused);
    }

    record Found(Set<String> notAllowed, Set<String> problems) {}

    /** Returns whether a value may have objects of the class, including arrays of types with a number. */
    private boolean isAllowed(String name) {
        return allowed.test(name) || JdkTypes.isNumbered(AllowedClasses.elementOf(name));
    }

    /** Throws unless a value may contain the class itself. */
    void requireNameable(Class<?> type) {
        if (!isAllowed(type.getName())) {
            throw notAllowed(type.getName());
        }
        seen.require(type);
    }

    private static CodecException notAllowed(String name) {
        return ClassRefusal.notAllowed(CODEC, AllowedClasses.elementOf(name));
    }

    /** Returns the type of an allowed class that has an encoded form. */
    @SuppressWarnings("rawtypes") // The type of an enum of the application cannot be expressed.
    private static GraphType ofApplication(Class<?> type) {
        if (type.isArray()) {
            ArraySerializer serializer = new ArraySerializer(type.getComponentType());
            return GraphType.named(type, serializer, Sharing.BY_IDENTITY, Shape.of(Form.ARRAY));
        }
        if (type.isEnum()) {
            Class<? extends Enum> constants = type.asSubclass(Enum.class);
            ValueSerializer<?> serializer = ValueSerializer.of(new EnumNameSerializer(constants), constants);
            return GraphType.named(type, serializer, Sharing.NEVER, Shape.of(Form.ENUM));
        }
        FieldsSerializer serializer =
                type.isRecord() ? FieldsSerializer.ofRecord(type) : FieldsSerializer.ofObject(type);
        Form withElements = Map.class.isAssignableFrom(type) ? Form.MAP : Form.COLLECTION;
        boolean isHashedByContent = type.isRecord() || FieldsSerializer.isContainer(type);
        return GraphType.named(
                type,
                serializer,
                isHashedByContent ? Sharing.BY_CONTENT : Sharing.BY_IDENTITY,
                Shape.of(serializer.hasElements() ? withElements : Form.FIELDS, serializer.order()));
    }

    /** Refuses classes whose objects have no encoded form, even if they are allowed. */
    private static void requireEncodable(Class<?> type) {
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
        return ClassRefusal.of(CODEC, type, reason);
    }

    /** Serializes arrays of objects; each element has its own class. */
    record ArraySerializer(Class<?> component) implements ValueSerializer<@Nullable Object[]> {
        @Override
        public void write(Graph graph, ValueOutput output, @Nullable Object[] array) {
            output.writeVarInt(array.length, true);
            for (Object element : array) {
                graph.writeValue(output, element);
            }
        }

        @Override
        public @Nullable Object[] read(Graph graph, BoundedInput input, int id) {
            int length = input.readLength(1);
            @Nullable Object[] array = (Object[]) Array.newInstance(component, length);
            graph.references().setRead(id, array);
            for (int i = 0; i < length; i++) {
                array[i] = graph.readValue(input);
            }
            return array;
        }
    }
}
