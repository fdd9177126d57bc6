// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.redis.KnownNode;
import io.keyslot.client.partition.redis.NodeReport;
import io.keyslot.cluster.inspect.NodeFinding.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeFindingsTest {
    private static final String A = "a".repeat(40);
    private static final String B = "b".repeat(40);
    private static final String C = "c".repeat(40);
    private static final String WHOLE = """
            %s 127.0.0.1:7000@17000 %%s - 0 1 1 connected 0-8191
            %s 127.0.0.1:7001@17001 %%s - 0 1 2 connected 8192-16383
            %s 127.0.0.1:7002@17002,host,shard-id=1 slave %s 0 1 1 connected
            """.formatted(A, B, C, A);

    private static List<KnownNode> read(String text) {
        return KnownNode.readAll(text).orElseThrow();
    }

    private static NodeReport report(String nodes, String clusterInfo, Map<String, String> settings) {
        return new NodeReport(read(nodes), clusterInfo, settings, 5, "");
    }

    private static SeenNode node(String name, String nodes, int owned, @Nullable NodeReport report) {
        KnownNode known = read(nodes).stream()
                .filter(each -> each.id().startsWith(name))
                .findFirst()
                .orElseThrow();
        return new SeenNode(name, known.address(), known, owned, Duration.ZERO, report, "");
    }

    private static List<SeenNode> nodes(String text, NodeReport ofA, NodeReport ofB) {
        return List.of(node("a", text, 8_192, ofA), node("b", text, 8_192, ofB), node("c", text, 0, null));
    }

    @Test
    void clusterThatFits_hasOneWithoutAReplica() {
        String text = WHOLE.formatted("myself,master", "master");

        assertThat(NodeFindings.of(nodes(
                        text,
                        report(text, "cluster_state:ok\r\n", Map.of("cluster-allow-reads-when-down", "no")),
                        report(WHOLE.formatted("master", "myself,master"), "cluster_state:ok\r\n", Map.of()))))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.kind()).isEqualTo(Kind.NO_REPLICA);
                    assertThat(finding.about()).isEqualTo("b");
                });
    }

    @Test
    void nodesThatSayDifferentThings_areCountedBySlots() {
        String text = WHOLE.formatted("myself,master", "master");
        String other = WHOLE.formatted("master", "myself,master")
                .replace("0-8191", "0-8000")
                .replace("8192-", "8001-");

        assertThat(NodeFindings.of(nodes(text, report(text, "", Map.of()), report(other, "", Map.of()))))
                .filteredOn(finding -> finding.kind() == Kind.DISAGREEMENT)
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).contains("191 slots"));
    }

    @Test
    void nodeThatFails_isDown_orAnswersFromWhatIsOld_isFound() {
        String text = WHOLE.formatted("myself,master", "master,fail?");

        assertThat(NodeFindings.of(nodes(
                        text,
                        report(text, "cluster_enabled:1\r\ncluster_state:fail\r\n", Map.of()),
                        report(
                                WHOLE.formatted("master", "myself,master"),
                                "",
                                Map.of("cluster-allow-reads-when-down", "yes")))))
                .extracting(NodeFinding::kind)
                .contains(Kind.FAILED, Kind.DOWN, Kind.READS_WHEN_DOWN);
    }

    /** A replica that has failed takes nobody's place. */
    @Test
    void replicaThatHasFailed_isNone() {
        String text = WHOLE.formatted("myself,master", "master").replace("slave", "slave,fail");

        assertThat(NodeFindings.of(nodes(text, report(text, "", Map.of()), report(text, "", Map.of()))))
                .filteredOn(finding -> finding.kind() == Kind.NO_REPLICA)
                .extracting(NodeFinding::about)
                .containsExactly("a", "b");
    }

    @Test
    void slotsOnTheirWay_areCountedOnBothSides() {
        String text = WHOLE.formatted("myself,master", "master")
                .replace("0-8191", "0-8191 [5->-%s] [6->-%s] [9000-<-%s]".formatted(B, B, B));

        assertThat(NodeFindings.of(nodes(text, report(text, "", Map.of()), report(text, "", Map.of()))))
                .filteredOn(finding -> finding.kind() == Kind.OPEN_SLOTS)
                .anySatisfy(finding -> assertThat(finding.what()).isEqualTo("2 slots leaving it, 1 arriving"));
    }

    @Test
    void everyFinding_saysWhatToDo() {
        assertThat(Kind.values())
                .extracting(Kind::remedy)
                .allSatisfy(remedy -> assertThat(remedy).isNotBlank());
    }
}
