// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.redis.wire.ServerError;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;

/**
 * The connections of one connector that ended while the server still owed answers: what was sent on them may be
 * executed at any time, until the server drops them. Safe for use by several threads.
 *
 * <p>They are remembered with the run id of their server, because another life of it numbers its clients anew.
 */
public final class Predecessors {
    /** Each successful connect forgets those of its server, so there are as many as were open at once. */
    private static final int MAX_REMEMBERED = 1_024;

    private final Map<Long, String> runIds = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };
    private final AtomicBoolean warnedThatKillIsForbidden = new AtomicBoolean();
    private final AtomicBoolean warnedThatDropIsForbidden = new AtomicBoolean();
    private final AtomicBoolean toldWhatIsHidden = new AtomicBoolean();
    private final AtomicBoolean warnedThatRunIsUnknown = new AtomicBoolean();

    public synchronized void add(long clientId, String runId) {
        runIds.put(clientId, runId);
    }

    /** Returns the numbers of those that this life of the server may know. */
    synchronized List<Long> of(String runId) {
        if (runId.isEmpty()) {
            return List.of(); // by now another server may have given these numbers to somebody else
        }
        return runIds.entrySet().stream()
                .filter(entry -> entry.getValue().equals(runId))
                .map(Map.Entry::getKey)
                .toList();
    }

    synchronized void forget(List<Long> clientIds) {
        clientIds.forEach(runIds::remove);
    }

    /** Returns true the first time. */
    boolean isFirstRefusalToKill() {
        return warnedThatKillIsForbidden.compareAndSet(false, true);
    }

    /** Returns true the first time. */
    boolean isFirstListOfWhatIsHidden() {
        return toldWhatIsHidden.compareAndSet(false, true);
    }

    /** Returns whether a server has said that the user may not use a command, or that there is no such command. */
    static boolean isForbidden(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof RedisCommandExecutionException
                && ServerError.parse(String.valueOf(cause.getMessage())).refusal() == Refusal.FORBIDDEN;
    }

    /** Says the first time that a server does not tell which run of it this is. */
    void warnThatRunIsUnknown(Logger log, String address) {
        if (warnedThatRunIsUnknown.compareAndSet(false, true)) {
            log.warn(
                    "{}: the server does not tell its run_id; its replication id is taken for it. When a first replica is"
                            + " attached while a connection is lost, a write that timed out may be executed after later"
                            + " ones",
                    address);
        }
    }

    /** Says the first time that others go on with an epoch that is over. */
    void warnThatDropIsForbidden(Logger log, String address) {
        if (warnedThatDropIsForbidden.compareAndSet(false, true)) {
            log.warn(
                    "{}: this user may not use CLIENT LIST or CLIENT KILL. When what was stored has to be forgotten,"
                            + " other processes may go on with it for a second; allow client|list and client|kill to"
                            + " rule that out",
                    address);
        }
    }
}
