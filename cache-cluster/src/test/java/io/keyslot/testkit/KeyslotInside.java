// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import io.keyslot.client.Clockwork;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.function.BiFunction;

/** What the test kit has for tests of Keyslot itself, and not for applications. */
public final class KeyslotInside {
    private KeyslotInside() {}

    /** Starts with partitions that get slots from each other, as each process hears. */
    public static EmbeddedKeyslot start(
            KeyslotSettings settings, BiFunction<Integer, ClientOptions, TopologySource> sources) {
        return EmbeddedKeyslot.start(settings, sources);
    }

    /** Returns a new way from a process to a partition. */
    public static PartitionConnector connector(EmbeddedKeyslot keyslot, int process, PartitionId partition) {
        return keyslot.connector(process, partition);
    }

    /** Delays every answer of a partition to one process. */
    public static void slow(PartitionFaults partition, int process, Duration delay) {
        partition.slow(process, delay);
    }

    public static Clockwork clockwork(EmbeddedKeyslot keyslot) {
        return keyslot.clockwork();
    }
}
