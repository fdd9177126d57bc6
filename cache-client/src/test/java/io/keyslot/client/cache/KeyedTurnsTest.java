// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.cache.KeyedTurns.Turn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KeyedTurnsTest {
    private static final int SCHEDULES = 200;
    private static final int STEPS = 200;
    private static final int KEYS = 6;

    private final KeyedTurns<String> turns = new KeyedTurns<>();

    static LongStream seeds() {
        return LongStream.range(0, SCHEDULES);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anyCalls_areOneAtATimeForEachKey_inTheOrderInWhichTheyCame_andAllGetTheirs(long seed) {
        Random random = new Random(seed);
        List<Turn<String>> open = new ArrayList<>(); // in the order in which they came
        for (int step = 0; step < STEPS; step++) {
            if (open.isEmpty() || random.nextInt(5) < 2) {
                open.add(turns.ask(someKeys(random)));
            } else {
                endOrWithdraw(open.remove(random.nextInt(open.size())));
            }
            assertThat(underWay(open)).as("seed %d", seed).isEqualTo(firstOfAllTheirKeys(open));
        }
        while (!open.isEmpty()) {
            assertThat(open.get(0).isUnderWay()).as("seed %d", seed).isTrue();
            turns.end(open.remove(0));
        }
        assertThat(turns.size()).isZero();
    }

    private static Collection<String> someKeys(Random random) {
        Set<String> keys = new HashSet<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            keys.add("k" + random.nextInt(KEYS));
        }
        return keys;
    }

    private void endOrWithdraw(Turn<String> turn) {
        if (turn.isUnderWay()) {
            turns.end(turn);
        } else {
            assertThat(turns.withdraw(turn)).isFalse();
        }
    }

    private static List<Turn<String>> underWay(List<Turn<String>> open) {
        return open.stream().filter(Turn::isUnderWay).toList();
    }

    private static List<Turn<String>> firstOfAllTheirKeys(List<Turn<String>> open) {
        Set<String> taken = new HashSet<>();
        List<Turn<String>> first = new ArrayList<>();
        for (Turn<String> turn : open) {
            if (turn.keys().stream().noneMatch(taken::contains)) {
                first.add(turn);
            }
            taken.addAll(turn.keys());
        }
        return first;
    }
}
