// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.config.ConfigurationException;
import io.keyslot.client.config.Given;
import io.keyslot.client.stored.EncodedKey;
import org.junit.jupiter.api.Test;

class ConfiguredPlacementsTest {
    private static PartitionMap map(String... lines) {
        return ConfiguredMap.of(Given.yaml(lines).options());
    }

    private static String ownerOf(PartitionMap map, String key) {
        return map.ownerOf(map.slotOf(EncodedKey.of(key))).orElseThrow().name();
    }

    @Test
    void keys_areWhereTheConfigurationSaysSo() {
        PartitionMap map = map(
                "partitions: 3",
                "placements:",
                "  tenant: { list: { acme: p3, big: p2 width=8 } }",
                "  order: { rangesOf: number, ranges: { '100..': p1, '0..100': p2 }, else: refuse }");

        assertThat(ownerOf(map, "tenant:acme")).isEqualTo("p3");
        assertThat(ownerOf(map, "cart:{tenant:big}:7")).isEqualTo("p2");
        assertThat(ownerOf(map, "order:99")).isEqualTo("p2");
        assertThat(ownerOf(map, "order:100")).isEqualTo("p1");
        assertThat(map.content().placements().placeOf(EncodedKey.of("order:-1")))
                .isNegative();
        assertThat(map.slots().owned().size()).isEqualTo(16_384 + 1 + 8 + 2);
    }

    /** Instances compare slots: of two that differ in nothing but who has which tenant, one is not let in. */
    @Test
    void otherPlacements_areOtherSlots_andTheOrderOfTheFileIsNothing() {
        PartitionMap one = map("partitions: 2", "placements: { tenant: { list: { a: p1, b: p2 } } }");
        PartitionMap same = map("partitions: 2", "placements: { tenant: { list: { b: p2, a: p1 } } }");
        PartitionMap other = map("partitions: 2", "placements: { tenant: { list: { a: p2, b: p1 } } }");

        assertThat(same).isEqualTo(one);
        assertThat(other.slotMap()).isNotEqualTo(one.slotMap());
        assertThat(MapDocument.read(MapDocument.of(one).bytes()).map()).isEqualTo(one);
    }

    @Test
    void whatNoMapCanBe_isAProblemOfTheConfiguration() {
        assertThatThrownBy(
                        () -> map("placements:", "  order: { rangesOf: number, ranges: { '0..10': p1, '5..20': p2 } }"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("placements: range [5,20) of order begins before the one before it ends");
        assertThatThrownBy(() -> map("placements: { order: { rangesOf: date, ranges: { '0..10': p1 } } }"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("has a bound that is no date");
    }
}
