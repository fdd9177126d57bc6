// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Decides whether to log once more about a subject: at most once a minute for each. Safe for use by several threads. */
public final class LogPace {
    public static final Duration INTERVAL = Duration.ofMinutes(1);

    /** More than these are forgotten, the oldest first: their next line comes early. */
    static final int MOST_SUBJECTS = 16;

    private final Ticker ticker;
    private final Map<String, Long> lastLogged = new LinkedHashMap<>();

    public LogPace(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Returns whether to log now, and takes note of it. */
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
