// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.config.ConfigurationException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Where partitions are, and how connections are encrypted, can be said by beans. */
class ConnectionDetailsTest {
    private final StandardEnvironment environment = new StandardEnvironment();

    private void given(String name, String value) {
        environment.getPropertySources().addFirst(new MapPropertySource(name, java.util.Map.of(name, value)));
    }

    @Test
    void severalDetails_areSeveralPartitions_andCountMoreThanProperties() {
        given("keyslot.partitions", "redis://127.0.0.1:1");
        given("keyslot.startup.wait", "0ms");
        ManagerProperties properties = new ManagerProperties(environment);
        properties.connect(() -> List.of("redis://127.0.0.1:2"));
        properties.connect(() -> List.of("redis://127.0.0.1:3"));

        try (PartitionedCacheManager manager = properties.start(null)) {
            assertThat(manager.partitions())
                    .extracting(PartitionStatus::address)
                    .containsExactly("redis://127.0.0.1:2", "redis://127.0.0.1:3");
        }
    }

    @Test
    void bundle_isTakenByItsName() {
        given("keyslot.ssl.bundle", "shop");
        given("keyslot.partitions", "rediss://127.0.0.1:1");
        given("keyslot.startup.wait", "0ms");
        SslBundle bundle = SslBundle.of(SslStoreBundle.NONE);
        SslBundles bundles = new DefaultSslBundleRegistry("shop", bundle);
        ManagerProperties properties = new ManagerProperties(environment);

        properties.encrypt(bundles);

        try (PartitionedCacheManager manager = properties.start(null)) {
            assertThat(manager.partitions()).hasSize(1);
            assertThat(manager.getProperties()).containsKey("keyslot.tls");
        }
        assertThatThrownBy(() -> new ManagerProperties(environment).encrypt(new DefaultSslBundleRegistry()))
                .hasMessageContaining("shop");
        assertThat(SslManagerBundle.from(SslStoreBundle.NONE, null)).isNotNull();
    }

    @Test
    void problemOfTheConfiguration_isExplained() {
        given("keyslot.deadlines.call", "never");

        assertThatThrownBy(() -> new ManagerProperties(environment).start(null))
                .isInstanceOfSatisfying(ConfigurationException.class, failure -> {
                    FailureAnalysis analysis =
                            new StartFailureAnalyzer().analyze(new IllegalStateException("context", failure));
                    assertThat(Objects.requireNonNull(analysis).getDescription())
                            .contains("keyslot.deadlines.call", "never");
                    assertThat(analysis.getAction()).contains("keyslot.*");
                });
    }
}
