// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.ClassResolver;
import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.Registration;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import io.keyslot.cache.failure.CodecException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tag in front of each object, which identifies its class; {@code docs/contributing/kryo-format.md} has the format. The first
 * object of a class has its name and shape, further ones a number. A name is looked up in the allow list before its
 * class is loaded. Not thread-safe.
 */
@SuppressWarnings("rawtypes") // Kryo's interface has raw types.
final class TypeTags implements ClassResolver {
    private static final int NULL = 0;
    private static final int NEW_NAME = 1;
    static final int FIRST_NUMBERED = 2;
    private static final int FIRST_KNOWN_NAME = FIRST_NUMBERED + JdkTypes.MAX_TYPES;

    private final Types types;
    private final IdentityHashMap<GraphType, Integer> written = new IdentityHashMap<>();
    private final List<GraphType> read = new ArrayList<>();
    private final References references;
    private boolean open;

    TypeTags(Types types, References references) {
        this.types = types;
        this.references = references;
    }

    /** Called after Kryo's constructor, which registers serializers that are ignored. */
    void open() {
        open = true;
    }

    @Override
    public void setKryo(Kryo kryo) {}

    @Override
    public Registration register(Registration registration) {
        return registration;
    }

    @Override
    public Registration unregister(int classId) {
        throw new UnsupportedOperationException("types are fixed");
    }

    @Override
    public Registration registerImplicit(Class type) {
        return types.of((Class<?>) type);
    }

    @Override
    public @Nullable Registration getRegistration(Class type) {
        return open ? types.of((Class<?>) type) : null;
    }

    @Override
    public @Nullable Registration getRegistration(int classId) {
        // Called only by Kryo's constructor, to find a free number.
        return null;
    }

    @Override
    public @Nullable Registration writeClass(Output output, @Nullable Class type) {
        if (type == null) {
            output.writeVarInt(NULL, true);
            return null;
        }
        GraphType graphType = types.of((Class<?>) type);
        if (graphType.getId() != GraphType.BY_NAME) {
            output.writeVarInt(FIRST_NUMBERED + graphType.getId(), true);
            return graphType;
        }
        Integer known = written.putIfAbsent(graphType, written.size());
        if (known != null) {
            output.writeVarInt(FIRST_KNOWN_NAME + known, true);
        } else {
            output.writeVarInt(NEW_NAME, true);
            output.writeBytes(graphType.declaration());
        }
        return graphType;
    }

    @Override
    public @Nullable Registration readClass(Input input) {
        int tag = input.readVarInt(true);
        if (tag == NULL) {
            return null;
        }
        if (tag == NEW_NAME) {
            return readDeclaration((BoundedInput) input);
        }
        if (tag >= FIRST_NUMBERED && tag < FIRST_KNOWN_NAME) {
            return JdkTypes.numbered(tag - FIRST_NUMBERED);
        }
        int index = tag - FIRST_KNOWN_NAME;
        if (index < 0 || index >= read.size()) {
            throw new KryoException("A tag stands for no class");
        }
        return requireReadable(read.get(index));
    }

    private GraphType readDeclaration(BoundedInput input) {
        GraphType recent = input.readRecent(types.recent());
        GraphType type = recent == null ? readName(input) : recent;
        read.add(type);
        return requireReadable(type);
    }

    /** An unknown class is harmless within a skipped field. */
    private GraphType requireReadable(GraphType type) {
        RuntimeException failure = type.failure();
        if (failure != null && !references.isSkipping()) {
            throw failure;
        }
        return type;
    }

    private GraphType readName(BoundedInput input) {
        String name = input.readName();
        Shape shape = Shape.read(input);
        try {
            GraphType type = types.named(name, shape);
            types.recent().add(type);
            return type;
        } catch (CodecException | KryoException e) {
            references.addUnknown();
            return GraphType.unknown(shape, e);
        }
    }

    @Override
    public void reset() {
        // Clearing an IdentityHashMap visits its whole table, even if it is empty.
        if (!written.isEmpty()) {
            written.clear();
        }
        read.clear();
    }
}
