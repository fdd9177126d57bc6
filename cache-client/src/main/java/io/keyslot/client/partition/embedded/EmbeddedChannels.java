// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushListeners;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The subscriptions of one incarnation. A message reaches all subscribers before the next. Thread-safe. */
final class EmbeddedChannels {
    private final Object lock = new Object();
    private final Map<String, Set<PushListeners>> listening = new HashMap<>(); // guarded by lock

    /** Subscribes a connection until it leaves. Ignores a lost connection. */
    void subscribe(PushListeners connection, List<String> channels) {
        synchronized (lock) {
            if (!connection.isEnded()) {
                channels.forEach(channel -> listening
                        .computeIfAbsent(channel, first -> new LinkedHashSet<>())
                        .add(connection));
            }
        }
    }

    long publish(Push.Message message) {
        synchronized (lock) {
            Set<PushListeners> all = listening.getOrDefault(message.channel(), Set.of());
            all.forEach(connection -> connection.tell(message));
            return all.size();
        }
    }

    void leave(PushListeners connection) {
        synchronized (lock) {
            listening.values().removeIf(all -> all.remove(connection) && all.isEmpty());
        }
    }
}
