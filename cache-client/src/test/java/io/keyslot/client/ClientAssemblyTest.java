// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.telemetry.MetersSelection;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class ClientAssemblyTest {
    private final ClientAssembly assembly = new ClientAssembly();
    private final ClientOptions options = ClientOptions.embeddedDefaults();

    private static List<Thread> threadsOf(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("keyslot-" + name + "-"))
                .toList();
    }

    @Test
    void embeddedClient_isHealthyFromTheStart_andItsThreadsEndWithIt() {
        Client client = assembly.assemble("assembly-a", options, new Properties());
        client.pools().async().execute(() -> {});
        client.embedded().orElseThrow().byId().values().forEach(partition -> {
            partition.kill();
            partition.restart();
        });
        await().until(() ->
                client.router().statuses().stream().allMatch(status -> status.state() == PartitionState.HEALTHY));

        client.close();

        assertThat(client.router().statuses()).allMatch(status -> status.state() == PartitionState.MISSING);
        await().untilAsserted(() -> assertThat(threadsOf("assembly-a")).isEmpty());
    }

    @Test
    void clientThatCannotBeMade_leavesNoThread() {
        Properties properties = new Properties();
        properties.put(MetersSelection.REGISTRY_PROPERTY, "not a registry");

        assertThatThrownBy(() -> assembly.assemble("assembly-b", options, properties))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(threadsOf("assembly-b")).isEmpty();
    }
}
