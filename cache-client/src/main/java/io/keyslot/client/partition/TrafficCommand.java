// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.time.Duration;
import java.util.List;

/**
 * A command about the traffic reports of clients. It belongs to no slot. The reports are not entries: scans do not show
 * them, and they serve only the analysis of the load.
 */
public sealed interface TrafficCommand<R> extends Command<R> {
    /** The maximum number of clients of a namespace whose reports a partition keeps. */
    int MOST_CLIENTS = 64;

    Duration KEPT = Duration.ofMinutes(5);

    /**
     * Stores the report of a client in place of the previous one. Answers whether it was stored: not if there are
     * reports of {@link #MOST_CLIENTS} others, or if the partition has lost its data and no client has connected since.
     * {@code client} is unique and printable ASCII.
     */
    record Report(String client, TrafficReport report) implements TrafficCommand<Boolean> {}

    record ReadReports() implements TrafficCommand<Reports> {}

    /** The stored reports; {@code isComplete} is false if there was no room for all recent reports. */
    record Reports(List<Kept> all, boolean isComplete) {}

    record Kept(String client, long ageMillis, TrafficReport report) {}
}
