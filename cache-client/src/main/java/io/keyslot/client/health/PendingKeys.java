// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Prevents the use of outdated values whose deletion is pending.
 *
 * <ul>
 *   <li>A command that depends on such a key is refused before it is sent. In a bulk read, only the pending keys fail.
 *   <li>A command sent while a deletion is in flight is answered after it; its answer is used only if the deletion was
 *       confirmed.
 *   <li>An unconditional write is sent. Its success settles the key, because the outdated value is replaced.
 *   <li>If the deletion was refused, so is the command: the partition is missing for this key. If it is in flight or
 *       its answer was lost, the command is to be retried: soon the deletion is done, or the partition is missing.
 *   <li>A command that changed data is never reported as refused.
 * </ul>
 *
 * <p>Thread-safe. Without pending deletes, it costs one field read.
 */
record PendingKeys(PendingDeletes pendingDeletes, String describedPartition) {
    boolean forbid(Command<?> command) {
        return !isCheckedByKey(command) && command.consulted().stream().anyMatch(pendingDeletes::hasPending);
    }

    private static boolean isCheckedByKey(Command<?> command) {
        return command instanceof Command.GetAll
                || command instanceof Command.GetAllTracked
                || command instanceof Command.GetAndRemove;
    }

    /**
     * Returns the keys whose values the command may find outdated, if it is sent now. They are outdated in its reply, too: the
     * deletion may be confirmed by another thread before the calling thread looks at the reply.
     */
    Set<EncodedKey> outdated(Command<?> command) {
        return isCheckedByKey(command)
                ? command.consulted().stream()
                        .filter(pendingDeletes::hasPending)
                        .collect(Collectors.toUnmodifiableSet())
                : Set.of();
    }

    <R> Reply<R> refusal(Command<?> command) {
        return refusal(command.consulted(), true);
    }

    private <R> Reply<R> refusal(List<EncodedKey> keys, boolean isWorthAnotherAttempt) {
        boolean isSoonOver = keys.stream().noneMatch(pendingDeletes::isRefused);
        String why = isSoonOver || pendingDeletes.whyRefused().isEmpty() ? "" : ": " + pendingDeletes.whyRefused();
        return Reply.refused(
                isSoonOver && isWorthAnotherAttempt ? Refusal.NOT_NOW : Refusal.UNAVAILABLE,
                describedPartition + " has under this key what is out of date, and has not deleted it yet" + why);
    }

    /** Returns the reply without outdated values. */
    <R> Reply<R> reply(Command<R> command, Reply<R> reply) {
        return reply instanceof Reply.Done<R> done ? reply(command, done) : reply;
    }

    /** As above, without the values of keys that were outdated when the command was sent. */
    @SuppressWarnings("unchecked") // the command determines the type of the answer
    <R> Reply<R> reply(Command<R> command, Reply<R> reply, Set<EncodedKey> outdated) {
        return outdated.isEmpty() || !(reply instanceof Reply.Done<R> done)
                ? reply
                : (Reply<R>) byKey(command, done, outdated::contains);
    }

    @SuppressWarnings("unchecked") // the command determines the type of the answer
    private Reply<?> byKey(Command<?> command, Reply.Done<?> done, Predicate<EncodedKey> isOutdated) {
        if (command instanceof Command.GetAll all) {
            return Reply.done(without(isOutdated, all.keys(), (List<Lookup>) done.value(), lookup -> lookup));
        }
        if (command instanceof Command.GetAllTracked all) {
            return Reply.done(
                    without(isOutdated, all.keys(), (List<TrackedLookup>) done.value(), TrackedLookup::passing));
        }
        return isOutdated.test(((Command.GetAndRemove) command).key()) ? Reply.done(Lookup.absent()) : done;
    }

    @SuppressWarnings("unchecked") // the command determines the type of the answer
    private <R> Reply<R> reply(Command<R> command, Reply.Done<R> done) {
        if (isCheckedByKey(command)) {
            return (Reply<R>) byKey(command, done, pendingDeletes::has);
        }
        if (isChange(command, done.value())) {
            return done;
        }
        List<EncodedKey> used = used(command, done.value());
        return used.stream().anyMatch(pendingDeletes::has)
                ? refusal(used, hasChangedNothing(command, done.value()))
                : done;
    }

    private <T> List<T> without(
            Predicate<EncodedKey> isOutdated, List<EncodedKey> keys, List<T> found, Function<Lookup, T> answerOf) {
        List<T> usable = new ArrayList<>(found);
        for (int i = 0; i < Math.min(keys.size(), found.size()); i++) {
            if (isOutdated.test(keys.get(i))) {
                usable.set(i, answerOf.apply(pending(keys.get(i))));
            }
        }
        return usable;
    }

    private Lookup pending(EncodedKey key) {
        return Lookup.without(pendingDeletes.isRefused(key) ? Lookup.Outcome.OUTDATED : Lookup.Outcome.BEING_DELETED);
    }

    private static List<EncodedKey> used(Command<?> command, Object answer) {
        if (command instanceof GroupListing.Rows) {
            return ((List<?>) answer)
                    .stream().map(row -> ((GroupListing.Row) row).key()).toList();
        }
        return command.consulted();
    }

    /** Returns whether an executed command that made no change may be executed again. */
    private static boolean hasChangedNothing(Command<?> command, Object answer) {
        return command.isRepeatable() || answer instanceof Boolean || answer instanceof GroupReply;
    }

    private static boolean isChange(Command<?> command, Object answer) {
        return command instanceof GroupCommand group
                ? !group.isRepeatable() && answer instanceof GroupReply.Applied
                : Boolean.TRUE.equals(answer);
    }

    /** Returns the number up to which a write that is sent now settles pending deletes. */
    long now() {
        return pendingDeletes.latest();
    }

    void settle(Command<?> command, Reply<?> reply, long upTo) {
        if (reply instanceof Reply.Done<?> done) {
            List<EncodedKey> written = written(command, done.value());
            if (!written.isEmpty()) {
                pendingDeletes.confirm(new PendingDeletes.Batch(written, false, upTo));
            }
        }
    }

    private static List<EncodedKey> written(Command<?> command, Object answer) {
        if (command instanceof Command.Put put) {
            return List.of(put.key());
        }
        if (command instanceof Command.RemoveAll removal) {
            return removal.keys();
        }
        if (command instanceof Command.GetAndRemove removal) {
            return List.of(removal.key());
        }
        return command instanceof Command.PutAll all ? stored(all.puts(), (List<?>) answer) : List.of();
    }

    private static List<EncodedKey> stored(List<Command.Put> puts, List<?> replies) {
        List<EncodedKey> stored = new ArrayList<>();
        for (int i = 0; i < Math.min(puts.size(), replies.size()); i++) {
            if (replies.get(i) instanceof Reply.Done) {
                stored.add(puts.get(i).key());
            }
        }
        return stored;
    }
}
