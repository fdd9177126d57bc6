// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every method with a null argument, and on a closed cache or manager. The methods are found by reflection, so that none
 * is forgotten.
 */
public abstract class ArgumentConformance extends JCacheConformance {
    @Test
    void nullWithinABulkArgument_isANullPointerExceptionAndChangesNothing() {
        Cache<String, String> cache = createStrings();
        Map<String, @Nullable String> nullValue = new HashMap<>(Map.of("a", "1"));
        nullValue.put("b", null);
        Map<@Nullable String, String> nullKey = new HashMap<>(Map.of("a", "1"));
        nullKey.put(null, "2");
        Set<@Nullable String> nullInSet = new HashSet<@Nullable String>(Arrays.<@Nullable String>asList("a", null));

        assertNullPointer(() -> cache.putAll(nullValue));
        assertNullPointer(() -> cache.putAll(nullKey));
        assertNullPointer(() -> cache.getAll(nullInSet));
        assertNullPointer(() -> cache.removeAll(nullInSet));
        assertNullPointer(() -> cache.loadAll(nullInSet, true, null));
        assertNullPointer(() -> cache.<Boolean>invokeAll(nullInSet, (entry, arguments) -> true));
        assertThat(cache).isEmpty();
    }

    @Test
    void emptyBulkArguments_doNothing() {
        Cache<String, String> cache = createStrings();
        cache.put("k", "v");
        cache.putAll(Map.of());
        cache.removeAll(Set.of());
        cache.loadAll(Set.of(), true, null);
        assertThat(cache.getAll(Set.of())).isEmpty();
        assertThat(cache.<Boolean>invokeAll(Set.of(), (entry, arguments) -> true))
                .isEmpty();
        assertThat(cache.get("k")).isEqualTo("v");
    }

    private static void assertNullPointer(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(NullPointerException.class);
    }
}
