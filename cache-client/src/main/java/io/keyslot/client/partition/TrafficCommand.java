// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.time.Duration;
import java.util.List;
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

    /** What an engine does about it. */
    interface Operations {
        /** Neither throws nor blocks. */
        CompletableFuture<Reply<Boolean>> report(Report command);

        /** Neither throws nor blocks. */
        CompletableFuture<Reply<Reports>> read(ReadReports command);
    }
}
