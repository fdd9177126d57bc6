// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.TrafficContract;
import io.keyslot.slot.PartitionId;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class EmbeddedTrafficTest extends TrafficContract {
    private final AtomicLong nanos = new AtomicLong();
    private final EmbeddedPartition partition =
            new EmbeddedPartition(new PartitionId("p1"), 64L * 1024 * 1024, nanos::get);
    private final PartitionConnection connection =
            partition.connector().connect().join();

    @Override
    protected PartitionConnection connection() {
        return connection;
    }

    @Override
    protected void empty() {} // each test has a partition of its own

    @Test
    void oldReports_areForgotten_andMakeRoom() {
        for (int i = 0; i <= TrafficCommand.MOST_CLIENTS; i++) {
            done(new TrafficCommand.Report("client-" + i, report(i, 16)));
        }
        nanos.addAndGet(TrafficCommand.KEPT.toNanos() - 1);
        assertThat(done(new TrafficCommand.ReadReports()).all()).hasSize(TrafficCommand.MOST_CLIENTS);
        nanos.addAndGet(1);

        assertThat(done(new TrafficCommand.Report("one-more", report(1, 16)))).isTrue();
        TrafficCommand.Reports read = done(new TrafficCommand.ReadReports());
        assertThat(read.all())
                .singleElement()
                .extracting(TrafficCommand.Kept::client)
                .isEqualTo("one-more");
        assertThat(read.isComplete()).isTrue();
    }

    @Test
    void itCountsNothing() {
        assertThat(done(new TrafficCommand.ReadCounters())).isEmpty();
    }
}
