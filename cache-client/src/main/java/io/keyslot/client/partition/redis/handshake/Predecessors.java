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
 * The connections of one connector that ended with outstanding replies: their commands may be executed at any time
 * until the server drops them. Thread-safe. Stored with the run id of the server, because another run reuses the client
 * ids.
 */
public final class Predecessors {
    /** Each successful connect removes those of its server, so there are as many as were open at once. */
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

    /** Returns the client ids that this run of the server may know. */
    synchronized List<Long> of(String runId) {
        if (runId.isEmpty()) {
            return List.of(); // another server may have assigned these ids by now
        }
        return runIds.entrySet().stream()
                .filter(entry -> entry.getValue().equals(runId))
                .map(Map.Entry::getKey)
                .toList();
    }

    synchronized void forget(List<Long> clientIds) {
        clientIds.forEach(runIds::remove);
    }

    void warnThatKillIsForbidden(Logger log, String address) {
        if (warnedThatKillIsForbidden.compareAndSet(false, true)) {
            log.warn(
                    "{}: this user may not use CLIENT KILL. A write that timed out may be executed after later ones;"
                            + " allow client|kill to rule that out",
                    address);
        }
    }

    boolean isFirstListOfWhatIsHidden() {
        return toldWhatIsHidden.compareAndSet(false, true);
    }

    /** Returns whether a server refused a command because it does not exist, or the user may not use it. */
    static boolean isForbidden(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof RedisCommandExecutionException
                && ServerError.parse(String.valueOf(cause.getMessage())).refusal() == Refusal.FORBIDDEN;
    }

    void warnThatRunIsUnknown(Logger log, String address) {
        if (warnedThatRunIsUnknown.compareAndSet(false, true)) {
            log.warn(
                    "{}: the server does not report its run_id; its replication id is taken for it. When a first replica is"
                            + " attached while a connection is lost, a write that timed out may be executed after later"
                            + " ones",
                    address);
        }
    }

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
