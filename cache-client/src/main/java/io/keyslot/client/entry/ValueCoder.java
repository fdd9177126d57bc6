// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.codec.VerifiedCodec;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Encryption;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.UnreadableValueException;
import io.keyslot.client.stored.UnreadableValueException.Reason;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Encodes, and perhaps encrypts, values to envelopes, and decodes them, on the caller's thread, within the limits. */
public final class ValueCoder<V> {
    private final String cacheName;
    private final Codec<V> codec;
    private final Envelope.@Nullable Reader<V> reader;
    private final EntryLimits limits;
    private final StampSource stamps;
    private final @Nullable Encryption encryption;
    private final boolean isRaw;

    public ValueCoder(
            String cacheName, Codec<V> codec, EntryLimits limits, StampSource stamps, @Nullable Encryption encryption) {
        this(cacheName, codec, limits, stamps, encryption, false);
    }

    private ValueCoder(
            String cacheName,
            Codec<V> codec,
            EntryLimits limits,
            StampSource stamps,
            @Nullable Encryption encryption,
            boolean isRaw) {
        this.cacheName = cacheName;
        this.codec = codec;
        this.reader = codec instanceof VerifiedCodec<V> verified ? verified::decode : null;
        this.limits = limits;
        this.stamps = stamps;
        this.encryption = encryption;
        this.isRaw = isRaw;
    }

    public static <V> ValueCoder<V> raw(String cacheName, Codec<V> codec, EntryLimits limits, StampSource stamps) {
        return new ValueCoder<>(cacheName, codec, limits, stamps, null, true);
    }

    /** Returns whether it creates no headers; then the stamp identifies the value, not the write. */
    public boolean isRaw() {
        return isRaw;
    }

    public boolean isEncrypted() {
        return encryption != null;
    }

    /** Returns why no value of a declared type can be encoded, as far as its declaration tells; null if it can. */
    public @Nullable String problemOf(Type declared) {
        return Codecs.problemOf(codec, declared);
    }

    /**
     * Encodes a value for one write with a new stamp; throws if it is too large or has no encoded form.
     * {@code freshUntil} is in milliseconds since 1970, 0 for always fresh.
     */
    public Envelope encode(EncodedKey key, V value, long freshUntil) {
        return encode(key, value, freshUntil, stamps.next());
    }

    /** As above, with a stamp that several writes share because they are done together. */
    public Envelope encode(EncodedKey key, V value, long freshUntil, long stamp) {
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
        if (encryption != null) {
            payload = encryption.encryptValue(key, payload);
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
     * Decodes an envelope of a key, which may be null unless the values are encrypted; empty if the bytes are not a value.
     * Throws {@link CodecException} if its class is not allowed, and another {@link KeyslotException} if its dictionary
     * cannot be read now.
     */
    public Optional<V> decode(@Nullable EncodedKey key, Envelope envelope) {
        return Optional.ofNullable(decodeOrNull(key, envelope));
    }

    /** As {@link #decode}, but returns null instead of empty, to save an allocation. */
    @Nullable
    public V decodeOrNull(@Nullable EncodedKey key, Envelope envelope) {
        return decodeOrNull(key, envelope, CacheTelemetry.NONE);
    }

    /** As above, and reports why it returns null. */
    @Nullable
    public V decodeOrNull(@Nullable EncodedKey key, Envelope envelope, CacheTelemetry telemetry) {
        try {
            return decodeOrThrow(key, envelope);
        } catch (CodecException e) {
            throw new CodecException("Cache %s: %s".formatted(cacheName, e.getMessage()), e);
        } catch (KeyslotException e) {
            throw e; // the dictionary is at a partition that does not answer
        } catch (UnreadableValueException e) {
            telemetry.onUndecodable(e.reason());
        } catch (RuntimeException e) {
            // A codec may throw anything. It is counted, and not logged, as its message may quote the bytes.
            telemetry.onUndecodable(Reason.UNDECODABLE);
        }
        return null;
    }

    private V decodeOrThrow(@Nullable EncodedKey key, Envelope envelope) {
        if (encryption != null) {
            EncodedKey own = Objects.requireNonNull(key);
            return envelope.read((bytes, offset, length, isShared) ->
                    codec.decode(ByteBuffer.wrap(encryption.decryptValue(own, bytes, offset, length))));
        }
        return reader == null ? codec.decode(envelope.payload()) : envelope.read(reader);
    }

    /** Returns an equal value that shares nothing with this one, for an iterator or a listener. */
    public V copy(V value) {
        return codec instanceof VerifiedCodec<V> verified
                ? verified.copy(value)
                : codec.decode(ByteBuffer.wrap(codec.encode(value)));
    }

    public long newStamp() {
        return stamps.next();
    }

    public boolean isOwn(long stamp) {
        return stamps.isOwn(stamp);
    }

    public String codecName() {
        return codec.name();
    }
}
