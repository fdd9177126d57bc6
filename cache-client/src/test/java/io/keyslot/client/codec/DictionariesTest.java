// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.concurrent.ManualTicker;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DictionariesTest {
    private static final int FROM = 64;
    private static final int MOST = 1 << 20;
    private static final List<String> WORDS =
            List.of("street", "city", "country", "customer", "invoice", "paid", "open");

    private final ManualTicker ticker = new ManualTicker();
    private final Map<String, byte[]> stored = new ConcurrentHashMap<>();
    private final Random random = new Random(7);
    private boolean isDown;

    private Dictionaries dictionaries() {
        return new Dictionaries(
                name -> {
                    checkUp();
                    return stored.get(name);
                },
                (name, bytes) -> {
                    checkUp();
                    stored.putIfAbsent(name, bytes);
                },
                Runnable::run,
                ticker);
    }

    private void checkUp() {
        if (isDown) {
            throw new IllegalStateException("no answer");
        }
    }

    private static VerifiedCodec<byte[]> codec(Dictionaries dictionaries, boolean isSampled) {
        return new VerifiedCodec<>(Codecs.BYTES, byte[].class, new Compression(FROM, MOST, isSampled, dictionaries));
    }

    private byte[] value() {
        return IntStream.range(0, 5 + random.nextInt(100))
                .mapToObj(i -> "%s=%d;".formatted(WORDS.get(random.nextInt(WORDS.size())), random.nextInt(10_000)))
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a codec that has a dictionary, which is stored. */
    private VerifiedCodec<byte[]> settled() {
        VerifiedCodec<byte[]> codec = codec(dictionaries(), true);
        for (int i = 0; i < 100; i++) {
            var unused = codec.encode(value());
        }
        assertThat(stored).hasSize(2).containsKey("");
        return codec;
    }

    private static byte[] decoded(VerifiedCodec<byte[]> codec, byte[] encoded) {
        return codec.decode(ByteBuffer.wrap(encoded));
    }

    private static boolean hasDictionary(byte[] encoded) {
        return encoded[Integer.BYTES] == 2;
    }

    @Test
    void processesThatBuildAtOnce_useTheOneThatWasStored() {
        VerifiedCodec<byte[]> first = codec(dictionaries(), true);
        VerifiedCodec<byte[]> second = codec(dictionaries(), true);
        for (int i = 0; i < 200; i++) {
            var unused = first.encode(value());
            unused = second.encode(value());
        }

        assertThat(stored).hasSize(2);
        byte[] value = value();
        assertThat(first.encode(value)).isEqualTo(second.encode(value)).matches(DictionariesTest::hasDictionary);
    }

    @Test
    void evictedDictionary_isStoredAgainWithinAMinute_andOthersCannotReadMeanwhile() {
        VerifiedCodec<byte[]> codec = settled();
        Map<String, byte[]> before = Map.copyOf(stored);
        byte[] value = value();
        byte[] encoded = codec.encode(value);
        stored.clear();

        assertThat(decoded(codec, encoded)).isEqualTo(value);
        assertThatThrownBy(() -> decoded(codec(dictionaries(), true), encoded))
                .isInstanceOf(IllegalArgumentException.class);

        ticker.advance(Duration.ofMinutes(1));
        var unused = codec.encode(value);
        assertThat(stored).isEqualTo(before);
        assertThat(decoded(codec(dictionaries(), true), encoded)).isEqualTo(value);
    }

    @Test
    void whileNothingIsAnswered_valuesAreCompressedWithoutADictionary_andReadsFail() {
        byte[] encoded = settled().encode(value());
        stored.clear();
        isDown = true;
        VerifiedCodec<byte[]> codec = codec(dictionaries(), true);
        for (int i = 0; i < 100; i++) {
            byte[] value = value();
            byte[] alone = codec.encode(value);
            assertThat(hasDictionary(alone)).isFalse();
            assertThat(decoded(codec, alone)).isEqualTo(value);
        }
        assertThatThrownBy(() -> decoded(codec, encoded)).isInstanceOf(RuntimeException.class);

        isDown = false;
        ticker.advance(Duration.ofMinutes(1));
        var unused = codec.encode(value());
        assertThat(stored).hasSize(2);
    }

    /** Neither another value nor much memory, whatever a dictionary or its id is. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void forgedDictionaries_andIds_areRefused_orGiveBoundedValues(long seed) {
        VerifiedCodec<byte[]> codec = settled();
        Random forging = new Random(seed);
        String id = stored.keySet().stream()
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElseThrow();
        byte[] encoded = codec.encode(value());
        byte[] other = new byte[1_000];
        forging.nextBytes(other);
        stored.put(id, other);
        assertThatThrownBy(() -> decoded(codec(dictionaries(), true), encoded))
                .isInstanceOf(IllegalArgumentException.class);

        stored.put("", new byte[MOST]);
        assertThat(hasDictionary(codec(dictionaries(), true).encode(value()))).isFalse();

        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = encoded.clone();
            damaged[Integer.BYTES + forging.nextInt(damaged.length - Integer.BYTES)] = (byte) forging.nextInt();
            ByteBuffer.wrap(damaged)
                    .putInt(0, ~VerifiedCodec.checksum(damaged, Integer.BYTES, damaged.length - Integer.BYTES));
            try {
                assertThat(decoded(codec, damaged).length).isLessThanOrEqualTo(MOST);
            } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage()).isNotEmpty();
            }
        }
    }
}
