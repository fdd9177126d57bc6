// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.Codec;
import io.keyslot.client.codec.AllowedClasses;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.codec.Compression;
import io.keyslot.client.codec.VerifiedCodec;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How much smaller the sales of FoodMart's days become by compression, and the CPU time that it takes: the figures
 * of {@code docs/values.md}.
 */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before all tests
class FoodMartCompressionIT {
    private static final int SALES = 20_000;
    private static final int ROUNDS = 200;
    private static final int FROM = 1 << 10;
    private static final int MOST = 8 << 20;

    private static FoodMart foodMart;
    private static List<Sales> values;

    record Sales(int day, List<Sale> sales) {}

    /** The sizes of all values in bytes, and the CPU time of one in microseconds. */
    private record Cost(long bytes, double encoding, double decoding) {}

    @BeforeAll
    static void read() {
        foodMart = FoodMart.open();
        Map<Integer, List<Sale>> byDay = new TreeMap<>();
        foodMart.receipts(SALES)
                .forEach(receipt -> receipt.keys()
                        .forEach(key -> byDay.computeIfAbsent(key.day(), day -> new ArrayList<>())
                                .add(Objects.requireNonNull(foodMart.sale(key)))));
        values = new ArrayList<>();
        byDay.forEach((day, sales) -> values.add(new Sales(day, sales)));
    }

    @AfterAll
    static void end() {
        foodMart.close();
    }

    @Test
    @SuppressWarnings("unchecked") // created for this class
    void sales_asObjects() {
        AllowedClasses allowed = AllowedClasses.of(List.of("io.keyslot.cluster.demo.*"));
        Codec<?> kryo = Codecs.create("kryo", Sales.class, allowed, Sales.class.getClassLoader());
        compare("objects (kryo)", (Codec<Sales>) kryo, Sales.class, sales -> sales);
    }

    @Test
    @SuppressWarnings("unchecked") // created for this class
    void sales_asText() {
        AllowedClasses allowed = AllowedClasses.of(List.of());
        Codec<?> text = Codecs.create("string", String.class, allowed, String.class.getClassLoader());
        compare("text (string)", (Codec<String>) text, String.class, Sales::toString);
    }

    private static <V> void compare(String name, Codec<V> codec, Class<V> type, Function<Sales, V> form) {
        List<V> large = new ArrayList<>();
        for (Sales sales : values) {
            V value = form.apply(sales);
            if (codec.encode(value).length >= FROM) {
                large.add(value);
            }
        }
        Cost plain = cost(new VerifiedCodec<>(codec, type), large);
        Cost compressed = cost(new VerifiedCodec<>(codec, type, new Compression(FROM, MOST)), large);

        System.out.printf(
                "%s: %d values of %d bytes become %d bytes; %.1f instead of %.1f us to write, %.1f instead of %.1f us to read%n",
                name,
                large.size(),
                plain.bytes / large.size(),
                compressed.bytes / large.size(),
                compressed.encoding,
                plain.encoding,
                compressed.decoding,
                plain.decoding);
        assertThat(compressed.bytes).isLessThan(plain.bytes * 7 / 10);
    }

    private static <V> Cost cost(VerifiedCodec<V> codec, List<V> all) {
        List<byte[]> encoded = all.stream().map(codec::encode).toList();
        double encoding = 0;
        double decoding = 0;
        for (int round = 0; round < ROUNDS; round++) { // the last one counts, by compiled code
            long begin = cpu();
            all.forEach(codec::encode);
            long middle = cpu();
            encoded.forEach(bytes -> codec.decode(ByteBuffer.wrap(bytes)));
            encoding = (middle - begin) / 1e3 / all.size();
            decoding = (cpu() - middle) / 1e3 / all.size();
        }
        return new Cost(encoded.stream().mapToLong(bytes -> bytes.length).sum(), encoding, decoding);
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
