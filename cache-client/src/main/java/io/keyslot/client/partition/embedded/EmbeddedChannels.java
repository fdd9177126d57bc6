// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushListeners;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who listens to which channel, in one life of a partition. One message is told after the other, to everybody, before the next
 * one is. Safe for use by several threads.
 */
final class EmbeddedChannels {
    private final Object lock = new Object();
    private final Map<String, Set<PushListeners>> listening = new HashMap<>(); // guarded by lock

    /** Lets a connection hear what is published, until it leaves. One that is lost hears nothing any more. */
    void subscribe(PushListeners connection, List<String> channels) {
        synchronized (lock) {
            if (!connection.isEnded()) {
                channels.forEach(channel -> listening
                        .computeIfAbsent(channel, first -> new LinkedHashSet<>())
                        .add(connection));
            }
        }
    }

    /** Tells everybody who listens; returns how many there are. */
    long publish(Push.Message message) {
        synchronized (lock) {
            Set<PushListeners> all = listening.getOrDefault(message.channel(), Set.of());
            all.forEach(connection -> connection.tell(message));
            return all.size();
        }
    }

    /** Forgets a connection that is lost. */
    void leave(PushListeners connection) {
        synchronized (lock) {
            listening.values().removeIf(all -> all.remove(connection) && all.isEmpty());
        }
    }
}
