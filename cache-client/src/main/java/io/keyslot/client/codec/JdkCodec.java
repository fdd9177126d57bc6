// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.failure.CodecException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Java serialization, for values that have no other form, such as exceptions. Used only on explicit request. Checks the
 * allow list before a class is loaded; limits the depth, and the total size of all arrays and tables by the number of
 * bytes. Two risks remain: {@code readObject} methods of the application run on bytes that may be forged, and a forged
 * key of a hash table can take very long to hash. Use Kryo for instances that others can write to. Thread-safe.
 */
record JdkCodec(AllowedClasses allowed, ClassLoader loader, SeenClasses seen) implements ArrayCodec<Object> {
    static final String NAME = "jdk";

    /** Reading allocates a place for each field of an object. No real class has nearly as many. */
    static final int MOST_FIELDS = 1_000;

    private static final Class<?> REPEATED = Collections.nCopies(1, "").getClass();

    static JdkCodec create(AllowedClasses allowed, ClassLoader loader) {
        return new JdkCodec(allowed, loader, new SeenClasses(NAME, loader));
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
        try (FilteredInput input = new FilteredInput(source, length)) {
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
                notAllowed.add(AllowedClasses.elementOf(type.getName()));
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

    /** Reads objects of allowed classes, and limits allocation to what the number of bytes justifies. */
    private final class FilteredInput extends ObjectInputStream {
        /** Greater than for Kryo, because exceptions have long chains of causes. */
        private static final int MAX_DEPTH = 200;

        private final ReadAllowance allowance;

        FilteredInput(InputStream source, int totalBytes) throws IOException {
            super(source);
            allowance = new ReadAllowance(totalBytes);
            enableResolveObject(true);
            setObjectInputFilter(info -> isWithinLimits(info, totalBytes)
                    ? ObjectInputFilter.Status.UNDECIDED
                    : ObjectInputFilter.Status.REJECTED);
        }

        private boolean isWithinLimits(ObjectInputFilter.FilterInfo info, int totalBytes) {
            return info.depth() <= MAX_DEPTH
                    && info.references() <= totalBytes
                    && (info.arrayLength() < 0
                            || allowance.admitsArray(elementOf(info.serialClass()), info.arrayLength()));
        }

        private static Class<?> elementOf(@Nullable Class<?> array) {
            Class<?> element = array == null ? null : array.getComponentType();
            return element == null ? Object.class : element;
        }

        @Override
        protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
            ObjectStreamClass description = super.readClassDescriptor();
            if (description.getFields().length > MOST_FIELDS) {
                throw new InvalidObjectException("A class has more than %d fields".formatted(MOST_FIELDS));
            }
            return description;
        }

        /** Counts copies that the JDK's classes make of objects that may be referred to many times. */
        @Override
        protected Object resolveObject(Object object) throws IOException {
            allowance.requireCopied(ReadAllowance.ownBytesOf(object));
            return object;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException {
            String name = description.getName();
            if (!allowed.test(name)) {
                throw AllowedClasses.refusalOf(NAME, name, loader);
            }
            return Class.forName(name, false, loader);
        }

        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
            throw new IOException("A dynamic proxy is not supported");
        }
    }

    /**
     * The memory that reading one value in Java serialization may allocate, by the number of its bytes. Counts every array
     * and table, also those that a collection allocates before reading its elements, and every copy of a shared object. One
     * total, because a limit per object would be multiplied by the number of collections. Not thread-safe.
     */
    private static final class ReadAllowance {
        /**
         * An element has at least one byte. A hash table has up to 8 places for a key of 5 bytes, or 16 for a single key.
         */
        private static final int PLACES_FOR_A_BYTE = 4;

        private static final int COPIES_OF_A_BYTE = 16;

        /** Allows a small value with several objects that share a text. */
        private static final int FREE_COPIES = 1 << 20;

        private long places;
        private long copies;

        ReadAllowance(int bytes) {
            places = (long) PLACES_FOR_A_BYTE * bytes;
            copies = (long) COPIES_OF_A_BYTE * bytes + FREE_COPIES;
        }

        boolean admitsArray(Class<?> element, long length) {
            // Elements of a primitive type have all their bytes in the stream.
            places -= length * bytesOf(element);
            return places >= 0;
        }

        void requireCopied(long bytes) throws InvalidObjectException {
            copies -= bytes;
            if (copies < 0) {
                throw new InvalidObjectException("The value refers to the same large object too often");
            }
        }

        /**
         * Returns the approximate bytes that an object of the JDK allocates besides its fields, if its deserialization
         * copies a shared object, such as a text or an array. Ten thousand of them that refer to one large object are small
         * in bytes and large in memory. Collections do not copy.
         */
        static long ownBytesOf(Object object) {
            if (object instanceof BigInteger number) {
                return number.bitLength() / Byte.SIZE;
            }
            if (object instanceof URI uri) {
                return uri.toString().length();
            }
            if (object instanceof Locale locale) {
                return locale.getLanguage().length()
                        + (long) locale.getVariant().length();
            }
            if (object instanceof Throwable throwable) {
                return (long) Integer.BYTES * (throwable.getStackTrace().length + throwable.getSuppressed().length);
            }
            return 0;
        }

        private static int bytesOf(Class<?> element) {
            if (element == long.class || element == double.class) {
                return Long.BYTES;
            }
            if (element == int.class || element == float.class) {
                return Integer.BYTES;
            }
            return element == char.class || element == short.class ? Short.BYTES : 1;
        }
    }
}
