// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.codec.VerifiedCodec;
import io.keyslot.client.stored.Envelope;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Encodes values to envelopes and decodes them, on the caller's thread, within the limits. */
public final class ValueCoder<V> {
    private final String cacheName;
    private final Codec<V> codec;
    private final Envelope.@Nullable Reader<V> reader;
    private final EntryLimits limits;
    private final StampSource stamps;
    private final boolean isRaw;

    public ValueCoder(String cacheName, Codec<V> codec, EntryLimits limits, StampSource stamps) {
        this(cacheName, codec, limits, stamps, false);
    }

    private ValueCoder(String cacheName, Codec<V> codec, EntryLimits limits, StampSource stamps, boolean isRaw) {
        this.cacheName = cacheName;
        this.codec = codec;
        this.reader = codec instanceof VerifiedCodec<V> verified ? verified::decode : null;
        this.limits = limits;
        this.stamps = stamps;
        this.isRaw = isRaw;
    }

    public static <V> ValueCoder<V> raw(String cacheName, Codec<V> codec, EntryLimits limits, StampSource stamps) {
        return new ValueCoder<>(cacheName, codec, limits, stamps, true);
    }

    /** Returns whether it creates no headers; then the stamp identifies the value, not the write. */
    boolean isRaw() {
        return isRaw;
    }

    /** Returns why no value of a declared type can be encoded, as far as its declaration tells; null if it can. */
    public @Nullable String problemOf(Type declared) {
        return Codecs.problemOf(codec, declared);
    }

    /**
     * Encodes a value for one write with a new stamp; throws if it is too large or has no encoded form.
     * {@code freshUntil} is in milliseconds since 1970, 0 for always fresh.
     */
    public Envelope encode(V value, long freshUntil) {
        return encode(value, freshUntil, stamps.next());
    }

    /** As above, with a stamp that several writes share because they are done together. */
    public Envelope encode(V value, long freshUntil, long stamp) {
        byte[] payload;
        try {
            payload = codec.encode(value);
        } catch (CodecException e) {
            throw new CodecException("Cache %s: %s".formatted(cacheName, e.getMessage()), e);
        } catch (RuntimeException e) {
            throw new CodecException(
                    "Cache %s: codec %s cannot encode a value of %s"
                            .formatted(cacheName, codec.name(), value.getClass().getName()),
                    e);
        }
        Envelope envelope = envelopeOf(payload, freshUntil, stamp);
        int bytes = isRaw ? payload.length : envelope.sizeBytes();
        if (bytes > limits.valueBytes()) {
            throw new LimitExceededException(
                    "Cache %s: a value of %s has %d bytes, the limit is %d; store less, or raise limits.valueBytes"
                            .formatted(cacheName, value.getClass().getTypeName(), bytes, limits.valueBytes()));
        }
        return envelope;
    }

    private Envelope envelopeOf(byte[] payload, long freshUntil, long stamp) {
        if (isRaw) {
            return Envelope.bare(payload, true);
        }
        return freshUntil == 0 ? Envelope.of(stamp, payload) : Envelope.timed(stamp, freshUntil, payload);
    }

    /**
     * Decodes an envelope; empty if the bytes are not a value. Throws {@link CodecException} if its class is not
     * allowed.
     */
    public Optional<V> decode(Envelope envelope) {
        return Optional.ofNullable(decodeOrNull(envelope));
    }

    /** As {@link #decode}, but returns null instead of empty, to save an allocation. */
    @Nullable
    V decodeOrNull(Envelope envelope) {
        try {
            return reader == null ? codec.decode(envelope.payload()) : envelope.read(reader);
        } catch (CodecException e) {
            throw new CodecException("Cache %s: %s".formatted(cacheName, e.getMessage()), e);
        } catch (RuntimeException e) {
            // The store counts this. It is not logged, as the codec's message may quote the bytes.
            return null;
        }
    }

    /** Returns an equal value that shares nothing with this one, for an iterator or a listener. */
    public V copy(V value) {
        return codec.decode(ByteBuffer.wrap(codec.encode(value)));
    }

    public long newStamp() {
        return stamps.next();
    }

    boolean isOwn(long stamp) {
        return stamps.isOwn(stamp);
    }

    String codecName() {
        return codec.name();
    }
}
