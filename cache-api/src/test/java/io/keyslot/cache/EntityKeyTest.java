// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.slot.HashSlot;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityKeyTest {
    private static final long SEED = 20_260_103;
    private static final int KEYS = 50_000;
    private static final EntityKey CUSTOMER = EntityKey.of("customer", 99);

    @Nested
    class Text {
        @Test
        void keysThatDiffer_haveDifferentTexts() {
            RandomText random = new RandomText(SEED);
            Map<String, EntityKey> keysByText = new HashMap<>();
            for (int i = 0; i < KEYS; i++) {
                EntityKey key = next(random);
                EntityKey other = keysByText.put(key.text(), key);

                assertThat(other == null || other.equals(key))
                        .as("key %d of seed %d has a text of its own", i, SEED)
                        .isTrue();
            }
        }
    }

    @Nested
    class Slot {
        @Test
        void members_haveTheSlotOfTheirRoot_whateverTheStringsAre() {
            RandomText random = new RandomText(SEED);
            for (int i = 0; i < KEYS; i++) {
                EntityKey key = next(random);

                assertThat(HashSlot.tag(key.text()))
                        .as("key %d of seed %d", i, SEED)
                        .isEqualTo(key.root().text());
                assertThat(HashSlot.of(key.text()))
                        .as("key %d of seed %d", i, SEED)
                        .isEqualTo(HashSlot.of(key.root().text()));
            }
        }
    }

    @Nested
    class Parse {
        @Test
        void textOfAnyKey_givesTheKey() {
            RandomText random = new RandomText(SEED);
            for (int i = 0; i < KEYS; i++) {
                EntityKey key = next(random);

                assertThat(EntityKey.parse(key.text()))
                        .as("key %d of seed %d", i, SEED)
                        .isEqualTo(key);
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "customer",
                    ":99",
                    "order:{customer:99",
                    "order:{customer:99}1001",
                    "order:{}:1001",
                    "order:{customer}:1001",
                    "order:{customer:{a:1}}:1001",
                    "a:%"
                })
        void textOfAnotherForm_isRejected(String text) {
            assertThatThrownBy(() -> EntityKey.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "order:{customer:99}:",
                    "customer:a}b",
                    "customer:a{b}",
                    "cust{x}omer:99",
                    "a/b:1",
                    "customer:\n",
                    "customer:%41",
                    "customer:%7b",
                    "customer:%u0041",
                    "customer:\ud800"
                })
        void textThatNoKeyHas_isRejected(String text) {
            assertThatThrownBy(() -> EntityKey.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    class In {
        @Test
        void memberOfAMember_isRejected() {
            EntityKey order = EntityKey.of("order", 1001).in(CUSTOMER);

            assertThatThrownBy(() -> EntityKey.of("line", 1).in(order))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("line")
                    .hasMessageContaining("order");
        }
    }

    private static EntityKey next(RandomText random) {
        EntityKey key = EntityKey.of(random.next(1), random.next(0));
        return random.nextBoolean() ? key : key.in(EntityKey.of(random.next(1), random.next(0)));
    }
}
