// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.Codec;
import io.keyslot.client.codec.AllowedClasses;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.codec.Compression;
import io.keyslot.client.codec.Dictionaries;
import io.keyslot.client.codec.VerifiedCodec;
import io.keyslot.client.concurrent.SystemTicker;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How much smaller the sales of FoodMart and Chinook become by compression, and the CPU time that it takes: the figures of
 * {@code docs/values.md}.
 */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before all tests
class FoodMartCompressionIT {
    private static final int SALES = 20_000;
    private static final int ROUNDS = 200;
    private static final int FROM = 1 << 10;
    private static final int MOST = 8 << 20;

    private static final String TRACKS = """
            select "CustomerId", "FirstName" || ' ' || "LastName", "City", "InvoiceDate",
                "Artist"."Name", "Title", "Track"."Name", "InvoiceLine"."UnitPrice"
            from "chinook"."Customer" join "chinook"."Invoice" using ("CustomerId")
                join "chinook"."InvoiceLine" using ("InvoiceId") join "chinook"."Track" using ("TrackId")
                join "chinook"."Album" using ("AlbumId") join "chinook"."Artist" using ("ArtistId")
            order by "InvoiceDate", "InvoiceLineId"
            """;

    private static FoodMart foodMart;
    private static List<Sales> values;
    private static List<Purchases> purchases;

    record Sales(int day, List<Sale> sales) {}

    record Purchase(int day, int store, String brand, String product, int units, BigDecimal amount) {}

    record Purchases(int customer, String name, String city, List<Purchase> all) {}

    record Track(LocalDate day, String artist, String album, String name, BigDecimal price) {}

    record Tracks(int customer, String name, String city, List<Track> all) {}

    /** The sizes of all values in bytes, and the CPU time of one in microseconds. */
    private record Cost(long bytes, double encoding, double decoding) {}

    @BeforeAll
    static void read() {
        foodMart = FoodMart.open();
        Map<Integer, List<Sale>> byDay = new TreeMap<>();
        Map<Integer, List<Purchase>> byCustomer = new TreeMap<>();
        foodMart.receipts(SALES)
                .forEach(receipt -> receipt.keys().forEach(key -> {
                    Sale sale = Objects.requireNonNull(foodMart.sale(key));
                    Product product = Objects.requireNonNull(foodMart.product(sale.product()));
                    byDay.computeIfAbsent(key.day(), day -> new ArrayList<>()).add(sale);
                    byCustomer
                            .computeIfAbsent(key.customer(), customer -> new ArrayList<>())
                            .add(new Purchase(
                                    key.day(),
                                    sale.store(),
                                    product.brand(),
                                    product.name(),
                                    sale.units(),
                                    sale.amount()));
                }));
        values = new ArrayList<>();
        byDay.forEach((day, sales) -> values.add(new Sales(day, sales)));
        purchases = new ArrayList<>();
        byCustomer.forEach((id, all) -> {
            Customer customer = Objects.requireNonNull(foodMart.customer(id));
            purchases.add(new Purchases(id, customer.name(), customer.city(), all));
        });
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
        compare("objects (kryo)", (Codec<Sales>) kryo, Sales.class, values);
    }

    @Test
    @SuppressWarnings("unchecked") // created for this class
    void purchases_asObjects() {
        AllowedClasses allowed = AllowedClasses.of(List.of("io.keyslot.cluster.demo.*"));
        Codec<?> kryo = Codecs.create("kryo", Purchases.class, allowed, Purchases.class.getClassLoader());
        compare("purchases (kryo)", (Codec<Purchases>) kryo, Purchases.class, purchases);
    }

    @Test
    @SuppressWarnings("unchecked") // created for this class
    void purchases_asText() {
        AllowedClasses allowed = AllowedClasses.of(List.of());
        Codec<?> text = Codecs.create("string", String.class, allowed, String.class.getClassLoader());
        compare(
                "purchases (string)",
                (Codec<String>) text,
                String.class,
                purchases.stream().map(Purchases::toString).toList());
    }

