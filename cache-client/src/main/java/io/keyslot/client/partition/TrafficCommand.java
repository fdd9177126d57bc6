// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.traffic.TrafficReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Something about what clients ask for. It belongs to no slot. What the partition keeps of it is no entry: no scan shows it,
 * and nobody but whoever looks at the load needs it.
 *
 * @param <R> what is answered
 */
public sealed interface TrafficCommand<R> extends Command<R> {
    /** The clients of a namespace whose reports a partition keeps. */
    int MOST_CLIENTS = 64;

    /** How long a report is kept. */
    Duration KEPT = Duration.ofMinutes(5);

    /**
     * Keeps the report of a client in place of the one before. Answers whether it is kept: not if there are those of {@link
     * #MOST_CLIENTS} others, or if the partition has lost all that it had and nobody has entered since.
     *
     * @param client another for each one; printable ASCII
     */
    record Report(String client, TrafficReport report) implements TrafficCommand<Boolean> {
        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.REPORT_TRAFFIC;
        }
    }

    /** Answers the reports that are kept. */
    record ReadReports() implements TrafficCommand<Reports> {
        @Override
        public CommandKind<Reports> kind() {
            return CommandKind.READ_TRAFFIC;
        }
    }

    /**
     * The reports that a partition keeps.
     *
     * @param isComplete whether there was room for all of the last minutes
     */
    record Reports(List<Kept> all, boolean isComplete) {
        public Reports {
            all = List.copyOf(all);
        }
    }

    /**
     * A report that is kept.
     *
     * @param ageMillis since it came
     */
    record Kept(String client, long ageMillis, TrafficReport report) {}

    /** Answers what the partition counts itself, whoever asks it; nothing if it does not count. */
    record ReadCounters() implements TrafficCommand<Optional<Counters>> {
        @Override
        public CommandKind<Optional<Counters>> kind() {
            return CommandKind.READ_COUNTERS;
        }
    }

    /**
     * What a partition has counted since it was started, or was made to begin anew. It counts for all its clients together, and
     * what scripts look up as well.
     *
     * @param commands that it has executed
     * @param found keys that were looked up and were there
     * @param missed keys that were looked up and were not there
     * @param evicted keys that it has given up for want of memory
     * @param expired keys whose time was over
     */
    record Counters(long commands, long found, long missed, long evicted, long expired) {}

    /** What an engine does about it. */
    interface Operations {
        /** Neither throws nor blocks. */
        CompletableFuture<Reply<Boolean>> report(Report command);

        /** Neither throws nor blocks. */
        CompletableFuture<Reply<Reports>> read(ReadReports command);

        /** Neither throws nor blocks. */
        CompletableFuture<Reply<Optional<Counters>>> counters(ReadCounters command);
    }
}
