// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.invalidation;

import io.keyslot.cache.event.EventGap;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The gaps to publish, at most one for each reason. Thread-safe. */
final class PendingGaps {
    private final Map<EventGap.Reason, EventGap> pending = new EnumMap<>(EventGap.Reason.class);

    synchronized void add(EventGap gap) {
        pending.merge(gap.reason(), gap, EventGap::and);
    }

    synchronized List<EventGap> take() {
        List<EventGap> taken = List.copyOf(pending.values());
        pending.clear();
        return taken;
    }

    synchronized boolean isEmpty() {
        return pending.isEmpty();
    }
}
