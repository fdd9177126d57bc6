// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.config.ClientOptions.Engine;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ConfigurationOfClusterTest {
    private static void assertRefused(String what, Consumer<PartitionedConfiguration<String, String>> setting) {
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
        setting.accept(configuration);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConfigurationCheck.checkEngine(Engine.CLUSTER, "sale", configuration))
                .withMessageStartingWith("Cache sale " + what + ", which the engine cluster has not: ")
                .withMessageEndingWith(" away");
        assertThatCode(() -> ConfigurationCheck.checkEngine(Engine.INSTANCES, "sale", configuration))
                .doesNotThrowAnyException();
    }

    @Test
    void whatAClusterHasNot_isRefusedByName() {
        assertRefused("wants events: keys", cache -> cache.setEvents(EventScope.KEYS));
        assertRefused("is near", cache -> cache.setNear(NearOptions.ofEntries(10)));
    }
}
