// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.replica.ReplicaReads;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ReplicaRulesTest {
    private static List<String> problems(Consumer<PartitionedConfiguration<String, String>> setting) {
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
        setting.accept(configuration);
        assertThat(Replicas.problems(configuration))
                .as("without reads from replicas")
                .isEmpty();
        return Replicas.problems(configuration.setReads(ReplicaReads.upTo(Duration.ofMillis(500))));
    }

    @Test
    void whatReplicasCannotAnswer_isAProblemWithItsReason() {
        assertThat(problems(cache -> cache.setGroupedBy("customer")))
                .singleElement()
                .asString()
                .contains("in a group");
        assertThat(problems(cache -> cache.setNear(NearOptions.ofEntries(10))))
                .singleElement()
                .asString()
                .contains("near cache");
        assertThat(problems(cache -> cache.setLayout(ValueLayout.RAW)))
                .singleElement()
                .asString()
                .contains("raw values");
    }

    @Test
    void boundThatIsNone_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReplicaReads.upTo(Duration.ofMillis(99)))
                .withMessageContaining("maxStaleness");
        assertThatIllegalArgumentException().isThrownBy(() -> ReplicaReads.upTo(Duration.ofSeconds(61)));
    }
}
