// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** An answer of which one place is not as it should be: an element that is missing, or is nothing, or is of another kind. */
final class TornAnswer {
    private final Random random;

    TornAnswer(Random random) {
        this.random = random;
    }

    /** Returns another list, as the client gets it. Only what was there is taken away: nothing else is told instead. */
    List<Object> of(List<?> answer) {
        List<Object> torn = new ArrayList<>(answer);
        if (torn.isEmpty()) {
            return torn;
        }
        int place = random.nextInt(torn.size());
        Object found = torn.get(place);
        if (found instanceof List<?> list && !list.isEmpty() && random.nextInt(5) > 0) {
            torn.set(place, of(list));
            return torn;
        }
        switch (random.nextInt(4)) {
            case 0 -> torn.remove(place);
            case 1 -> torn.set(place, null);
            case 2 -> torn.subList(place, torn.size()).clear();
            default -> torn.set(place, found instanceof byte[] ? Long.valueOf(7) : List.of());
        }
        return torn;
    }
}
