// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.slot.HashSlot;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Objects as JSON without a header, at real servers: another program reads and writes them. */
@SuppressWarnings("NullAway.Init") // the servers are set before all tests
@SideBySide
class RawJsonIT {
    private static final Map<String, String> SETTINGS = Map.of(
            "keyslot.caches.price.layout", "raw",
            "keyslot.caches.price.codec", "json",
            "keyslot.caches.shape.layout", "raw",
            "keyslot.caches.shape.codec", "json",
            "keyslot.codec.allow", "io.keyslot.it.RawJsonIT$Circle");

    private static final Price PRICE =
            new Price("Caf\u00e9", new BigDecimal("12.50"), LocalDate.of(2026, 1, 2), List.of("new"));
    private static final String JSON =
            "{\"amount\":12.50,\"name\":\"Caf\u00e9\",\"since\":\"2026-01-02\",\"tags\":[\"new\"]}";

    record Price(
            String name,
            BigDecimal amount,
            @Nullable LocalDate since,
            @Nullable List<String> tags) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    interface Shape {}

    record Circle(int radius) implements Shape {}

    private static TestServers servers;
    private static List<RedisClient> foreign;

    private CacheManager manager;
    private Cache<Long, Price> prices;

    @BeforeAll
    static void startServers() {
        servers = TestServers.start(3);
        foreign = servers.uris().stream().map(RedisClient::create).toList();
    }

    @AfterAll
    static void endServers() throws Exception {
        foreign.forEach(RedisClient::shutdown);
        servers.close();
    }

    @BeforeEach
    void open() {
        manager = KeyslotManagers.openPatiently("raw-json", servers.uris(), SETTINGS);
        prices = manager.createCache(
                "price", new PartitionedConfiguration<Long, Price>().setTypes(Long.class, Price.class));
        prices.clear();
    }

    @AfterEach
    void close() {
        prices.clear();
        manager.close();
    }

    /** Returns what another program is answered by the owner of the key, of three equal shares. */
    private static @Nullable String foreign(
            String key, Function<RedisCommands<String, String>, @Nullable Object> work) {
        int slot = HashSlot.of(key.getBytes(StandardCharsets.UTF_8));
        RedisClient owner = foreign.get(slot < 5462 ? 0 : slot < 10923 ? 1 : 2);
        try (StatefulRedisConnection<String, String> connection = owner.connect()) {
            Object answer = work.apply(connection.sync());
            return answer == null ? null : answer.toString();
        }
    }

    private static void foreignSets(String key, String json) {
        foreign(key, redis -> redis.set(key, json));
    }

    @Test
    void whatIsPut_isJsonAndNothingElse() {
        prices.put(42L, PRICE);

        assertThat(foreign("price:42", redis -> redis.get("price:42"))).isEqualTo(JSON);
    }

    /** Another program has another order of properties, other blanks, some properties more and others less. */
    @Test
    void whatAnotherProgramWrites_isRead_inItsOwnSpelling() {
        foreignSets("price:1", JSON);
        foreignSets(
                "price:2",
                "{ \"tags\" : [ \"new\" ],\n \"since\":\"2026-01-02\", \"name\":\"Caf\\u00e9\", \"amount\" : 12.50, \"by\": { \"id\": 7 } }");
        foreignSets("price:3", "{\"name\":\"Tea\",\"amount\":3}");

        assertThat(prices.get(1L)).isEqualTo(PRICE);
        assertThat(prices.get(2L)).isEqualTo(PRICE);
        assertThat(prices.get(3L)).isEqualTo(new Price("Tea", new BigDecimal(3), null, null));
        Map<Long, Price> seen = new TreeMap<>();
        prices.forEach(entry -> seen.put(entry.getKey(), entry.getValue()));
        assertThat(seen).containsOnlyKeys(1L, 2L, 3L);
    }

    /** What is compared is the value, not how it is written. */
    @Test
    void changesThatCompare_takeTheValueOfAnotherSpelling() {
        Price dearer = new Price("Tea", new BigDecimal("3.20"), null, null);
        foreignSets("price:4", "{ \"amount\": 3, \"name\": \"Tea\" }");
        Price found = new Price("Tea", new BigDecimal(3), null, null);

        assertThat(prices.replace(4L, PRICE, dearer)).isFalse();
        assertThat(prices.replace(4L, found, dearer)).isTrue();
        assertThat(foreign("price:4", redis -> redis.get("price:4")))
                .isEqualTo("{\"amount\":3.20,\"name\":\"Tea\",\"since\":null,\"tags\":null}");
        foreignSets("price:4", "{ \"amount\": 3, \"name\": \"Tea\" }");
        assertThat(prices.<Price>invoke(4L, (entry, arguments) -> {
                    Price before = entry.getValue();
                    entry.setValue(dearer);
                    return before;
                }))
                .isEqualTo(found);
        foreignSets("price:4", "{ \"amount\": 3, \"name\": \"Tea\" }");
        assertThat(prices.remove(4L, found)).isTrue();
        assertThat(foreign("price:4", redis -> redis.exists("price:4"))).isEqualTo("0");
    }

    @Test
    void whatIsNoJsonOfTheType_isToldByName_andStaysAsItIs() {
        for (String wrong : List.of("[]", "{\"amount\":\"much\"}", "{", "twelve", "")) {
            foreignSets("price:5", wrong);

            assertThatThrownBy(() -> prices.get(5L))
                    .as(wrong)
                    .isInstanceOf(CodecException.class)
                    .hasMessageContainingAll("Cache price", "price:5", "codec json", "correct it there, or remove it");
            assertThat(foreign("price:5", redis -> redis.get("price:5"))).isEqualTo(wrong);
        }
        prices.put(5L, PRICE);
        assertThat(prices.get(5L)).isEqualTo(PRICE);
    }
}
