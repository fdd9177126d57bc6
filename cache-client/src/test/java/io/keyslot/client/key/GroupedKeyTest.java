// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import static io.keyslot.client.key.KeyCodecFixture.assertStored;
import static io.keyslot.client.key.KeyCodecFixture.grouped;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.key.KeyCodecFixture.LegKey;
import io.keyslot.client.key.KeyCodecFixture.OldSaleKey;
import io.keyslot.client.key.KeyCodecFixture.SaleKey;
import io.keyslot.client.key.KeyCodecFixture.Twice;
import io.keyslot.client.key.KeyCodecFixture.Vague;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class GroupedKeyTest {
    @Test
    void simpleKeyOfTheDeclaredType_isTheIdOfTheRoot() {
        UUID id = new UUID(1, 2);

        assertStored(grouped("details", "product", Long.class), 42L, "details:{product:42}");
        assertStored(grouped("details", "product", String.class), "a}b", "details:{product:a%7Db}");
        assertStored(grouped("details", "product", UUID.class), id, "details:{product:" + id + "}");
    }

    @Nested
    class Members {
        @Test
        void declaredClass_isItsRootAndTheOtherComponents() {
            assertStored(grouped("sale", "customer", SaleKey.class), new SaleKey(99, 1001), "sale:{customer:99}:1001");
            assertStored(
                    grouped("leg", "flight", LegKey.class),
                    new LegKey("V,IE", "OS1", "JFK"),
                    "leg:{flight:OS1}:V%2CIE,JFK");
            assertStored(grouped("leg", "flight", LegKey.class), new LegKey("", "", null), "leg:{flight:}:,%null");
        }

        @Test
        void memberThatIsNoRecord_isItsRoot_andTheBytesOfTheCodec() {
            OldSaleKey key = new OldSaleKey(99, List.of("a"));
            String bytes = Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(KeyCodecFixture.others().encode(key));

            assertStored(grouped("sale", "customer", OldSaleKey.class), key, "sale:{customer:99}:" + bytes);
            assertStored(grouped("sale", "customer", Object.class), key, "sale:{customer:99}kryo:" + bytes);
        }

        @Test
        void severalGroupKeys_areRefused() {
            assertThatThrownBy(() -> grouped("sale", "customer", Twice.class).encode(new Twice(1, 2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2 components with @GroupKey");
        }

        @Test
        void groupKeyOfUnknownForm_isRefused_sinceTheRootsCacheWouldNotStoreItLikeThat() {
            assertThatThrownBy(() -> grouped("sale", "customer", Vague.class).encode(new Vague("a", 2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("@GroupKey must be declared as");
        }
    }
}
