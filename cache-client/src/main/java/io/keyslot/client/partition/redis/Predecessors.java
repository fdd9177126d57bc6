// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections of one connector that ended with outstanding replies: their commands may be executed at any time
 * until the server drops them. Thread-safe. Stored with the run id of the server, because another run reuses the client
 * ids.
 */
final class Predecessors {
    /** Each successful connect removes those of its server, so there are as many as were open at once. */
    private static final int MAX_REMEMBERED = 1_024;

    private final Map<Long, String> runIds = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    synchronized void add(long clientId, String runId) {
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

    /** Returns whether this connector has not logged this warning before. */
    boolean isFirst(String warning) {
        return logged.add(warning);
    }
}
