// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.codec.allow.ArrayNames;
import io.keyslot.client.codec.allow.ClassRefusal;
import io.keyslot.client.codec.allow.SeenClasses;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Java serialization, for values that have no other form, such as exceptions. Used only on explicit request. Checks the
 * allow list before a class is loaded; limits the depth, and the total size of all arrays and tables by the number of
 * bytes. Two risks remain: {@code readObject} methods of the application run on bytes that may be forged, and a forged
 * key of a hash table can take very long to hash. Use Kryo for instances that others can write to. Thread-safe.
 */
final class JdkCodec implements ArrayCodec<Object> {
    static final String NAME = "jdk";

    /** Reading allocates a place for each field of an object. No real class has nearly as many. */
    static final int MOST_FIELDS = 1_000;

    private static final Class<?> REPEATED = Collections.nCopies(1, "").getClass();

    private final AllowedClasses allowed;
    private final ClassLoader loader;
    private final SeenClasses seen;

    private JdkCodec(AllowedClasses allowed, ClassLoader loader) {
        this.allowed = allowed;
        this.loader = loader;
        this.seen = new SeenClasses(NAME, loader);
    }

    public static JdkCodec create(AllowedClasses allowed, ClassLoader loader) {
        return new JdkCodec(allowed, loader);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte[] encode(Object value, int gapBytes) {
        Objects.requireNonNull(value, "value");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[gapBytes]);
        try (FilteredOutput output = new FilteredOutput(bytes)) {
            output.writeObject(value);
            output.requireAllAllowed();
        } catch (CodecException e) {
            throw e;
        } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
            throw ClassRefusal.of(NAME, value.getClass(), "could not be encoded", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Throws {@code CodecException} if the bytes name a class that is not allowed.
     * @throws IllegalArgumentException if they are not a value, or one of another version of its class
     */
    @Override
    public Object decode(byte[] bytes, int offset, int length) {
        InputStream source = new ByteArrayInputStream(bytes, offset, length);
        try (FilteredInput input = new FilteredInput(source, length, allowed, loader)) {
            Object value = input.readObject();
            if (value == null || source.read() >= 0) {
                throw new IOException("The bytes do not end where the value does");
            }
            return value;
        } catch (CodecException e) {
            throw e;
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError | StackOverflowError e) {
            throw new IllegalArgumentException(
                    "Codec %s: the bytes are not a value, or not of this version of its class".formatted(NAME), e);
        }
    }

    /** Records classes that are not allowed, so that writing fails and not reading. */
    private final class FilteredOutput extends ObjectOutputStream {
        private final Set<String> notAllowed = new LinkedHashSet<>();
        private @Nullable CodecException refusal;

        FilteredOutput(OutputStream target) throws IOException {
            super(target);
            enableReplaceObject(true);
        }

        /** Writes all elements of a list of copies: reading one would allocate any stated number of elements. */
        @Override
        protected Object replaceObject(Object object) {
            return object.getClass() == REPEATED
                    ? Collections.unmodifiableList(new ArrayList<>((List<?>) object))
                    : object;
        }

        /** Throws nothing yet: after a failure, the JDK also writes the exception's class, and would hide the cause. */
        @Override
        protected void annotateClass(Class<?> type) {
            if (!allowed.test(type.getName())) {
                notAllowed.add(ArrayNames.elementOf(type.getName()));
            } else if (refusal == null) {
                refusal = refusalOf(type);
            }
        }

        private @Nullable CodecException refusalOf(Class<?> type) {
            ObjectStreamClass description = ObjectStreamClass.lookup(type);
            if (description != null && description.getFields().length > MOST_FIELDS) {
                return ClassRefusal.of(NAME, type, "has more than %d fields".formatted(MOST_FIELDS));
            }
            try {
                seen.require(type);
                return null;
            } catch (CodecException e) {
                return e;
            }
        }

        @Override
        protected void annotateProxyClass(Class<?> type) {
            refusal = ClassRefusal.of(NAME, type, "is a dynamic proxy, which is not supported");
        }

        void requireAllAllowed() {
            if (!notAllowed.isEmpty()) {
                throw ClassRefusal.notAllowed(NAME, notAllowed);
            }
            if (refusal != null) {
                throw refusal;
            }
        }
    }
}
