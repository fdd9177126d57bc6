// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.slot.PartitionId;
import java.util.List;
import org.junit.jupiter.api.Test;

class DistributionTest {
    private static PartitionShare share(String name, int slots, long sales) {
        return new PartitionShare(new PartitionId(name), "embedded:" + name, slots, 0, 0, sales, 0);
    }

    @Test
    void skew_isTheLargestShareDividedByTheMean() {
        Distribution distribution = new Distribution(List.of(share("p1", 8192, 30), share("p2", 8192, 10)), 0, 0);

        assertThat(distribution.skew(PartitionShare::slots)).isEqualTo(1);
        assertThat(distribution.skew(PartitionShare::sales)).isEqualTo(1.5);
    }

    @Test
    void skew_ofNothing_isOne() {
        Distribution distribution = new Distribution(List.of(share("p1", 16384, 0)), 0, 0);

        assertThat(distribution.skew(PartitionShare::entries)).isEqualTo(1);
    }
}
