// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of one connection, until it is lost. Thread-safe. Pushes are delivered one after the other; the last
 * one reports the loss of the connection.
 */
public final class PushListeners {
    private static final Logger LOG = LoggerFactory.getLogger(PushListeners.class);

    private final Object lock = new Object();
    private volatile List<PushListener> listeners = List.of(); // written under lock
    private volatile boolean ended; // written under lock

    /** Held during delivery. A listener sends nothing, and so waits for no other lock. */
    private final Object telling = new Object();

    /** Adds a listener. If the connection is already lost, the listener receives that at once. */
    public void add(PushListener listener) {
        synchronized (lock) {
            if (!ended) {
                List<PushListener> more = new ArrayList<>(listeners);
                more.add(listener);
                listeners = List.copyOf(more);
                return;
            }
        }
        publish(listener, new Push.AllInvalidated("the connection was lost before", true));
    }

    public void publish(Push push) {
        synchronized (telling) {
            listeners.forEach(listener -> publish(listener, push));
        }
    }

    /** Reports the loss of the connection to all listeners. Idempotent. */
    public void end(String reason) {
        List<PushListener> all;
        synchronized (lock) {
            ended = true;
            all = listeners;
            listeners = List.of();
        }
        synchronized (telling) {
            all.forEach(listener -> publish(listener, new Push.AllInvalidated(reason, true)));
        }
    }

    public boolean isEnded() {
        return ended;
    }

    private static void publish(PushListener listener, Push push) {
        try {
            listener.pushed(push);
        } catch (RuntimeException e) {
            LOG.error("A listener failed to hear what a partition said; it may go on with what is old", e);
        }
    }
}
