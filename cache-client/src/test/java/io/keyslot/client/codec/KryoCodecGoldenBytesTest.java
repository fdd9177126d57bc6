// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes of values: what is stored changes with them. */
class KryoCodecGoldenBytesTest {
    private final KryoCodec codec = KryoCodec.create(
            AllowedClasses.of(List.of("io.keyslot.client.codec.*")), getClass().getClassLoader());

    static Stream<Arguments> golden() {
        return Stream.of(
                // tag 2 + 8, length, UTF-8
                Arguments.of("Grüß", "0a 06 47 72 c3 bc c3 9f"),
                // tag 2 + 5, zigzag varint
                Arguments.of(-3L, "07 05"),
                Arguments.of(300L, "07 d804"),
                // tag 2 + 10, length + 1 and bytes of the unscaled value, zigzag scale
                Arguments.of(new BigDecimal("12.30"), "0c 03 04ce 04"),
                // tag 2 + 50, first occurrence, size, elements
                Arguments.of(List.of("a", "b"), "34 01 02 0a0161 0a0162"),
                // tag 2 + 68, first occurrence, comparator, size, key and value
                Arguments.of(new TreeMap<>(Map.of(1, true)), "46 01 00 01 0602 0201"),
                // tag 2 + 21, year, month, day
                Arguments.of(LocalDate.of(2026, 2, 28), "17 ea0f 02 1c"),
                // tag 2 + 11, two numbers with the lowest byte first
                Arguments.of(
                        UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"),
                        "0d 7766554433221100 ffeeddccbbaa9988"),
                // tag 1, name, form 0 without parts, constant
                Arguments.of(Color.RED, "01 " + NAME_OF_COLOR + " 00 00 03 524544"),
                // tag 1, name, form 2 with two parts: CRC-32 of "x" and kind 4, of "name" and kind 8; first occurrence,
                // components
                Arguments.of(new Point(1, "p"), "01 " + NAME_OF_POINT + " 02 02 84 16dc8c 08 7e235e 01 02 0a0170"),
                // the second point has tag 2 + 112 + 0
                Arguments.of(
                        List.of(new Point(1, "p"), new Point(2, "q")),
                        "34 01 02 01 " + NAME_OF_POINT + " 02 02 84 16dc8c 08 7e235e 01 02 0a0170 72 01 04 0a0171"));
    }

    /** The version of the format. */
    private static final String FORMAT = "82";

    private static final String NAME_OF_COLOR = name("Color");
    private static final String NAME_OF_POINT = name("Point");

    private static String name(String simple) {
        byte[] name = ("io.keyslot.client.codec.KryoCodecGoldenBytesTest$" + simple)
                .getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        return HexFormat.of().toHexDigits((byte) name.length) + HexFormat.of().formatHex(name);
    }

    @ParameterizedTest
    @MethodSource("golden")
    void value_hasTheseBytes(Object value, String hex) {
        byte[] bytes = HexFormat.of().parseHex(FORMAT + hex.replace(" ", ""));

        assertThat(HexFormat.of().formatHex(codec.encode(value)))
                .isEqualTo(HexFormat.of().formatHex(bytes));
        assertThat(codec.decode(ByteBuffer.wrap(bytes))).isEqualTo(value);
    }

    record Point(int x, String name) {}

    enum Color {
        RED
    }
}
