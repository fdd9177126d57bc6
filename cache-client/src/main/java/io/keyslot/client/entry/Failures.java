// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.config.Counted;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Creates all exceptions of failed commands that the application receives. */
public record Failures(String subject) {
    /**
     * Returns whether the policies for missing partitions apply: the partition is missing or did not answer in time,
     * but the thread was not interrupted, and the partition does not refuse the command for good.
     */
    public static boolean isOutage(KeyslotException failure) {
        return !isInterruption(failure)
                && !(failure instanceof PartitionUnavailableException refused && refused.isForGood());
    }

    /** Returns whether a call failed because its thread was interrupted. */
    public static boolean isInterruption(Throwable failure) {
        return failure instanceof CallInterruptedException || failure.getCause() instanceof InterruptedException;
    }

    /** Returns the exception for a refused command, which changed nothing. */
    private KeyslotException of(String operation, Reply.Refused<?> refused) {
        String message = "%s: %s was not done: %s".formatted(subject, operation, refused.detail());
        return switch (refused.refusal()) {
            case OVERLOADED -> new CacheOverloadedException(message);
            case INTERRUPTED -> new CallInterruptedException(message);
            case UNAVAILABLE, RECONNECTING, STALE_ROUTE, FROZEN, MOVED, NOT_NOW, NOT_WRITABLE ->
                new PartitionUnavailableException(message);
            case FORBIDDEN -> new PartitionUnavailableException(message, null, Set.of(), true);
        };
    }

    /** Throws if a command was refused for good; other outcomes do not matter to the call. */
    public void requireNotForGood(String operation, Reply<?> reply) {
        if (reply.isRefused(Refusal.FORBIDDEN)) {
            throw ofRead(operation, reply);
        }
    }

    public KeyslotException ofRead(String operation, Reply<?> failed) {
        if (failed instanceof Reply.Refused<?> refused) {
            return of(operation, refused);
        }
        Reply.Unknown<?> unknown = (Reply.Unknown<?>) failed;
        if (Unanswered.isByInterruption(unknown)) {
            return new CallInterruptedException(
                    "%s: %s was given up: %s".formatted(subject, operation, unknown.detail()), unknown.cause());
        }
        return new PartitionUnavailableException(
                "%s: %s got no answer: %s".formatted(subject, operation, unknown.detail()), unknown.cause());
    }

    public KeyslotException ofChange(String operation, Reply<?> failed) {
        if (failed instanceof Reply.Refused<?> refused) {
            return of(operation, refused);
        }
        Reply.Unknown<?> unknown = (Reply.Unknown<?>) failed;
        return new OutcomeUnknownException(
                "%s: no answer to %s, it may or may not have been applied: %s"
                        .formatted(subject, operation, unknown.detail()),
                unknown.cause());
    }

    /** Returns the exception for a change that was not begun, because the reply to its reservation was lost. */
    public KeyslotException ofReservation(String operation, Reply.Unknown<?> unknown) {
        String message = "%s: %s was not done, and the cache writer was not asked: no answer: %s"
                .formatted(subject, operation, unknown.detail());
        return Unanswered.isByInterruption(unknown)
                ? new CallInterruptedException(message, unknown.cause())
                : new PartitionUnavailableException(message, unknown.cause());
    }

    /** Returns the exception for a change that the cache writer has made, but perhaps not the cache. */
    public KeyslotException ofWritten(String operation, KeyslotException cause) {
        return new OutcomeUnknownException(
                ("%s: the cache writer has done its part of %s, and the cache could not be changed: %s; what it"
                                + " has of the entry is deleted, now or before this process uses the partition again")
                        .formatted(subject, operation, cause.getMessage()),
                cause);
    }

    public KeyslotException ofInterruptedWait(String operation) {
        return new CallInterruptedException("%s: %s was not done: the thread was interrupted while it waited for others"
                .formatted(subject, operation));
    }

    public KeyslotException ofContention(String operation, int attempts) {
        return new CacheOverloadedException(
                ("%s: %s was not done: others changed what it had read in each of %d attempts;"
                                + " repeat the call later, or let fewer processes change it")
                        .formatted(subject, operation, attempts));
    }

    public IllegalStateException ofReentrantCall(String operation) {
        return new IllegalStateException(
                ("%s: %s was not done: a processor, loader, writer, expiry policy or transaction has called the cache to change"
                                + " what its own call is changing; make that change by the entry or transaction that it is passed, or"
                                + " before or after its call")
                        .formatted(subject, operation));
    }

