// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.register.Acceptor;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.AcceptorRequest;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of a client as acceptors of the register, over the client's usual connections. A user without the
 * right gets one log line, and rarely asks again, because the server records forbidden commands. Thread-safe.
 */
final class PartitionAcceptors implements Function<PartitionId, Acceptor> {
    static final Duration PAUSE_WHERE_FORBIDDEN = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(PartitionAcceptors.class);

    private final Function<PartitionId, @Nullable Partition> partitions;
    private final String namespace;
    private final Ticker ticker;
    private final Map<PartitionId, Long> forbidden = new ConcurrentHashMap<>(); // since when, by partition
    private final AtomicBoolean isSaid = new AtomicBoolean();

    PartitionAcceptors(Function<PartitionId, @Nullable Partition> partitions, String namespace, Ticker ticker) {
        this.partitions = partitions;
        this.namespace = namespace;
        this.ticker = ticker;
    }

    @Override
    public Acceptor apply(PartitionId id) {
        return request -> ask(id, request);
    }

    private CompletableFuture<AcceptorAnswer> ask(PartitionId id, AcceptorRequest request) {
        Partition partition = partitions.apply(id);
        if (partition == null) {
            return CompletableFuture.completedFuture(new AcceptorAnswer.Silent("this client knows no " + id));
        }
        boolean isOften = request instanceof AcceptorRequest.ReadStamp;
        if (isOften && isForbidden(id)) {
            return CompletableFuture.completedFuture(new AcceptorAnswer.Silent("this user may not ask " + id));
        }
        return partition.ask(new RegisterCommand(namespace, request)).thenApply(reply -> answer(id, reply));
    }

    private boolean isForbidden(PartitionId id) {
        Long since = forbidden.get(id);
        return since != null && ticker.nanos() - since < PAUSE_WHERE_FORBIDDEN.toNanos();
    }

    private AcceptorAnswer answer(PartitionId id, Reply<AcceptorAnswer> reply) {
        if (reply instanceof Reply.Done<AcceptorAnswer> done) {
            return done.value();
        }
        if (!(reply instanceof Reply.Refused<AcceptorAnswer> refused)) {
            return new AcceptorAnswer.Silent(reply.toString());
        }
        if (refused.refusal() == Refusal.FORBIDDEN) {
            forbidden.put(id, ticker.nanos());
            if (isSaid.compareAndSet(false, true)) {
                LOG.warn(
                        "Partition {} does not let this client look for a newer map: {}. It goes on by the map that it has;"
                                + " before partitions are added or removed, allow what the operations manual says",
                        id,
                        refused.detail());
            }
        }
        return new AcceptorAnswer.Silent(refused.detail());
    }
}
