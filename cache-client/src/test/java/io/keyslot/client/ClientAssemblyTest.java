// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAssemblyTest {
    private final ClientAssembly assembly = new ClientAssembly();
    private final ClientOptions options = ClientOptions.embeddedDefaults();

    private static List<Thread> threadsOf(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("keyslot-" + name + "-"))
                .toList();
    }

    @Test
    void embeddedClient_isHealthyFromTheStart_andItsThreadsEndWithIt() {
        Client client = assembly.assemble("assembly-a", options, new Properties());
        client.async().execute(() -> {});
        client.embedded().orElseThrow().byId().values().forEach(partition -> {
            partition.kill();
            partition.restart();
        });
        await().until(() ->
                client.router().statuses().stream().allMatch(status -> status.state() == PartitionState.HEALTHY));

        client.close();

        assertThat(client.router().statuses()).allMatch(status -> status.state() == PartitionState.MISSING);
        await().untilAsserted(() -> assertThat(threadsOf("assembly-a")).isEmpty());
    }

    @Test
    void clientThatCannotBeMade_leavesNoThread() {
        Properties properties = new Properties();
        properties.put(Telemetry.METER_REGISTRY, "not a registry");

        assertThatThrownBy(() -> assembly.assemble("assembly-b", options, properties))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(threadsOf("assembly-b")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "keyslot, keyslot",
        "shop, shop",
        "shop.v2, shop.v2",
        "file:/app/classes/shop.yaml, shop",
        "file:///C:/Program%20Files/shop.prod.yaml, shop.prod",
        "jar:nested:/srv/app-1.2.jar/!BOOT-INF/classes/!/shop.yaml, shop",
        "classpath:shop.yaml, shop",
        "classpath:config/shop.yaml?profile=a/b, shop",
        "file:/app/.yaml, .yaml",
        "file:/app/caf%C3%A9.yaml, caf-C3-A9",
        "file:/, keyslot",
    })
    void names_holdNoDirectory(URI uri, String name) {
        assertThat(ClientAssembly.nameOf(uri)).isEqualTo(name);
    }

    @Test
    void names_areBounded() {
        assertThat(ClientAssembly.nameOf(URI.create("file:/" + "x".repeat(500))))
                .hasSize(64);
    }

    @Test
    void names_areInUseOnce() {
        assertThat(assembly.claimName("shop")).isEqualTo("shop");
        assertThat(assembly.claimName("shop")).isEqualTo("shop-2");
        assertThat(assembly.claimName("shop")).isEqualTo("shop-3");
        assembly.releaseName("shop-2");
        assertThat(assembly.claimName("shop")).isEqualTo("shop-2");
    }

    @Test
    void clients_shareOneSetOfThreads_untilTheLastHasReleasedIt() {
        ClientAssembly.SharedRedis shared = new ClientAssembly.SharedRedis(() -> RedisResources.create(() -> 0));
        RedisResources first = shared.acquire();
        assertThat(shared.acquire()).isSameAs(first);

        shared.release();
        assertThat(shared.acquire()).isSameAs(first);

        shared.release();
        shared.release();
        RedisResources next = shared.acquire();
        assertThat(next).isNotSameAs(first);
        shared.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 64, 1_000})
    void rehearsal_hasAKeyInTheSlotsOfEachPartition(int partitions) {
        List<PartitionId> ids = IntStream.rangeClosed(1, partitions)
                .mapToObj(number -> new PartitionId("p" + number))
                .toList();
        SlotMap map = SlotMap.ofEqualShares(1, ids);

        assertThat(Client.rehearsalKeys(map))
                .hasSize(partitions)
                .allSatisfy((id, key) -> assertThat(map.ownerOf(key.slot())).contains(id));
    }

    @Test
    void rehearsal_omitsPartitionsWithoutSlots() {
        PartitionId all = new PartitionId("all");
        SlotMap map = new SlotMap(
                1, Map.of(all, List.of(new SlotRange(0, HashSlot.COUNT - 1)), new PartitionId("none"), List.of()));

        assertThat(Client.rehearsalKeys(map)).containsOnlyKeys(all);
    }
}
