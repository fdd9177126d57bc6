// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Reply;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells an observer of every command that had a partition to go to, and how long its caller waited. */
final class ObservedSender implements CommandSender {
    private static final Logger LOG = LoggerFactory.getLogger(ObservedSender.class);

    private final CommandSender delegate;
    private final CommandObserver observer;
    private final CurrentSlotMap slotMap;
    private final Ticker ticker;
    private final LogPace pace;

    ObservedSender(CommandSender delegate, CommandObserver observer, CurrentSlotMap slotMap, Ticker ticker) {
        this.delegate = delegate;
        this.observer = observer;
        this.slotMap = slotMap;
        this.ticker = ticker;
        this.pace = new LogPace(ticker);
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        long start = ticker.nanos();
        CompletableFuture<Reply<R>> reply = delegate.send(call);
        Reply<R> known = Futures.valueOf(reply);
        if (known == null) {
            return reply.whenComplete((late, failure) -> tell(call, late, start));
        }
        tell(call, known, start);
        return reply;
    }

    private void tell(Call<?> call, @Nullable Reply<?> reply, long start) {
        if (reply == null) {
            return; // the layer above reports what broke the contract
        }
        try {
            long nanos = ticker.nanos() - start;
            call.target()
                    .in(slotMap.get())
                    .ifPresent(partition -> observer.onReply(partition, call.command(), reply, nanos));
        } catch (RuntimeException e) {
            // An observer must not turn a reply into a failure.
            if (pace.permits("observer failed")) {
                LOG.warn("An observer of commands failed", e);
            }
        }
    }
}
