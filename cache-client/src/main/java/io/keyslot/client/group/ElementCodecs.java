// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.codec.AllowedClasses;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.codec.VerifiedCodec;
import io.keyslot.client.config.CacheOptions.StoredOptions;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.key.FloatingPoint;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Encryption;
import io.keyslot.client.stored.UnreadableValueException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates and caches the coders of elements and rows by class: text for scalars, otherwise the manager's codec. Safe
 * for use by several threads.
 */
final class ElementCodecs {
    /** The maximum number of cached codecs. */
    private static final int MOST_CODECS = 1_000;

    private final ConcurrentMap<Class<?>, Codec<?>> elements = new ConcurrentHashMap<>();
    private final ConcurrentMap<Class<?>, Codec<?>> rows = new ConcurrentHashMap<>();
    private final String codecName;
    private final AllowedClasses allowed;
    private final ClassLoader classLoader;
    private final EntryLimits limits;
    private final StampSource stamps;
    private final Function<String, StoredOptions> stored;

    /** Creates the codecs; {@code stored} returns how entries of an entity type are stored. */
    ElementCodecs(
            String codecName,
            AllowedClasses allowed,
            ClassLoader classLoader,
            EntryLimits limits,
            StampSource stamps,
            Function<String, StoredOptions> stored) {
        this.codecName = codecName;
        this.allowed = allowed;
        this.classLoader = classLoader;
        this.limits = limits;
        this.stamps = stamps;
        this.stored = stored;
    }

    EntryLimits limits() {
        return limits;
    }

    /**
     * Returns the coder of elements of a class that are in one place of an aggregate, with a name of it for messages;
     * they are not encrypted if {@code place} is null.
     *
     * @throws IllegalArgumentException if it is a primitive type, or the manager's codec cannot hold its instances
     */
    <E> ElementCoder<E> ofElements(
            String owner, Class<E> type, EntityKey root, EncodedKey key, @Nullable String place) {
        Encryption encryption = stored.apply(root.type()).encryption();
        return ofElements(
                owner,
                type,
                encryption == null || place == null
                        ? null
                        : new ElementEncryption(encryption, key, place.getBytes(StandardCharsets.UTF_8)));
    }

    /** As above, for elements of no aggregate. */
    <E> ElementCoder<E> ofElements(String owner, Class<E> type, @Nullable ElementEncryption encryption) {
        Codec<E> codec = kept(elements, type, () -> TextCodec.of(type).orElseGet(() -> verified(type)));
        return new ElementCoder<>(owner, type, codec, limits.valueBytes(), encryption);
    }

    /** Throws {@code UnsupportedOperationException} if the keys of an entity type are hashed. */
    void requireReadableKeys(String entityType) {
        if (stored.apply(entityType).hashedKeys() != null) {
            throw new UnsupportedOperationException(
                    "Group: the keys of the entity type %s are hashed, so that it has no groups and rows; use the methods of its cache, or leave out hashedKeys"
                            .formatted(entityType));
        }
    }

    /** Throws {@code IllegalArgumentException} if the manager's codec cannot hold instances of the class. */
    <V> ValueCoder<V> ofRows(String entityType, Class<V> type, EntityKey root) {
        Codec<V> codec = kept(rows, type, () -> verified(type));
        return new ValueCoder<>(
                entityType, codec, limits, stamps, stored.apply(root.type()).encryption());
    }

    @SuppressWarnings("unchecked") // the codec of each class is stored under the class
    private static <E> Codec<E> kept(
            ConcurrentMap<Class<?>, Codec<?>> codecs, Class<E> type, Supplier<Codec<E>> maker) {
        Codec<?> known = codecs.get(type);
        if (known != null) {
            return (Codec<E>) known;
        }
        Codec<E> made = maker.get();
        if (codecs.size() < MOST_CODECS) {
            codecs.put(type, made);
        }
        return made;
    }

