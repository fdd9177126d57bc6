// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes and ends the leases of the entries of one cache. Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public final class Leases<V> {
    private static final Duration LONGEST_RELEASE = Duration.ofSeconds(1);

    private final EntryCalls calls;
    private final Failures failures;
    private final Answers<V> answers;
    private final ValueCoder<V> coder;
    private final Ticker ticker;

    Leases(EntryCalls calls, Failures failures, Answers<V> answers, ValueCoder<V> coder, Ticker ticker) {
        this.calls = calls;
        this.failures = failures;
        this.answers = answers;
        this.coder = coder;
        this.ticker = ticker;
    }

    long newStamp() {
        return coder.newStamp();
    }

    /** Returns a new lease of an entry that is missing, to be taken. */
    public Lease.OfMissing ofMissing(EncodedKey key) {
        return new Lease.OfMissing(key, coder.newStamp());
    }

    /** Returns a new lease of an entry that was found stale, to be taken. */
    public Lease.OfStale ofStale(EncodedKey key, Answer<V> stale) {
        return new Lease.OfStale(key, coder.newStamp(), stale.stamp(), stale.freshUntil());
    }

    /**
     * Takes leases where there is nothing; what is in the places afterwards is answered, in the order of the leases. A lease
     * was taken if its stamp is there. If a call is interrupted, or refused for good, it has none.
     */
    public List<Answer<V>> takeAll(List<Lease.OfMissing> leases, CallBudget budget) {
        List<Command.Lease> commands =
                leases.stream().map(Lease.OfMissing::taking).toList();
        List<Reply<Lookup>> replies = calls.askAll(commands, Command.Lease::key, budget);
        List<Answer<V>> taken = new ArrayList<>(leases.size());
        for (int i = 0; i < leases.size(); i++) {
            Lease lease = leases.get(i);
            abandonIfUnknown(lease.key(), lease.stamp(), replies.get(i));
            taken.add(answers.of(lease.key(), replies.get(i), budget));
        }
        if (taken.stream().anyMatch(Answer::isError)) {
            abandonTaken(leases, taken);
        }
        return taken;
    }

    private void abandonTaken(List<Lease.OfMissing> leases, List<Answer<V>> answers) {
        for (int i = 0; i < leases.size(); i++) {
            Lease lease = leases.get(i);
            if (answers.get(i).leaseStamp() == lease.stamp()) {
                abandon(lease.key(), lease.stamp());
            }
        }
    }

    /**
     * Takes leases in place of whatever is there and is no entry, other leases included; returns for each, in their order,
     * whether it is ours. Throws only if a partition refuses it for good: of one that cannot be asked, what follows will tell.
     */
    public List<Boolean> takeOverAll(List<Lease.OfMissing> leases, CallBudget budget) {
        List<Command.CompareAndSet> commands = leases.stream()
                .map(lease -> new Command.CompareAndSet(
                        lease.key(), Command.ABSENT, Envelope.lease(lease.stamp()), Lease.expiry()))
                .toList();
        List<Reply<Boolean>> replies = calls.askAll(commands, Command.CompareAndSet::key, budget);
        for (int i = 0; i < leases.size(); i++) {
            abandonIfUnknown(leases.get(i).key(), leases.get(i).stamp(), replies.get(i));
        }
        return replies.stream().map(reply -> isDone(reply, budget)).toList();
    }

    /** Takes leases on stale entries; returns for each, in their order, whether the entry was still the one that was found. */
    public List<Boolean> claimAll(List<Lease.OfStale> leases, CallBudget budget) {
        List<Command.Claim> commands =
                leases.stream().map(lease -> lease.taking(ticker)).toList();
        return calls.askAll(commands, Command.Claim::key, budget).stream()
                .map(reply -> isDone(reply, budget))
                .toList();
    }

    private boolean isDone(Reply<Boolean> reply, CallBudget budget) {
        failures.requireNotForGood(budget.operation(), reply);
        return reply instanceof Reply.Done<Boolean> done && done.value();
    }

    /**
     * Ends a lease that may be taken once a server that hangs goes on: nobody would renew or release it, and readers or
     * writers would wait for it. Does not wait. Nothing else is sent for it any more, as its call was given up: so this
     * comes after it.
     */
    void abandonIfUnknown(EncodedKey key, long stamp, Reply<?> reply) {
        if (reply instanceof Reply.Unknown) {
            abandon(key, stamp);
        }
    }

    private void abandon(EncodedKey key, long stamp) {
        sendSoon(new Command.CompareAndRemove(key, stamp));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what is not removed now is before the partition is used again
    private void sendSoon(Command.OfKey<Boolean> release) {
        Patience soon = Patience.until(Deadline.after(ticker, LONGEST_RELEASE));
        calls.send(release.key(), release, soon).thenAccept(reply -> {
            if (release instanceof Command.CompareAndRemove && !(reply instanceof Reply.Done)) {
                calls.forget(List.of(release.key()));
            }
        });
    }

    /** Ends leases, as far as they have not ended, and leaves the entries as they were before. */
    public void releaseAll(List<Lease> leases, CallBudget budget) {
        sendAll(
                leases.stream()
                        .map(lease -> lease.release(ticker, coder.newStamp()))
                        .toList(),
                budget);
    }

    /** Removes what is there with a stamp of ours, because there is no value for it. */
    public void removeAll(List<Command.CompareAndRemove> removals, CallBudget budget) {
        sendAll(removals, budget);
    }

    /** Whether it succeeds does not matter, as leases end by themselves. An interrupted thread does not wait for it. */
    private void sendAll(List<? extends Command.OfKey<Boolean>> commands, CallBudget budget) {
        if (Unanswered.isInterrupted()) {
            commands.forEach(this::sendSoon);
        } else {
            calls.askAll(List.copyOf(commands), Command.OfKey::key, budget);
        }
    }
}
