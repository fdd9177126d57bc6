// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The order of servers by proximity. Those in the client's zone come first. Within each group, faster servers come
 * first, with hysteresis: a server overtakes the one before it only if its round trip is shorter by a fifth and by a
 * tenth of a millisecond. Pure.
 */
record Ranking(List<Integer> order) {
    private static final int LEAST_PART = 5;

    /** The minimum gain in nanoseconds, about the delay of a late thread wake-up. */
    private static final long LEAST_GAIN_NANOS = 100_000;

    Ranking {
        order = List.copyOf(order);
    }

    record Server(boolean isInZone, long roundTripNanos) {
        private boolean passes(Server inFront) {
            if (isInZone != inFront.isInZone) {
                return isInZone;
            }
            long there = inFront.roundTripNanos;
            return roundTripNanos < there - there / LEAST_PART && roundTripNanos < there - LEAST_GAIN_NANOS;
        }
    }

    static Ranking of(int servers) {
        return new Ranking(IntStream.range(0, servers).boxed().toList());
    }

    Ranking next(List<Server> servers) {
        List<Integer> next = new ArrayList<>(order);
        boolean isSettled;
        do { // ends, as each swap moves a shorter round trip or the own zone forward
            isSettled = true;
            for (int i = 1; i < next.size(); i++) {
                if (servers.get(next.get(i)).passes(servers.get(next.get(i - 1)))) {
                    Collections.swap(next, i, i - 1);
                    isSettled = false;
                }
            }
        } while (!isSettled);
        return new Ranking(next);
    }
}
