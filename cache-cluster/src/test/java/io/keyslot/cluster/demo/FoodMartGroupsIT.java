// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupView;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.RemoteHash;
import io.keyslot.cache.RemoteSet;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.HashSlot;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * FoodMart's customers, their orders, products and product details as hashes and sets in groups, on three servers: what
 * {@code docs/contributing/foodmart-groups.md} walks through.
 */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before all tests
@SideBySide
class FoodMartGroupsIT {
    private static final int SALES = 400;

    private static TestServers servers;
    private static PartitionedCacheManager manager;
    private static FoodMart foodMart;
    private static List<Receipt> receipts;

    @BeforeAll
    static void store() {
        servers = TestServers.start(3);
        manager = KeyslotManagers.openPatiently("foodmart", servers.uris()).unwrap(PartitionedCacheManager.class);
        foodMart = FoodMart.open();
        receipts = foodMart.receipts(SALES);
        receipts.forEach(FoodMartGroupsIT::storeOrder);
        receipts.stream()
                .flatMap(receipt -> receipt.products().stream())
                .distinct()
                .forEach(FoodMartGroupsIT::storeProduct);
    }

    @AfterAll
    static void end() throws Exception {
        manager.close();
        foodMart.close();
        servers.close();
    }

    private static EntityKey customerKey(int id) {
        return EntityKey.of("customer", id);
    }

    /** The customer's details, the set of the order's id, and the order itself are changed together. */
    private static void storeOrder(Receipt receipt) {
        Customer customer = Objects.requireNonNull(foodMart.customer(receipt.customer()));
        manager.group(customerKey(customer.id())).transactWithoutResult(group -> {
            var details = group.hash(group.root(), String.class, String.class);
            details.put("name", customer.name());
            details.put("city", customer.city());
            details.put("card", customer.card());
            orderIds(group).add(receipt.day());
            var order = order(group, receipt.day());
            receipt.products().forEach(product -> order.increment(product, 1L));
        });
    }

    private static RemoteSet<Integer> orderIds(GroupView group) {
        return group.set("orders", Integer.class);
    }

    private static RemoteHash<Integer, Long> order(GroupView group, int day) {
        return group.hash(EntityKey.of("order", day).in(group.root()), Integer.class, Long.class);
    }

    /** What is read often and what is read rarely are two hashes in one slot. */
    private static void storeProduct(int id) {
        Product product = Objects.requireNonNull(foodMart.product(id));
        CacheGroup group = manager.group(EntityKey.of("product", id));
        group.hash(group.root(), String.class, String.class).put("name", product.name());
        var details = group.hash("product_details", String.class, String.class);
        details.put("brand", product.brand());
        details.put("price", product.price().toPlainString());
    }

    /** Returns the keys of a server, as {@code redis-cli --scan} lists them. */
    private static List<String> keysOf(String uri, String pattern) {
        try (RedisClient client = RedisClient.create(uri);
                StatefulRedisConnection<String, String> connection = client.connect()) {
            RedisCommands<String, String> commands = connection.sync();
            return commands.keys(pattern).stream().sorted().toList();
        }
    }

    @Test
    void allOfACustomers_isInOneSlotOfOneServer_underTheKeysThatAPersonExpects() {
        int customer = receipts.get(0).customer();
        List<String> holders = servers.uris().stream()
                .filter(uri -> !keysOf(uri, "customer:" + customer).isEmpty())
                .toList();

        assertThat(holders).hasSize(1);
        List<String> keys = new ArrayList<>(keysOf(holders.get(0), "*{customer:" + customer + "}*"));
        keys.add("customer:" + customer);
        assertThat(keys)
                .contains(
                        "orders:{customer:" + customer + "}",
                        "order:{customer:" + customer + "}:" + receipts.get(0).day());
        assertThat(keys).extracting(HashSlot::of).containsOnly(HashSlot.of("customer:" + customer));
    }

    @Test
    void productAndItsDetails_areTwoHashesInOneSlot() {
        int product = receipts.get(0).products().get(0);
        String details = "product_details:{product:" + product + "}";

        assertThat(servers.uris())
                .filteredOn(uri -> keysOf(uri, "product:" + product).size() == 1
                        && keysOf(uri, details).size() == 1)
                .hasSize(1);
        assertThat(HashSlot.of(details)).isEqualTo(HashSlot.of("product:" + product));
    }

    @Test
    void ordersOfACustomer_areFoundByTheCollectionOfTheirIds() {
        int customer = receipts.get(0).customer();
        CacheGroup group = manager.group(customerKey(customer));
        Set<Integer> days = new HashSet<>();
        receipts.stream().filter(receipt -> receipt.customer() == customer).forEach(receipt -> days.add(receipt.day()));

        assertThat(orderIds(group).toSet()).isEqualTo(days);
        long lines = days.stream()
                .flatMap(day -> order(group, day).toMap().values().stream())
                .mapToLong(Long::longValue)
                .sum();
        assertThat(lines)
                .isEqualTo(receipts.stream()
                        .filter(receipt -> receipt.customer() == customer)
                        .mapToInt(Receipt::lines)
                        .sum());
        assertThat(group.hash(group.root(), String.class, String.class).get("name"))
                .isEqualTo(Objects.requireNonNull(foodMart.customer(customer)).name());
    }

    @Test
    void customers_areSpreadOverAllServers() {
        assertThat(servers.uris())
                .allSatisfy(uri -> assertThat(keysOf(uri, "customer:*")).isNotEmpty());
    }
}
