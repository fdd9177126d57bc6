// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.client.config.PartitionOptions.ReplicaOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReplicaSettingsTest {
    private static CacheOptions cache(String settings) {
        return Given.yaml("caches: { sale: { %s } }".formatted(settings))
                .options()
                .cache("sale");
    }

    private static void assertProblem(String problem, String... lines) {
        assertThat(Given.yaml(lines).problems()).singleElement().asString().contains(problem);
    }

    @Test
    void zones_areThoseOfTheClient_ofPartitions_andOfReplicas() {
        ClientOptions options = Given.yaml(
                        "zone: eu-1a",
                        "partitions:",
                        "  p1:",
                        "    uri: redis://10.0.0.1:6379",
                        "    zone: eu-1a",
                        "    replicas: [redis://10.0.1.1:6379, { uri: 'redis://10.0.2.1:6379', zone: eu-1b }]")
                .options();
        PartitionOptions partition = options.partitions().get(0);

        assertThat(options.zone()).isEqualTo("eu-1a");
        assertThat(partition.zone()).isEqualTo("eu-1a");
        assertThat(partition.replicas()).extracting(ReplicaOptions::zone).containsExactly("", "eu-1b");
        assertThat(partition.replicas())
                .extracting(replica -> replica.uri().address())
                .containsExactly("10.0.1.1:6379", "10.0.2.1:6379");
    }

    @Test
    void replicaThatIsWrittenWrong_isAProblem() {
        assertProblem(
                "partitions.p1.replicas has a replica without uri, must be an address",
                "partitions: { p1: { uri: 'redis://10.0.0.1:6379', replicas: [ { zone: a } ] } }");
        assertProblem(
                "partitions.p1.replicas.weight is not a setting, those here are uri, zone",
                "partitions: { p1: { uri: 'redis://a', replicas: [ { uri: 'redis://b', weight: 2 } ] } }");
        assertProblem(
                "partitions.p1.replicas.zone is \"a b\"",
                "partitions: { p1: { uri: 'redis://a', replicas: [ { uri: 'redis://b', zone: a b } ] } }");
        assertProblem("zone is \"a b\"", "zone: a b");
    }

    @Test
    void readsThatAreNearest_haveABound() {
        assertThat(cache("reads: nearest, maxStaleness: 250ms").replicaReads())
                .isEqualTo(ReplicaReads.nearest(Duration.ofMillis(250)));
        assertThat(cache("reads: primary").replicaReads()).isNull();
        assertProblem(
                "caches.sale.reads is nearest, which needs maxStaleness, such as 500ms",
                "caches: { sale: { reads: nearest } }");
    }
}
