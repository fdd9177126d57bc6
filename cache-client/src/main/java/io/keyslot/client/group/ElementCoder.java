// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.Codec;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.stored.Element;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes the elements of one aggregate, within the limits, on the caller's thread. */
final class ElementCoder<E> {
    private final String owner;
    private final Class<E> type;
    private final Codec<E> codec;
    private final int mostBytes;

    ElementCoder(String owner, Class<E> type, Codec<E> codec, int mostBytes) {
        this.owner = owner;
        this.type = type;
        this.codec = codec;
        this.mostBytes = mostBytes;
    }

    public Class<E> type() {
        return type;
    }

    /**
     * Throws {@code NullPointerException} if the element is null.
     * @throws ClassCastException if it has another class, which requires an unchecked cast
     * @throws LimitExceededException if it is too large
     * @throws CodecException if it has no stored form
     */
    public Element encode(@Nullable E element) {
        byte[] bytes = bytesOf(checked(element));
        if (bytes.length > mostBytes) {
            throw new LimitExceededException(
                    "%s: an element of %s has %d bytes, the limit is %d; store less, or raise limits.valueBytes"
                            .formatted(owner, type.getName(), bytes.length, mostBytes));
        }
        return Element.of(bytes);
    }

    private E checked(@Nullable E element) {
        Objects.requireNonNull(element, "element");
        if (!type.isInstance(element)) {
            throw new ClassCastException("%s: an element must be of %s, but this one is of %s"
                    .formatted(
                            owner, type.getName(), ((Object) element).getClass().getName()));
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
                            .formatted(owner, codec.name(), element.getClass().getName()),
                    e);
        }
    }

    public List<Element> encodeAll(Collection<? extends E> elements) {
        List<Element> encoded = new ArrayList<>(elements.size());
        elements.forEach(element -> encoded.add(encode(element)));
        return encoded;
    }

    /** Throws {@code CodecException} if it is malformed. */
    public E decode(Element stored) {
        try {
            return codec.decode(ByteBuffer.wrap(stored.bytes()).asReadOnlyBuffer());
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
    public E decodeOrNull(@Nullable Element stored) {
        return stored == null ? null : decode(stored);
    }

    public List<E> decodeAll(Collection<Element> stored) {
        List<E> elements = new ArrayList<>(stored.size());
        stored.forEach(element -> elements.add(decode(element)));
        return elements;
    }
}
