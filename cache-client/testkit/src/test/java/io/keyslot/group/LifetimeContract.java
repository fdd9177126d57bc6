// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.RemoteHash;
import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.slot.HashSlot;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long aggregates live, and what else is the same for all of them. */
public abstract class LifetimeContract extends AggregateContract {
    private static final Duration SOON = Duration.ofMillis(200);
    private static final Duration LATER = Duration.ofMillis(400);

    private RemoteHash<String, String> cart() {
        return group.hash("cart", String.class, String.class);
    }

    @Test
    void expire_letsTheWholeAggregateGo() {
        cart().put("apples", "3");

        assertThat(cart().expire(SOON)).isTrue();
        assertThat(cart().timeToLive())
                .hasValueSatisfying(left -> assertThat(left).isBetween(Duration.ZERO, SOON));
        fixture.pass(LATER);

        assertThat(cart().exists()).isFalse();
        assertThat(cart().get("apples")).isNull();
        assertThat(cart().expire(SOON)).isFalse();
        assertThat(cart().persist()).isFalse();
        assertThat(cart().timeToLive()).isEmpty();
    }

    @Test
    void persist_takesTheExpiryBack() {
        cart().expiringAfter(SOON).put("apples", "3");

        assertThat(cart().persist()).isTrue();
        fixture.pass(LATER);

        assertThat(cart().get("apples")).isEqualTo("3");
    }

    @Test
    void expiringAfter_setsTheExpiryWithEachChange() {
        RemoteHash<String, String> expiring = cart().expiringAfter(Duration.ofMinutes(1));
        expiring.put("apples", "3");
        cart().expire(Duration.ofMinutes(10));

        expiring.put("pears", "4");

        assertThat(cart().timeToLive())
                .hasValueSatisfying(left -> assertThat(left).isLessThanOrEqualTo(Duration.ofMinutes(1)));
    }

    @Test
    void changeOfAnotherHandle_leavesTheExpiry() {
        cart().expiringAfter(SOON).put("apples", "3");

        cart().put("pears", "4");
        fixture.pass(LATER);

        assertThat(cart().exists()).isFalse();
    }

    @Test
    void timeToLive_thatIsNotPositive_isRefused() {
        assertThatThrownBy(() -> cart().expire(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cart().expiringAfter(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anotherType_underTheKey_isRefusedAndStays() {
        cart().put("apples", "3");

        for (Runnable wrong : List.<Runnable>of(
                () -> group.list("cart", String.class).addLast("x"),
                () -> group.list("cart", String.class).toList(),
                () -> group.set("cart", String.class).add("x"),
                () -> group.sortedSet("cart", String.class).add("x", 1),
                () -> group.counter("cart").incrementAndGet(),
                () -> group.list("cart", String.class).delete())) {
            assertThatThrownBy(wrong::run)
                    .isInstanceOf(WrongTypeException.class)
                    .hasMessageContaining("hash under cart");
        }
        assertThat(cart().get("apples")).isEqualTo("3");
    }

    @Test
    void root_mayBeAnAggregateItself() {
        group.hash(fixture.root(), String.class, String.class).put("name", "Ada");

        assertThat(fixture.group()
                        .hash(fixture.root(), String.class, String.class)
                        .get("name"))
                .isEqualTo("Ada");
    }

    @Test
    void slotAndPartition_areThoseOfTheRoot() {
        int slot = HashSlot.of(fixture.root().text().getBytes(StandardCharsets.UTF_8));

        assertThat(group.slot()).isEqualTo(slot);
        assertThat(fixture.manager().slotMap().ownerOf(slot)).hasValue(group.partition());
    }
}