    @SuppressWarnings("unchecked") // a codec reads and writes the class for which it was created
    private <E> Codec<E> verified(Class<E> type) {
        if (type.isPrimitive()) {
            throw new IllegalArgumentException(
                    "Elements are objects, not of type %s; use the class that stands for it, such as Integer.class for int"
                            .formatted(type));
        }
        return new VerifiedCodec<>((Codec<E>) Codecs.create(codecName, type, allowed.with(type), classLoader), type);
    }

    /**
     * Encodes scalars as text, as {@code redis-cli} shows them: {@code 42}, {@code 0.1}, {@code true}. Refuses another text
     * of the same value, such as {@code 042}, which would be another element of a set; but not for floating-point numbers,
     * because servers format sums in their own way. Immutable.
     */
    record TextCodec<E>(String name, Function<E, String> toText, Function<String, E> fromText, boolean isOnlyText)
            implements Codec<E> {

        private static final Map<Class<?>, TextCodec<?>> BY_CLASS = Map.ofEntries(
                entry(String.class, text -> text),
                entry(Long.class, Long::valueOf),
                entry(Integer.class, Integer::valueOf),
                entry(Short.class, Short::valueOf),
                entry(Byte.class, Byte::valueOf),
                entry(Boolean.class, Boolean::valueOf),
                entry(UUID.class, UUID::fromString),
                entry(EntityKey.class, EntityKey::parse),
                Map.entry(
                        Double.class,
                        new TextCodec<>(
                                "Double", value -> plain(FloatingPoint.text(value)), TextCodec::toDouble, false)),
                Map.entry(
                        Float.class,
                        new TextCodec<>(
                                "Float",
                                value -> plain(FloatingPoint.text(value)),
                                text -> (float) toDouble(text),
                                false)));

        @SuppressWarnings("unchecked") // guaranteed by the map and the enum
        static <E> Optional<Codec<E>> of(Class<E> type) {
            return Optional.ofNullable(
                    (Codec<E>) (type.isEnum() ? ofEnum(type.asSubclass(Enum.class)) : BY_CLASS.get(type)));
        }

        private static <E> Map.Entry<Class<?>, TextCodec<?>> entry(Class<E> type, Function<String, E> fromText) {
            return Map.entry(type, new TextCodec<>(type.getSimpleName(), Object::toString, fromText, true));
        }

        @SuppressWarnings({"rawtypes", "unchecked"}) // The type of an enum of the application cannot be expressed.
        private static TextCodec<Enum> ofEnum(Class<? extends Enum> type) {
            return new TextCodec<>(type.getSimpleName(), Enum::name, text -> Enum.valueOf(type, text), true);
        }

        /** Returns a number as servers write it: {@code 99} and {@code inf}, not {@code 99.0} and {@code Infinity}. */
        private static String plain(String text) {
            return switch (text) {
                case "NaN" -> "nan";
                case "Infinity" -> "inf";
                case "-Infinity" -> "-inf";
                default -> text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
            };
        }

        private static double toDouble(String text) {
            return switch (text) {
                case "nan" -> Double.NaN;
                case "inf" -> Double.POSITIVE_INFINITY;
                case "-inf" -> Double.NEGATIVE_INFINITY;
                default -> Double.parseDouble(text);
            };
        }

        @Override
        public byte[] encode(E value) {
            return Codecs.STRING.encode(toText.apply(value));
        }

        @Override
        public E decode(ByteBuffer bytes) {
            String text = Codecs.STRING.decode(bytes);
            E value = fromText.apply(text);
            if (isOnlyText && !toText.apply(value).equals(text)) {
                throw new IllegalArgumentException("another text than that of a " + name);
            }
            return value;
        }
    }

    /** How the elements in one place of an aggregate are encrypted. */
    record ElementEncryption(
            Encryption encryption,
            EncodedKey key,
            @SuppressWarnings("ArrayRecordComponent") byte[] place) {}

