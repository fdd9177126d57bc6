// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.call.PartitionCalls;
import io.keyslot.client.call.Unanswered;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.partition.Lookup;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.time.CallBudget;
import io.keyslot.client.time.Deadline;
import io.keyslot.client.time.Patience;
import io.keyslot.client.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Leases in the places of missing entries, and claims on stale ones: who has one finds out the value. Safe for use by
 * several threads.
 *
 * @param <V> the type of the values
 */
public final class EntryLeases<V> {
    private static final Duration LONGEST_RELEASE = Duration.ofSeconds(1);

    private final PartitionCalls partitions;
    private final Answers<V> answers;
    private final ValueCoder<V> coder;
    private final Ticker ticker;

    EntryLeases(PartitionCalls partitions, Answers<V> answers, ValueCoder<V> coder, Ticker ticker) {
        this.partitions = partitions;
        this.answers = answers;
        this.coder = coder;
        this.ticker = ticker;
    }

    /**
     * Takes a lease if there is nothing in the entry's place; what is there afterwards is answered. The lease is ours if it
     * has this stamp.
     */
    public Answer<V> take(EncodedKey key, long stamp, Expiry expiry, CallBudget budget) {
        return leased(key, stamp, partitions.ask(key, new Command.Lease(key, stamp, expiry), budget), budget);
    }

    private Answer<V> leased(EncodedKey key, long stamp, Reply<Lookup> reply, CallBudget budget) {
        if (reply instanceof Reply.Unknown) {
            abandon(key, stamp);
        }
        return answers.of(key, reply, budget);
    }

    /**
     * Gives up a lease or a reservation that may be taken once a server that hangs goes on: nobody would renew or release it,
     * and readers or writers would wait for it. Does not wait. Nothing else is sent for it any more, as
     * its call was given up: so this comes after it.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // if it is not removed now, it is before the partition is used again
    void abandon(EncodedKey key, long stamp) {
        Patience soon = Patience.until(Deadline.after(ticker, LONGEST_RELEASE));
        partitions.send(key, new Command.CompareAndRemove(key, stamp), soon).thenAccept(reply -> {
            if (!(reply instanceof Reply.Done)) {
                partitions.forget(List.of(key));
            }
        });
    }

    /** Takes leases where there is nothing, as {@link #take}; the answers have the order of the commands. */
    public List<Answer<V>> takeAll(List<Command.Lease> leases, CallBudget budget) {
        List<Reply<Lookup>> replies = partitions.askAll(leases, Command.Lease::key, budget);
        List<Answer<V>> taken = new ArrayList<>(leases.size());
        for (int i = 0; i < leases.size(); i++) {
            taken.add(leased(leases.get(i).key(), leases.get(i).stamp(), replies.get(i), budget));
        }
        return taken;
    }

    /**
     * Takes leases in place of whatever is there and is no entry, other leases included; returns for each, in the order of
     * the commands, whether it is ours. Does not throw if a partition cannot be asked: what follows will tell.
     */
    public List<Boolean> takeOver(List<Command.Lease> leases, CallBudget budget) {
        List<Command.CompareAndSet> commands = leases.stream()
                .map(lease -> new Command.CompareAndSet(
                        lease.key(), Command.ABSENT, Envelope.lease(lease.stamp()), lease.expiry()))
                .toList();
        List<Reply<Boolean>> replies = partitions.askAll(commands, Command.CompareAndSet::key, budget);
        List<Boolean> taken = new ArrayList<>(leases.size());
        for (int i = 0; i < leases.size(); i++) {
            Reply<Boolean> reply = replies.get(i);
            if (reply instanceof Reply.Unknown) {
                abandon(leases.get(i).key(), leases.get(i).stamp());
            }
            taken.add(reply instanceof Reply.Done<Boolean> done && done.value());
        }
        return taken;
    }

    /** Marks a stale entry as being loaded again; returns whether it was still the one with the expected stamp. */
    public boolean claim(
            EncodedKey key, long expectedStamp, long newStamp, long freshUntil, long claimedUntil, CallBudget budget) {
        return claim(key, expectedStamp, newStamp, Freshness.claimed(freshUntil, claimedUntil), budget);
    }

    /** Takes back a claim, so that another process may load the entry at once. */
    public void unclaim(EncodedKey key, long claim, long freshUntil, CallBudget budget) {
        claim(key, claim, coder.newStamp(), freshUntil, budget);
    }

    private boolean claim(EncodedKey key, long expectedStamp, long newStamp, long freshness, CallBudget budget) {
        Reply<Boolean> reply = partitions.ask(key, new Command.Claim(key, expectedStamp, newStamp, freshness), budget);
        return reply instanceof Reply.Done<Boolean> done && done.value();
    }

    /** Gives up leases that were asked for, whether or not they were taken. Does not wait. */
    public void abandonAll(List<Command.Lease> leases) {
        leases.forEach(lease -> abandon(lease.key(), lease.stamp()));
    }

    /**
     * Gives up leases; whether that succeeds does not matter, as they end by themselves. A thread that is interrupted does
     * not wait for it.
     */
    public void releaseAll(List<Command.CompareAndRemove> releases, CallBudget budget) {
        if (Unanswered.isInterrupted()) {
            releases.forEach(release -> abandon(release.key(), release.expectedStamp()));
        } else {
            partitions.askAll(releases, Command.CompareAndRemove::key, budget);
        }
    }
}
