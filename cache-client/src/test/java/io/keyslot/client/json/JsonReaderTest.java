// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
    private static @Nullable Object read(String text) {
        return JsonReader.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void document_isRead_howeverItIsLaidOut() {
        assertThat(read(" { \"b\" : [ 1 , -20 , true , false , null ] ,\n\t\"a\" : \"x\\n\\u00e4\\/\u00f6\" } \r\n"))
                .isEqualTo(new HashMap<>(
                        Map.of("a", "x\n\u00e4/\u00f6", "b", Arrays.asList(1L, -20L, true, false, null))));
        assertThat(read("{}")).isEqualTo(Map.of());
        assertThat(read("[ ]")).isEqualTo(List.of());
        assertThat(read("0")).isEqualTo(0L);
    }

    @Test
    void text_hasOneForm() {
        assertThat(CanonicalJson.write(Map.of("b", List.of(1, 2L), "a", "\"\\\n\u00e4", "c", Map.of())))
                .isEqualTo("{\"a\":\"\\\"\\\\\\u000a\\u00e4\",\"b\":[1,2],\"c\":{}}");
        assertThat(CanonicalJson.sha256("")).startsWith("e3b0c44298fc1c14");
        assertThatThrownBy(() -> CanonicalJson.write(1.5)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "[1",
                "[1,",
                "[1,]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "{\"a\":1,\"a\":2}",
                "'a'",
                "\"a",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\n\"",
                "1.0",
                "1e3",
                "01",
                "-",
                "+1",
                "--1",
                "nul",
                "truefalse",
                "1 2",
                "[] []",
                "1234567890123456789",
                "NaN",
                "// c\n1",
                "\ufeff1"
            })
    void whatIsNotJson_isRefused_andNotRepeated(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(JsonReader.JsonException.class)
                .hasMessageStartingWith("at character");
    }

    @Test
    void tooMuch_isRefused() {
        assertThatThrownBy(() -> read("[".repeat(100_000))).hasMessageContaining("nested deeper than 16");
        assertThatThrownBy(() -> read("[" + "0,".repeat(JsonReader.MOST_VALUES) + "0]"))
                .hasMessageContaining("more than 500000 values");
        assertThatThrownBy(() -> JsonReader.read(new byte[JsonReader.LARGEST + 1]))
                .hasMessageContaining("more than 4194304 bytes");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatIsWritten_isReadAgain(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            Object value = value(random, 4);
            String text = CanonicalJson.write(value);

            assertThat(read(text)).isEqualTo(value);
            assertThat(CanonicalJson.write(read(text))).isEqualTo(text);
        }
    }

    /** Whatever the bytes are, there is an answer, or the one exception. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void damage_isRefusedOrRead_neverElse(long seed) {
        Random random = new Random(seed);
        byte[] alphabet = "{}[]\",:\\u0123456789abtrueflsn -+.eE\n\u00ff".getBytes(StandardCharsets.ISO_8859_1);
        for (int round = 0; round < 3000; round++) {
            byte[] bytes = CanonicalJson.write(value(random, 3)).getBytes(StandardCharsets.US_ASCII);
            for (int times = random.nextInt(4); times >= 0; times--) {
                bytes[random.nextInt(bytes.length)] = alphabet[random.nextInt(alphabet.length)];
            }
            try {
                JsonReader.read(Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length)));
            } catch (JsonReader.JsonException refused) {
                assertThat(refused).hasMessageStartingWith("at character");
            }
        }
    }

    private static @Nullable Object value(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 6)) {
            case 0 -> random.nextBoolean() ? null : random.nextBoolean();
            case 1 -> (long) random.nextInt();
            case 2 -> 999_999_999_999_999_999L;
            case 3 -> text(random);
            case 4 -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(value(random, depth - 1));
                }
                yield list;
            }
            default -> {
                Map<String, @Nullable Object> map = new HashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.put(text(random), value(random, depth - 1));
                }
                yield map;
            }
        };
    }

    /** Any code units, unpaired surrogates as well. */
    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append((char) (random.nextBoolean() ? random.nextInt(0x80) : random.nextInt(0x10000)));
        }
        return text.toString();
    }
}