    public KeyslotException ofInterruptedRead(String operation) {
        return new CallInterruptedException(
                "%s: %s was given up: the thread was interrupted".formatted(subject, operation));
    }

    public KeyslotException ofScan(Map<PartitionId, KeyslotException> missing) {
        KeyslotException first = missing.values().iterator().next();
        String message = ("%s: the scan would be incomplete without partitions %s; repeat it later, or take what the"
                        + " others have by MissingPartitionScanPolicy.PARTIAL; the first reason: %s")
                .formatted(subject, missing.keySet(), first.getMessage());
        KeyslotException summary = sameKind(first, message, Set.of());
        missing.values().stream().skip(1).forEach(summary::addSuppressed);
        return summary;
    }

    public KeyslotException ofScanInterruption(PartitionId partition) {
        return new CallInterruptedException(
                "%s: the thread of the scan was interrupted before it was done with partition %s"
                        .formatted(subject, partition));
    }

    public KeyslotException ofScanTime(PartitionId partition, Duration atMost) {
        return new PartitionUnavailableException(
                ("%s: the %d ms of the scan were over before it was done with partition %s; raise atMost of the"
                                + " scan's options, or make filter and order faster")
                        .formatted(subject, atMost.toMillis(), partition));
    }

    /** Returns one exception for failed keys: the gravest (unknown before not done), with the others suppressed. */
    public KeyslotException ofBulk(String operation, Map<?, KeyslotException> failures) {
        Collection<KeyslotException> all = failures.values();
        KeyslotException gravest = gravestOf(all);
        String message = "%s: %s failed for %s, all others are done; the first reason: %s"
                .formatted(subject, operation, Counted.of(failures.size(), "key"), gravest.getMessage());
        KeyslotException summary = sameKind(gravest, message, failures.keySet());
        distinctByMessage(all).values().stream()
                .filter(failure -> failure != gravest)
                .forEach(summary::addSuppressed);
        return summary;
    }

    /**
     * Returns the exception for bytes of another program in a raw cache. It shows the beginning of the key, so that
     * they can be found, but not their content.
     */
    public CodecException ofForeignValue(String key, String found, String codec) {
        return new CodecException(
                ("%s: under %s there is %s, which codec %s cannot read as a value; another program may have stored it:"
                                + " correct it there, or remove it")
                        .formatted(subject, key, found, codec));
    }

    /** Returns an exception of the same kind for another thread that waited for the same result. */
    public KeyslotException again(KeyslotException failure) {
        return sameKind(failure, String.valueOf(failure.getMessage()), failure.failedKeys());
    }

    /** Returns one failure for each message, as thousands of keys of one partition may fail for the same reason. */
    private static Map<String, KeyslotException> distinctByMessage(Collection<KeyslotException> failures) {
        Map<String, KeyslotException> distinct = new LinkedHashMap<>();
        failures.forEach(failure -> distinct.putIfAbsent(String.valueOf(failure.getMessage()), failure));
        return distinct;
    }

    /** Returns the first failure of the gravest kind: unknown outcomes, then refusals for good, then all others. */
    private static KeyslotException gravestOf(Collection<KeyslotException> failures) {
        return Collections.min(failures, Comparator.comparingInt(Failures::rank));
    }

    private static int rank(KeyslotException failure) {
        if (failure instanceof OutcomeUnknownException) {
            return 0;
        }
        return isOutage(failure) ? 2 : 1;
    }

    private static KeyslotException sameKind(KeyslotException cause, String message, Set<?> failedKeys) {
        if (cause instanceof CallInterruptedException) {
            return new CallInterruptedException(message, cause, failedKeys);
        }
        if (cause instanceof OutcomeUnknownException) {
            return new OutcomeUnknownException(message, cause, failedKeys);
        }
        if (cause instanceof CacheOverloadedException) {
            return new CacheOverloadedException(message, cause, failedKeys);
        }
        if (cause instanceof LimitExceededException) {
            return new LimitExceededException(message, cause, failedKeys);
        }
        return cause instanceof CodecException
                ? new CodecException(message, cause, failedKeys)
                : new PartitionUnavailableException(
                        message,
                        cause,
                        failedKeys,
                        cause instanceof PartitionUnavailableException refused && refused.isForGood());
    }
}
