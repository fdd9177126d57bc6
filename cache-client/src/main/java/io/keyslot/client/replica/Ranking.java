// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * In which order servers are near. Those in the zone of this client come before all others. Within each of the two, who answers sooner
 * comes first, but an order stays until another one is better by far: a server passes the one in front of it if its round trip is
 * shorter by a fifth and by a tenth of a millisecond. So two that are about equally far do not change places all the time. Pure.
 *
 * @param order the numbers of the servers, the nearest first
 */
record Ranking(List<Integer> order) {
    /** A round trip that is not shorter by this part of it is as long. */
    private static final int LEAST_PART = 5;

    /** Nor is one that is not shorter by this: a thread that is waked late makes as much. */
    private static final long LEAST_GAIN_NANOS = 100_000;

    Ranking {
        order = List.copyOf(order);
    }

    /**
     * What is known of a server.
     *
     * @param isInZone whether it is in the zone of this client
     * @param roundTripNanos {@link Long#MAX_VALUE} if it has not answered yet
     */
    record Server(boolean isInZone, long roundTripNanos) {
        private boolean passes(Server inFront) {
            if (isInZone != inFront.isInZone) {
                return isInZone;
            }
            long there = inFront.roundTripNanos;
            return roundTripNanos < there - there / LEAST_PART && roundTripNanos < there - LEAST_GAIN_NANOS;
        }
    }

    /** Returns an order of so many servers of which nothing is known: as they are numbered. */
    static Ranking of(int servers) {
        return new Ranking(IntStream.range(0, servers).boxed().toList());
    }

    /** Returns the order that follows from this one, with what is known now. */
    Ranking next(List<Server> servers) {
        List<Integer> next = new ArrayList<>(order);
        boolean isSettled;
        do { // ends: each swap puts a shorter round trip, or the own zone, in front of a longer one, or another
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
