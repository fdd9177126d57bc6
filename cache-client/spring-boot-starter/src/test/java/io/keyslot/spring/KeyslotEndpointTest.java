// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.EntityKey;
import io.keyslot.client.routing.Layout;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.cache.Cache;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** The page says what this process knows, and nothing else. */
class KeyslotEndpointTest {
    private static AnnotationConfigApplicationContext start(Map<String, Object> settings) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("given", settings));
        context.registerBean(MeterRegistry.class, SimpleMeterRegistry::new);
        context.register(KeyslotAutoConfiguration.class, KeyslotEndpointAutoConfiguration.class);
        context.refresh();
        return context;
    }

    private static <K> Cache<K, Object> cache(AnnotationConfigApplicationContext context, String name) {
        return Objects.requireNonNull(
                context.getBean(javax.cache.CacheManager.class).getCache(name));
    }

    @Test
    void nearCaches_areToldWithWhatTheyHaveDone_andWhetherTheyAreOn() {
        try (AnnotationConfigApplicationContext context = start(Map.of(
                "management.endpoints.web.exposure.include",
                "keyslot",
                "keyslot.caches.near.near.maximum-entries",
                "10",
                "keyslot.caches.touched.near.maximum-entries",
                "10",
                "keyslot.caches.touched.ttl",
                "1h",
                "keyslot.caches.touched.expiry",
                "accessed",
                "keyslot.caches.far.ttl",
                "1h"))) {
            Cache<String, Object> near = cache(context, "near");
            near.put("a", "1");
            near.get("a");
            near.get("a");
            near.get("a");

            Map<String, Object> page = context.getBean(KeyslotEndpoint.class).all();

            assertThat(page.get("slotsOnTheirWay")).isEqualTo(List.of());
            assertThat(String.valueOf(page.get("caches")))
                    .contains("name=near", "near={on=true, hits=2, misses=1, copies=1")
                    .containsPattern("name=touched[^}]*near=\\{on=false}")
                    .containsPattern("name=far[^}]*near=\\{on=false}");
        }
    }

    @Test
    void groupsThatAreTooLarge_areCountedByTheirRoot() {
        try (AnnotationConfigApplicationContext context = start(Map.of(
                "management.endpoints.web.exposure.include",
                "keyslot",
                "keyslot.groups.entries",
                "3",
                "keyslot.caches.order.grouped-by",
                "customer"))) {
            KeyslotEndpoint page = context.getBean(KeyslotEndpoint.class);
            assertThat(page.all()).containsEntry("groupsTooLarge", Map.of());
            Cache<EntityKey, Object> orders = cache(context, "order");
            EntityKey customer = EntityKey.of("customer", 99);

            String found = "{}";
            for (int i = 0; i < 10_000 && found.equals("{}"); i++) { // the size is checked at some of the changes
                orders.put(EntityKey.of("order", i % 100).in(customer), "one more");
                found = String.valueOf(page.all().get("groupsTooLarge"));
            }

            assertThat(found).startsWith("{customer=");
        }
    }

    /** Ten slots move from p1 to p2, of which four have arrived; one moves from p3 to p1. */
    @Test
    void movingSlots_areCountedByWhoOwnsThemNow() {
        PartitionId p1 = new PartitionId("p1");
        PartitionId p2 = new PartitionId("p2");
        PartitionId p3 = new PartitionId("p3");
        SlotMap map = new SlotMap(
                7,
                Map.of(
                        p1,
                        List.of(new SlotRange(0, 5)),
                        p2,
                        List.of(new SlotRange(6, 9)),
                        p3,
                        List.of(new SlotRange(10, 16_383))));
        Map<Integer, PartitionId> ways = new HashMap<>(Map.of(10, p1));
        for (int slot = 0; slot < 10; slot++) {
            ways.put(slot, slot < 6 ? p2 : p1);
        }

        assertThat(SlotsOnTheirWay.of(new Layout(map, List.of(), ways)))
                .containsExactly(Map.of("p1", 6, "p2", 4), Map.of("p1", 0, "p3", 1));
    }
}
