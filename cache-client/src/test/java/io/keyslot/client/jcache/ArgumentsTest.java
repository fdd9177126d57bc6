// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Arguments<String, Integer> check =
            new Arguments<>("customer", String.class, Integer.class, this::requireOpen);

    private void requireOpen() {
        if (closed.get()) {
            throw new IllegalStateException("closed");
        }
    }

    @Test
    @SuppressWarnings("NullAway") // a closed cache says so whatever it is given
    void closedCache_isToldFirst_butNotToWhoAsksForTheTypesOnly() {
        closed.set(true);

        List<ThrowingCallable> calls = List.of(
                check::open,
                () -> check.key(null),
                () -> check.entry(null, null),
                () -> check.keys(null),
                () -> check.entries(null));
        assertThat(calls).allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(IllegalStateException.class));
        assertThat(check.ofTypes().key("key")).isEqualTo("key");
    }

    @Test
    void argumentsOfTheConfiguredTypes_areGivenBack() {
        assertThat(check.key("key")).isEqualTo("key");
        assertThat(check.value(1)).isEqualTo(1);
        assertThat(check.keys(Set.of("key"))).containsExactly("key");
        assertThat(check.entries(Map.of("key", 1))).containsEntry("key", 1);
    }

    @Test
    void null_isRefusedByName() {
        assertThatThrownBy(() -> check.key(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("key");
        assertThatThrownBy(() -> check.value(null)).hasMessage("value");
        assertThatThrownBy(() -> check.keys(null)).hasMessage("keys");
        assertThatThrownBy(() -> check.entries(null)).hasMessage("map");
        assertThatThrownBy(() -> check.keys(Arrays.asList("key", null))).hasMessage("key");
        assertThatThrownBy(() -> check.entries(Collections.singletonMap("key", null)))
                .hasMessage("value");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // as an application that uses raw types would
    void otherTypes_areRefusedWithoutTheirContent() {
        Arguments raw = check;

        assertThatThrownBy(() -> raw.key(42L))
                .isInstanceOf(ClassCastException.class)
                .hasMessage("Cache customer: a key must be of java.lang.String, but this one is of java.lang.Long");
        assertThatThrownBy(() -> raw.value("secret"))
                .isInstanceOf(ClassCastException.class)
                .hasMessage("Cache customer: a value must be of java.lang.Integer,"
                        + " but this one is of java.lang.String");
    }
}