    @Test
    @SuppressWarnings("unchecked") // created for this class
    void sales_asText() {
        AllowedClasses allowed = AllowedClasses.of(List.of());
        Codec<?> text = Codecs.create("string", String.class, allowed, String.class.getClassLoader());
        compare(
                "text (string)",
                (Codec<String>) text,
                String.class,
                values.stream().map(Sales::toString).toList());
    }

    @Test
    @SuppressWarnings("unchecked") // created for this class
    void tracksOfChinook_asObjects() throws SQLException {
        AllowedClasses allowed = AllowedClasses.of(List.of("io.keyslot.cluster.demo.*"));
        Codec<?> kryo = Codecs.create("kryo", Tracks.class, allowed, Tracks.class.getClassLoader());
        compare("tracks (kryo)", (Codec<Tracks>) kryo, Tracks.class, tracks());
    }

    @Test
    @SuppressWarnings("unchecked") // created for this class
    void tracksOfChinook_asText() throws SQLException {
        Codec<?> text =
                Codecs.create("string", String.class, AllowedClasses.of(List.of()), String.class.getClassLoader());
        compare(
                "tracks (string)",
                (Codec<String>) text,
                String.class,
                tracks().stream().map(Tracks::toString).toList());
    }

    /** Returns what the customers of Chinook have bought. Its database comes with the profile {@code thorough}. */
    private static List<Tracks> tracks() throws SQLException {
        Map<Integer, Tracks> tracks = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection("jdbc:hsqldb:res:chinook;shutdown=true", "SA", "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(TRACKS)) {
            while (rows.next()) {
                Tracks ofCustomer = tracks.get(rows.getInt(1));
                if (ofCustomer == null) {
                    ofCustomer = new Tracks(rows.getInt(1), rows.getString(2), rows.getString(3), new ArrayList<>());
                    tracks.put(ofCustomer.customer(), ofCustomer);
                }
                ofCustomer
                        .all()
                        .add(new Track(
                                rows.getDate(4).toLocalDate(),
                                rows.getString(5),
                                rows.getString(6),
                                rows.getString(7),
                                rows.getBigDecimal(8)));
            }
        }
        return List.copyOf(tracks.values());
    }

    private static <V> void compare(String name, Codec<V> codec, Class<V> type, List<V> values) {
        List<V> large = values.stream()
                .filter(value -> codec.encode(value).length >= FROM)
                .toList();
        Map<String, byte[]> stored = new HashMap<>();
        Dictionaries dictionaries =
                new Dictionaries(stored::get, stored::putIfAbsent, Runnable::run, new SystemTicker());
        VerifiedCodec<V> sampling = new VerifiedCodec<>(codec, type, new Compression(FROM, MOST, true, dictionaries));
        int samples = 0;
        while (stored.size() < 2) { // these are not measured
            var unused = sampling.encode(large.get(samples++));
        }
        List<V> measured = large.subList(samples, large.size());
        Cost plain = cost(new VerifiedCodec<>(codec, type), measured);
        Cost compressed = cost(new VerifiedCodec<>(codec, type, new Compression(FROM, MOST)), measured);
        Cost shared = cost(sampling, measured);

        System.out.printf(
                "%s: %d values of %d bytes become %d bytes, %d with a dictionary; %.1f, %.1f, %.1f us to write, %.1f, %.1f, %.1f us to read%n",
                name,
                measured.size(),
                plain.bytes / measured.size(),
                compressed.bytes / measured.size(),
                shared.bytes / measured.size(),
                plain.encoding,
                compressed.encoding,
                shared.encoding,
                plain.decoding,
                compressed.decoding,
                shared.decoding);
        assertThat(compressed.bytes).isLessThan(plain.bytes * 7 / 10);
        assertThat(shared.bytes).isLessThan(compressed.bytes);
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
