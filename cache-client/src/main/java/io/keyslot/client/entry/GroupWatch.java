// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.config.ClientOptions.GroupLimits;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupListing.GroupWeight;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.Call;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.telemetry.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the size of groups that grow beside some changes, without waiting, and reports to the log and the meters. The
 * size is estimated from a part of the group. Thread-safe.
 */
public final class GroupWatch {
    /** One in this many changes is accompanied by a check. */
    static final int CHANGES_PER_LOOK = 128;

    private static final Logger LOG = LoggerFactory.getLogger(GroupWatch.class);
    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

    /** The number of entity types that the log reports. */
    private static final int MOST_TYPES = 1_000;

    private final PartitionRouter router;
    private final GroupLimits limits;
    private final Timing timing;
    private final Telemetry telemetry;
    private final ConcurrentMap<String, Deadline> quiet = new ConcurrentHashMap<>();

    public GroupWatch(PartitionRouter router, GroupLimits limits, Timing timing, Telemetry telemetry) {
        this.router = router;
        this.limits = limits;
        this.timing = timing;
        this.telemetry = telemetry;
    }

    /** Returns a channel that checks the size of groups beside some of the commands that may enlarge them. */
    public Channel around(Channel next) {
        return new GroupSizeChannel(next, this);
    }

    /** As {@link #sample(GroupHome, Deadline)} for each put, at most once for each group. */
    void sample(List<Command.Put> puts, Deadline deadline) {
        puts.stream()
                .filter(put -> isChosen())
                .map(put -> GroupHome.of(put.key()))
                .distinct()
                .forEach(home -> checkBeside(home, deadline));
    }

    /** Checks the group with a probability, without waiting for the reply. */
    void sample(GroupHome home, Deadline deadline) {
        if (isChosen()) {
            checkBeside(home, deadline);
        }
    }

    private boolean isChosen() {
        return timing.random().nextInt(CHANGES_PER_LOOK) == 0;
    }

    private void checkBeside(GroupHome home, Deadline deadline) {
        CompletableFuture<Void> unused =
                weigh(home, deadline).thenAccept(weight -> weight.ifPresent(known -> report(home, known)));
    }

    /** Returns the approximate size of the group, or empty if its partition does not answer. */
    public CompletableFuture<Optional<GroupWeight>> weigh(GroupHome home, Deadline deadline) {
        return router.send(home.stamps(), new GroupListing.Weigh(home), Patience.until(deadline))
                .thenApply(reply ->
                        reply instanceof Reply.Done<GroupWeight> done ? Optional.of(done.value()) : Optional.empty());
    }

    public boolean isTooLarge(GroupWeight weight) {
        return weight.entries() + weight.aggregates() > limits.entries() || weight.bytes() > limits.bytes();
    }

    private void report(GroupHome home, GroupWeight weight) {
        if (isTooLarge(weight)) {
            String type = home.tag().substring(0, home.tag().indexOf(':'));
            telemetry.onGroupTooLarge(type);
            warn(type, weight);
        }
    }

    private void warn(String type, GroupWeight weight) {
        Deadline before = quiet.get(type);
        boolean isQuiet = before == null ? quiet.size() >= MOST_TYPES : !before.isOver();
        if (!isQuiet) {
            quiet.put(type, Deadline.after(timing.ticker(), BETWEEN_WARNINGS));
            LOG.warn(
                    "A group of a {} has {} entries and aggregates with about {} bytes, the limits are {} and {}",
                    type,
                    weight.entries() + weight.aggregates(),
                    weight.bytes(),
                    limits.entries(),
                    limits.bytes());
        }
    }

    private record GroupSizeChannel(Channel next, GroupWatch watch) implements Channel {
        @Override
        public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
            EncodedKey key = call.key();
            if (call.command() instanceof BulkCommand.Put puts) {
                watch.sample(puts.items(), call.patience().deadline());
            } else if (key != null && mayEnlarge(key, call.command())) {
                watch.sample(GroupHome.of(key), call.patience().deadline());
            }
            return next.send(call);
        }

        private static boolean mayEnlarge(EncodedKey key, Command<?> command) {
            if (command instanceof GroupCommand group) {
                return group.steps().stream().anyMatch(GroupStep::mayEnlarge);
            }
            return key.isIndexed()
                    && (command instanceof Command.Put
                            || (command instanceof Command.CompareAndSet set
                                    && set.envelope().isEntry()));
        }
    }
}
