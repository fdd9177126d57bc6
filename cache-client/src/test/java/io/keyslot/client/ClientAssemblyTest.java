// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.Given;
import io.keyslot.client.telemetry.Telemetry;
import java.net.URI;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAssemblyTest {
    private final ClientAssembly assembly = new ClientAssembly();
    private final ClientOptions options = Given.defaults();

    private static List<Thread> threadsOf(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("keyslot-" + name + "-"))
                .toList();
    }

    @Test
    void clientThatCannotBeMade_leavesNoThread() {
        Properties properties = new Properties();
        properties.put(Telemetry.METER_REGISTRY, "not a registry");

        assertThatThrownBy(() -> assembly.assemble("assembly-b", options, properties))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(threadsOf("assembly-b")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "keyslot, keyslot",
        "shop, shop",
        "shop.v2, shop.v2",
        "file:/app/classes/shop.yaml, shop",
        "file:///C:/Program%20Files/shop.prod.yaml, shop.prod",
        "jar:nested:/srv/app-1.2.jar/!BOOT-INF/classes/!/shop.yaml, shop",
        "classpath:shop.yaml, shop",
        "classpath:config/shop.yaml?profile=a/b, shop",
        "file:/app/.yaml, .yaml",
        "file:/app/caf%C3%A9.yaml, caf-C3-A9",
        "file:/, keyslot",
    })
    void names_holdNoDirectory(URI uri, String name) {
        assertThat(ClientAssembly.nameOf(uri)).isEqualTo(name);
    }

    @Test
    void names_areInUseOnce() {
        assertThat(assembly.claimName("shop")).isEqualTo("shop");
        assertThat(assembly.claimName("shop")).isEqualTo("shop-2");
        assertThat(assembly.claimName("shop")).isEqualTo("shop-3");
        assembly.releaseName("shop-2");
        assertThat(assembly.claimName("shop")).isEqualTo("shop-2");
    }
}
