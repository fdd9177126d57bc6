// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Limits log lines to one per minute and subject. Thread-safe. */
public final class LogPace {
    public static final Duration INTERVAL = Duration.ofMinutes(1);

    /** The maximum number of subjects remembered; the next line of a dropped one comes early. */
    static final int MOST_SUBJECTS = 16;

    private final Ticker ticker;
    private final Map<String, Long> lastLogged = new LinkedHashMap<>();

    public LogPace(Ticker ticker) {
        this.ticker = ticker;
    }

    public synchronized boolean permits(String subject) {
        long now = ticker.nanos();
        Long last = lastLogged.get(subject);
        if (last != null && now - last < INTERVAL.toNanos()) {
            return false;
        }
        lastLogged.remove(subject);
        lastLogged.put(subject, now);
        if (lastLogged.size() > MOST_SUBJECTS) {
            lastLogged.remove(lastLogged.keySet().iterator().next());
        }
        return true;
    }
}
