// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.map.InvalidMapException;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.inspect.SeenPartition;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.cluster.plan.PlacedEntry;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanRefusedException;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Administration of two servers, and of a third that is added, from code. */
@SideBySide
class KeyslotAdminIT {
    private static final PartitionId P3 = new PartitionId("p3");

    private final TestServers servers = TestServers.start(3);
    private final KeyslotAdmin admin = KeyslotAdmin.open(properties(servers.uri(0) + "," + servers.uri(1)));

    private static Properties properties(String partitions) {
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", partitions);
        return properties;
    }

    @AfterEach
    void close() throws Exception {
        admin.close();
        servers.close();
    }

    @Test
    void partitionOfOneTenant_isAdded_andHasNothingElse_afterPlansOfOthers() throws MapStore.UnavailableException {
        List<List<MoveProgress>> progress = new ArrayList<>();
        Plan added = admin.planner().add(MappedPartition.active(P3, PartitionUriParser.uri(servers.uri(2)), 0));
        admin.apply(added, MovePace.FULL, progress::add).requireFinished();

        PartitionMap placed = admin.place("tenant", "acme", "p3", true);
        assertThat(admin.place("tenant", "acme", "p3", true).slots()).isEqualTo(placed.slots());
        Plan moved = admin.planner().move(SlotSet.parse("0-9"), new PartitionId("p2"));
        assertThat(admin.apply(moved, MovePace.FULL, progress::add).isFinished())
                .isTrue();

        assertThat(admin.map().slots().slotsOf(P3).size()).isEqualTo(1);
        assertThat(progress.get(progress.size() - 1))
                .allMatch(move -> move.step() == MoveProgress.Step.OVER)
                .isNotEmpty();
        assertThat(admin.status().partitions()).extracting(SeenPartition::slots).containsExactly(8_182, 8_202, 1);
        assertThat(admin.history())
                .extracting(Catalogue.MapChange::reason)
                .contains("plan %s: add p3".formatted(added.id()), "placement set tenant to p3");
        assertThatThrownBy(() -> admin.planner().remove(P3))
                .isInstanceOf(PlanRefusedException.class)
                .hasMessageContaining("are pinned");
        assertThatThrownBy(() -> admin.apply(moved, MovePace.FULL, progress::add))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("plan again");
        assertThatThrownBy(() -> admin.removeWithEntries("tenant", PlacedEntry.parse("big"), progress::add))
                .isInstanceOf(InvalidMapException.class)
                .hasMessageContaining("tenant has no entry big");
    }

    @Test
    void mapThatNeverChanges_isRefused() {
        Properties fixed = properties(servers.uri(0));
        fixed.setProperty("keyslot.catalogue", "configuration");

        assertThatThrownBy(() -> KeyslotAdmin.open(fixed))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("never changes");
    }
}
