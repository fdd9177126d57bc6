// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import static io.keyslot.client.key.KeyCodecFixture.codec;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.key.KeyCodec.KeySpace;
import io.keyslot.client.key.KeyCodecFixture.Address;
import io.keyslot.client.key.KeyCodecFixture.Chain;
import io.keyslot.client.key.KeyCodecFixture.Color;
import io.keyslot.client.key.KeyCodecFixture.ForeignAddress;
import io.keyslot.client.key.KeyCodecFixture.LegKey;
import io.keyslot.client.key.KeyCodecFixture.Line;
import io.keyslot.client.key.KeyCodecFixture.Name;
import io.keyslot.client.key.KeyCodecFixture.Point;
import io.keyslot.client.key.KeyCodecFixture.SaleKey;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.HashSlot;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of all kinds, small enough to be equal now and then. The seed is the parameter of the test. */
class KeyPropertyTest {
    private static final int KEYS = 400;
    private static final String ALPHABET = "ab{}%,():/\u0000\n\ud83d\ude00é;~";

    private static final KeySpace ALONE = new KeySpace("shop", "order", null);
    private static final KeySpace GROUPED = new KeySpace("shop", "order", "customer");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void textFollowsEquals_andComesBack(long seed) {
        Random random = new Random(seed);
        for (KeySpace space : List.of(ALONE, GROUPED)) {
            KeyCodec<Object> codec = codec(space, Object.class);
            Map<Object, EncodedKey> byKey = new HashMap<>();
            Map<EncodedKey, Object> byText = new HashMap<>();
            for (int i = 0; i < KEYS; i++) {
                Object key = topLevelKey(random, space);
                EncodedKey encoded = codec.encode(key);

                assertThat(codec.decode(encoded))
                        .as("seed %s: %s", seed, encoded.text())
                        .isEqualTo(key);
                EncodedKey ofEqualKey = byKey.put(key, encoded);
                assertThat(ofEqualKey == null || ofEqualKey.equals(encoded))
                        .as("seed %s: equal keys have one text: %s", seed, encoded.text())
                        .isTrue();
                Object ofEqualText = byText.put(encoded, key);
                assertThat(ofEqualText == null || ofEqualText.equals(key))
                        .as("seed %s: one text has equal keys: %s", seed, encoded.text())
                        .isTrue();
                assertWellFormed(codec, encoded, seed);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void equalCollections_haveOneText_whateverTheirClassAndOrder(long seed) {
        Random random = new Random(seed);
        KeyCodec<Object> codec = codec(ALONE, Object.class);
        for (int i = 0; i < KEYS; i++) {
            Object key = key(random, 3);

            assertThat(codec.encode(otherwise(key, random))).as("seed %s", seed).isEqualTo(codec.encode(key));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 8, 9})
    void damagedText_isAnotherKeyOrAnError(long seed) {
        Random random = new Random(seed);
        KeyCodec<Object> codec = codec(GROUPED, Object.class);
        for (int i = 0; i < KEYS; i++) {
            EncodedKey damaged = damaged(codec.encode(topLevelKey(random, GROUPED)), random);
            try {
                assertThat(codec.encode(codec.decode(damaged)))
                        .as("seed %s", seed)
                        .isEqualTo(damaged);
            } catch (CodecException e) {
                assertThat(e).as("seed %s", seed).hasMessageContaining("entity type order");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 11})
    void floatingPointNumbers_comeBack(long seed) {
        Random random = new Random(seed);
        KeyCodec<Object> codec = codec(ALONE, Object.class);
        for (int i = 0; i < KEYS; i++) {
            Double one = Double.longBitsToDouble(random.nextLong());
            Float other = Float.intBitsToFloat(random.nextInt());

            assertThat(codec.decode(codec.encode(one))).as("seed %s", seed).isEqualTo(one);
            assertThat(codec.decode(codec.encode(other))).as("seed %s", seed).isEqualTo(other);
        }
    }

    private static void assertWellFormed(KeyCodec<Object> codec, EncodedKey encoded, long seed) {
        String text = encoded.text();
        String tag = HashSlot.tag(text);
        assertThat(text).as("seed %s", seed).startsWith(codec.prefix());
        assertThat(text.chars().noneMatch(Character::isISOControl))
                .as("seed %s", seed)
                .isTrue();
        assertThat(text.chars().filter(c -> c == '{' || c == '}').count())
                .as("seed %s: %s", seed, text)
                .isEqualTo(tag.equals(text) ? 0 : 2);
        assertThat(encoded.slot()).as("seed %s: %s", seed, text).isEqualTo(HashSlot.of(tag));
        assertThat(tag).as("seed %s", seed).startsWith("shop/");
    }

    private static EncodedKey damaged(EncodedKey key, Random random) {
        byte[] bytes = key.bytes().clone();
        byte[] marks = "{}(),:%AL1".getBytes(StandardCharsets.US_ASCII);
        bytes[random.nextInt(bytes.length)] = marks[random.nextInt(marks.length)];
        return new EncodedKey(random.nextBoolean() ? bytes : Arrays.copyOf(bytes, random.nextInt(bytes.length)));
    }

    private static Object topLevelKey(Random random, KeySpace space) {
        String id = string(random);
        return switch (random.nextInt(8)) {
            case 0 -> new SaleKey(random.nextInt(3), random.nextInt(3));
            case 1 -> new LegKey(string(random), string(random), random.nextBoolean() ? null : string(random));
            case 2 -> EntityKey.of("order", id).in(EntityKey.of("customer", string(random)));
            case 3 -> space.isGrouped() ? id : EntityKey.of("order", id);
            default -> key(random, 3);
        };
    }

    private static Object key(Random random, int depth) {
        int kind = random.nextInt(depth > 0 ? 26 : 17);
        int small = random.nextInt(4) - 1;
        return switch (kind) {
            case 0, 1, 2 -> string(random);
            case 3 -> (long) small;
            case 4 -> small;
            case 5 -> (short) small;
            case 6 -> (byte) small;
            case 7 -> random.nextBoolean();
            case 8 -> ALPHABET.charAt(random.nextInt(ALPHABET.length()));
            case 9 -> BigInteger.valueOf(small);
            case 10 -> BigDecimal.valueOf(small, random.nextInt(3) - 1);
            case 11 -> new UUID(small, small);
            case 12 -> random.nextBoolean() ? Color.RED : Color.GREEN;
            case 13 -> List.of(0.0, -0.0, Double.NaN, 1.0, 0.1f, 1f).get(random.nextInt(6));
            case 14 -> Instant.ofEpochSecond(small);
            case 15 -> LocalDate.ofEpochDay(small);
            case 16 -> new Point(small, random.nextInt(2));
            case 17 -> new Name(random.nextInt(4) == 0 ? null : string(random));
            case 18 -> new Line(new Point(small, 1), new Point(2, 2), maybeKey(random, depth - 1), Color.GREEN);
            case 19 -> new Chain(small, random.nextBoolean() ? null : new Chain(2, null));
            case 20 ->
                random.nextBoolean()
                        ? new Address(string(random), small)
                        : new ForeignAddress(string(random), small, string(random));
            case 21 -> Optional.ofNullable(maybeKey(random, depth - 1));
            case 22, 23 -> keys(random, depth, new ArrayList<>());
            case 24 -> keys(random, depth, new HashSet<>());
            default -> map(random, depth);
        };
    }

    private static @Nullable Object maybeKey(Random random, int depth) {
        return random.nextInt(5) == 0 ? null : key(random, depth);
    }

    private static <C extends Collection<Object>> C keys(Random random, int depth, C target) {
        for (int i = random.nextInt(4); i > 0; i--) {
            target.add(key(random, depth - 1));
        }
        return target;
    }

    private static Map<Object, Object> map(Random random, int depth) {
        Map<Object, Object> map = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put(key(random, depth - 1), key(random, depth - 1));
        }
        return map;
    }

    private static String string(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    /** Returns an equal key that is built of other classes, in another order. */
    private static Object otherwise(Object key, Random random) {
        if (key instanceof List<?> list) {
            return new CopyOnWriteArrayList<>(
                    list.stream().map(item -> otherwise(item, random)).toList());
        }
        if (key instanceof Set<?> set) {
            List<Object> items = new ArrayList<>();
            set.forEach(item -> items.add(otherwise(item, random)));
            Collections.shuffle(items, random);
            return new LinkedHashSet<>(items);
        }
        if (key instanceof Map<?, ?> map) {
            List<Map.Entry<?, ?>> pairs = new ArrayList<>(map.entrySet());
            Collections.shuffle(pairs, random);
            Map<Object, Object> copy = new LinkedHashMap<>();
            pairs.forEach(pair -> copy.put(otherwise(pair.getKey(), random), otherwise(pair.getValue(), random)));
            return copy;
        }
        return key;
    }
}
