// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.EntryLimits;
import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.key.KeyCodecs;
import io.keyslot.client.key.KeySpace;
import io.keyslot.client.time.ManualTicker;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    private final KeyCodec<String> keys = KeyCodecs.create(
            new KeySpace("", "customer", null),
            String.class,
            ArgumentsTest.class.getClassLoader(),
            AllowedClasses.everything());
    private final CacheCalls<String> calls =
            new CacheCalls<>("customer", keys, EntryLimits.defaults(), Duration.ofMillis(250), new ManualTicker());
    private final Arguments<String, Integer> check = new Arguments<>(calls, String.class, Integer.class, () -> {});

    @Test
    void argumentsOfTheConfiguredTypes_areGivenBack() {
        assertThat(check.key("key")).isEqualTo("key");
        assertThat(check.value(1)).isEqualTo(1);
        assertThat(check.keys(Set.of("key"))).containsExactly("key");
        assertThatCode(() -> check.entries(Map.of("key", 1))).doesNotThrowAnyException();
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
