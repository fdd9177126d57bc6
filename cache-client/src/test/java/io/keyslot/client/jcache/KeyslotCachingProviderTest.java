// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class KeyslotCachingProviderTest {
    private static final URI A = URI.create("provider-test-a");
    private static final URI B = URI.create("provider-test-b");

    @AutoClose
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();

    private final List<String> closed = new ArrayList<>();

    private CacheManager manager(URI uri) {
        return provider.getCacheManager(uri, null, null);
    }

    /** Fails to close. */
    private record Unclosable(String name, List<String> closed) implements CacheLoader<String, String>, Closeable {
        @Override
        public String load(String key) {
            return key;
        }

        @Override
        public Map<String, String> loadAll(Iterable<? extends String> keys) {
            return Map.of();
        }

        @Override
        public void close() {
            closed.add(name);
            throw new IllegalStateException(name);
        }
    }

    private void createUnclosable(CacheManager manager, String name) {
        manager.createCache(
                name,
                new MutableConfiguration<String, String>().setCacheLoaderFactory(() -> new Unclosable(name, closed)));
    }

    @Test
    void close_closesAllManagers_whateverFails() {
        CacheManager first = manager(A);
        CacheManager second = manager(B);
        createUnclosable(first, "a");
        createUnclosable(first, "b");
        createUnclosable(second, "c");

        assertThatThrownBy(provider::close)
                .isInstanceOf(CacheException.class)
                .hasMessageContaining("closing a loader, writer, listener or policy failed")
                .satisfies(failure -> assertThat(failure.getSuppressed()).isNotEmpty());

        assertThat(closed).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(first.isClosed()).isTrue();
        assertThat(second.isClosed()).isTrue();
    }

    @Test
    void configurationThatIsWrong_leavesNoManager() {
        Properties wrong = new Properties();
        wrong.setProperty("keyslot.partitions", "none");

        assertThatThrownBy(() -> provider.getCacheManager(A, null, wrong)).isInstanceOf(CacheException.class);

        assertThat(manager(A).isClosed()).isFalse();
    }
}