    /**
     * Encodes and decodes the elements in one place of an aggregate, within the limits, on the caller's thread; encrypts
     * them unless {@code encryption} is null.
     */
    record ElementCoder<E>(
            String owner,
            Class<E> type,
            Codec<E> codec,
            int mostBytes,
            @Nullable ElementEncryption encryption) {
        /** Returns the coder of the values of a field of a hash: encrypted, they are not readable in another field. */
        ElementCoder<E> of(Element field) {
            if (encryption == null) {
                return this;
            }
            byte[] place = ByteBuffer.allocate(encryption.place.length + field.length())
                    .put(encryption.place)
                    .put(field.bytes())
                    .array();
            return new ElementCoder<>(
                    owner, type, codec, mostBytes, new ElementEncryption(encryption.encryption, encryption.key, place));
        }

        /** Throws {@code UnsupportedOperationException} if the elements are encrypted, for an operation that reads them. */
        void requirePlain(String operation, String why) {
            if (encryption != null) {
                throw new UnsupportedOperationException(
                        "%s: %s is not for encrypted elements: %s".formatted(owner, operation, why));
            }
        }

        /**
         * Throws {@code NullPointerException} if the element is null.
         * @throws ClassCastException if it has another class, which requires an unchecked cast
         * @throws LimitExceededException if it is too large
         * @throws CodecException if it has no stored form
         */
        Element encode(@Nullable E element) {
            byte[] bytes = bytesOf(checked(element));
            if (bytes.length > mostBytes) {
                throw new LimitExceededException(
                        "%s: an element of %s has %d bytes, the limit is %d; store less, or raise limits.valueBytes"
                                .formatted(owner, type.getName(), bytes.length, mostBytes));
            }
            return Element.of(
                    encryption == null
                            ? bytes
                            : encryption.encryption.encryptElement(encryption.key, encryption.place, bytes));
        }

        private E checked(@Nullable E element) {
            Objects.requireNonNull(element, "element");
            if (!type.isInstance(element)) {
                throw new ClassCastException("%s: an element must be of %s, but this one is of %s"
                        .formatted(
                                owner,
                                type.getName(),
                                ((Object) element).getClass().getName()));
            }
            return element;
        }

        private byte[] bytesOf(E element) {
            try {
                return codec.encode(element);
            } catch (CodecException e) {
                throw new CodecException("%s: %s".formatted(owner, e.getMessage()), e);
            } catch (RuntimeException e) {
                throw new CodecException(
                        "%s: codec %s cannot encode an element of %s"
                                .formatted(
                                        owner, codec.name(), element.getClass().getName()),
                        e);
            }
        }

        List<Element> encodeAll(Collection<? extends E> elements) {
            List<Element> encoded = new ArrayList<>(elements.size());
            elements.forEach(element -> encoded.add(encode(element)));
            return encoded;
        }

        /** Throws {@code CodecException} if it is malformed. */
        E decode(Element stored) {
            try {
                byte[] bytes = encryption == null
                        ? stored.bytes()
                        : encryption.encryption.decryptElement(encryption.key, encryption.place, stored.bytes());
                return codec.decode(ByteBuffer.wrap(bytes).asReadOnlyBuffer());
            } catch (UnreadableValueException e) {
                throw new CodecException(
                        "%s: there is an element that cannot be decrypted: %s".formatted(owner, e.getMessage()));
            } catch (CodecException e) {
                throw new CodecException("%s: %s".formatted(owner, e.getMessage()), e);
            } catch (RuntimeException withContentInIt) {
                // Not kept as the cause: its message may quote the content.
                throw new CodecException(
                        "%s: there is an element that is not of %s, as codec %s writes it; read it as the class it was written as"
                                .formatted(owner, type.getName(), codec.name()));
            }
        }

        @Nullable
        E decodeOrNull(@Nullable Element stored) {
            return stored == null ? null : decode(stored);
        }

        List<E> decodeAll(Collection<Element> stored) {
            List<E> elements = new ArrayList<>(stored.size());
            stored.forEach(element -> elements.add(decode(element)));
            return elements;
        }
    }
}
