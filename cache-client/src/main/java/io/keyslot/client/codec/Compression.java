// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.client.concurrent.IdlePool;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses the bytes of values by raw DEFLATE at its fastest level, unless they are small or do not become smaller.
 * Compressed bytes are a version, 1, the original length in 4 bytes, and the deflated bytes; or 2, the length, the id of a
 * dictionary in 4 bytes, and the bytes. Reads compressed bytes whatever the options are. Thread-safe.
 *
 * @param from the number of bytes from which on values are compressed; {@link #OFF} for none
 * @param mostBytes the largest number of bytes that are compressed, or to which bytes are inflated
 * @param isSampled whether a dictionary is used
 * @param dictionaries those of the cache; null if it can have none
 */
public record Compression(
        int from,
        int mostBytes,
        boolean isSampled,
        @Nullable Dictionaries dictionaries) {
    public static final int OFF = Integer.MAX_VALUE;

    private static final byte VERSION = 1;
    private static final byte WITH_DICTIONARY = 2;
    private static final int HEADER_BYTES = 5;

    /** DEFLATE cannot compress better than that; so the memory for decompression is proportional to the bytes. */
    private static final long BEST_RATIO = 1_032;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final IdlePool<Deflater> DEFLATERS = new IdlePool<>();
    private static final IdlePool<Inflater> INFLATERS = new IdlePool<>();

    public Compression(int from, int mostBytes) {
        this(from, mostBytes, false, null);
    }

    /** Returns as many bytes as a gap, and compressed all bytes after the same gap; null if that is not worth it. */
    byte @Nullable [] compressBehindGap(byte[] bytes, int gap) {
        int length = bytes.length - gap;
        if (length < from || length > mostBytes || length <= HEADER_BYTES + Integer.BYTES + 1) {
            return null;
        }
        Dictionaries.Dictionary dictionary =
                isSampled && dictionaries != null ? dictionaries.forValue(bytes, gap, length) : null;
        Deflater idle = DEFLATERS.take();
        Deflater deflater = idle == null ? new Deflater(Deflater.BEST_SPEED, true) : idle;
        if (dictionary != null) {
            deflater.setDictionary(dictionary.bytes);
        }
        deflater.setInput(bytes, gap, length);
        deflater.finish();
        byte[] compressed = new byte[bytes.length - 1];
        int begin = gap + HEADER_BYTES + (dictionary == null ? 0 : Integer.BYTES);
        int deflated = deflater.deflate(compressed, begin, compressed.length - begin);
        boolean isSmaller = deflater.finished();
        deflater.reset();
        if (!DEFLATERS.giveBack(deflater)) {
            deflater.end();
        }
        if (!isSmaller) {
            return null;
        }
        compressed[gap] = dictionary == null ? VERSION : WITH_DICTIONARY;
        INT.set(compressed, gap + 1, length);
        if (dictionary != null) {
            INT.set(compressed, gap + HEADER_BYTES, dictionary.id);
        }
        return Arrays.copyOf(compressed, begin + deflated);
    }

    /** Throws {@code IllegalArgumentException} if the bytes are not compressed, or to more than the largest number of bytes. */
    byte[] decompress(byte[] bytes, int offset, int length) {
        boolean hasDictionary = dictionaries != null && length > 0 && bytes[offset] == WITH_DICTIONARY;
        int header = HEADER_BYTES + (hasDictionary ? Integer.BYTES : 0);
        int deflated = length - header;
        int original =
                deflated < 1 || (!hasDictionary && bytes[offset] != VERSION) ? -1 : (int) INT.get(bytes, offset + 1);
        if (original < 0 || original > mostBytes || original > BEST_RATIO * deflated) {
            throw new IllegalArgumentException("compressed to %d bytes, of %d".formatted(deflated, original));
        }
        byte[] dictionary = dictionaries != null && hasDictionary
                ? dictionaries.named((int) INT.get(bytes, offset + HEADER_BYTES))
                : null;
        Inflater idle = INFLATERS.take();
        Inflater inflater = idle == null ? new Inflater(true) : idle;
        try {
            if (dictionary != null) {
                inflater.setDictionary(dictionary);
            }
            inflater.setInput(bytes, offset + header, deflated);
            byte[] inflated = new byte[original];
            int count = inflater.inflate(inflated);
            // The end of the stream may be read only after the last byte.
            if (count != original || (!inflater.finished() && inflater.inflate(new byte[1]) != 0)) {
                throw new IllegalArgumentException("the original length is another one");
            }
            return inflated;
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("not compressed by DEFLATE", e);
        } finally {
            inflater.reset();
            if (!INFLATERS.giveBack(inflater)) {
                inflater.end();
            }
        }
    }
}
