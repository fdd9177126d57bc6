// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import static io.keyslot.client.key.KeyCodecFixture.assertStored;
import static io.keyslot.client.key.KeyCodecFixture.codec;
import static io.keyslot.client.key.KeyCodecFixture.grouped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.EntityKey;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class EntityKeyTest {
    private static final EntityKey CUSTOMER = EntityKey.of("customer", 99);
    private static final EntityKey ORDER = EntityKey.of("order", 1001).in(CUSTOMER);
    private static final EntityKey DETAILS = EntityKey.of("details").in(CUSTOMER);

    @Nested
    class InACacheThatIsNotGrouped {
        @Test
        void textIsThatOfTheKey() {
            assertStored(codec("customer", EntityKey.class), CUSTOMER, CUSTOMER.text());
            assertStored(codec("order", EntityKey.class), ORDER, ORDER.text());
            assertStored(codec("details", EntityKey.class), DETAILS, "details:{customer:99}");
        }

        @Test
        void untyped_withoutGroup_isNotTheStringOfTheSameId() {
            assertStored(codec("customer", Object.class), CUSTOMER, "customer:{customer:99}EntityKey");
            assertStored(codec("order", Object.class), ORDER, "order:{customer:99}:1001");
            assertStored(codec("details", Object.class), DETAILS, "details:{customer:99}");
        }

        @Test
        void anotherEntityType_isRefused() {
            assertThatThrownBy(() -> codec("customer", EntityKey.class).encode(ORDER))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("order")
                    .hasMessageContaining("customer");
        }
    }

    @Nested
    class InAGroupedCache {
        @Test
        void member_hasItsRootInTheTag() {
            assertStored(grouped("order", "customer", EntityKey.class), ORDER, "order:{customer:99}:1001");
            assertStored(grouped("order", "customer", Object.class), ORDER, "order:{customer:99}:1001");
        }

        @Test
        void keyWithoutGroup_isRefused() {
            assertThatThrownBy(
                            () -> grouped("order", "customer", EntityKey.class).encode(EntityKey.of("order", 1001)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("in(EntityKey.of(\"customer\", id))");
        }

        @Test
        void rootItself_isRefused_sinceItsEntryIsInAnotherCache() {
            assertThatThrownBy(() ->
                            grouped("details", "customer", EntityKey.class).encode(CUSTOMER))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("use the cache of customer");
        }
    }

    @Test
    void hostileTypesAndIds_comeBack() {
        EntityKey key = EntityKey.of("a{b}:c/", "x{y}:%").in(EntityKey.of("r}/:", "{"));

        assertStored(codec("a{b}:c/", Object.class), key, key.text());
        assertThat(key.text()).doesNotContain("{{", "}}");
    }
}
