// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.failure.CrossSlotException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.stored.EncodedKey;
import org.junit.jupiter.api.Test;

class GroupKeysTest {
    private static final EntityKey ROOT = EntityKey.of("customer", 99);

    private final GroupKeys keys = GroupKeys.of("", ROOT, 40);

    @Test
    void rootAndMembers_haveOneSlot() {
        EncodedKey root = keys.encode(ROOT);
        EncodedKey cart = keys.encode(EntityKey.of("cart").in(ROOT));
        EncodedKey order = keys.encode(EntityKey.of("order", 1001).in(ROOT));

        assertThat(root.text()).isEqualTo("customer:99");
        assertThat(cart.text()).isEqualTo("cart:{customer:99}");
        assertThat(order.text()).isEqualTo("order:{customer:99}:1001");
        assertThat(root.slot())
                .isEqualTo(cart.slot())
                .isEqualTo(order.slot())
                .isEqualTo(keys.home().slot());
    }

    @Test
    void keyOfAnotherGroup_isRefusedWithBothKeysAndSlots() {
        EntityKey other = EntityKey.of("cart").in(EntityKey.of("customer", 98));

        assertThatThrownBy(() -> keys.encode(other))
                .isInstanceOf(CrossSlotException.class)
                .hasMessageContaining("customer:99 in slot " + slot("customer:99"))
                .hasMessageContaining("cart:{customer:98} is in slot " + slot("customer:98"));
    }

    private static int slot(String root) {
        return EncodedKey.of(root).slot();
    }

    @Test
    void storedKeyOfAnotherGroup_isRefusedWithBothKeysAndSlots() {
        keys.check(EncodedKey.of("order:{customer:99}:1001"));
        keys.check(EncodedKey.of("customer:99"));

        assertThatThrownBy(() -> keys.check(EncodedKey.of("customer:98")))
                .isInstanceOf(CrossSlotException.class)
                .hasMessageContaining("customer:99 in slot " + slot("customer:99"))
                .hasMessageContaining("customer:98 is in slot " + slot("customer:98"));
    }

    @Test
    void keyThatIsTooLong_isRefusedWithTheLimit() {
        assertThatThrownBy(
                        () -> keys.encode(EntityKey.of("order", "x".repeat(40)).in(ROOT)))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("customer:99")
                .hasMessageContaining("limit is 40")
                .hasMessageNotContaining("xxx");
    }
}
