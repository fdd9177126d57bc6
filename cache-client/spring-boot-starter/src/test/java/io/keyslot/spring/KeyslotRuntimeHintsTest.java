// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.RemoteHash;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;

/** What a native image is told. */
class KeyslotRuntimeHintsTest {
    @Test
    void observedGroups_areProxies() {
        RuntimeHints hints = new RuntimeHints();

        new KeyslotRuntimeHints().registerHints(hints, null);

        assertThat(hints.proxies().jdkProxyHints())
                .flatExtracting(hint -> hint.getProxiedInterfaces())
                .contains(
                        TypeReference.of(CacheGroup.class),
                        TypeReference.of(GroupTransaction.class),
                        TypeReference.of(RemoteHash.class));
    }
}
