// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.RemoteSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A remote set is a set. */
public abstract class SetContract extends AggregateContract {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomOperations_answerAsThoseOfASet(long seed) {
        Random random = new Random(seed);
        RemoteSet<String> set = group.set("orders", String.class);
        Set<String> model = new HashSet<>();
        for (int step = 0; step < STEPS; step++) {
            operate(random, set, model, at(seed, step));
            assertThat(set.size()).as(at(seed, step)).isEqualTo(model.size());
            assertThat(set.exists()).as(at(seed, step)).isEqualTo(!model.isEmpty());
        }
        assertThat(set.toSet()).as(at(seed, STEPS)).isEqualTo(model);
    }

    private static void operate(Random random, RemoteSet<String> set, Set<String> model, String at) {
        String element = word(random);
        List<String> several = words(random);
        int before = model.size();
        switch (random.nextInt(6)) {
            case 0 -> assertThat(set.add(element)).as(at).isEqualTo(model.add(element));
            case 1 -> {
                model.addAll(several);
                assertThat(set.addAll(several)).as(at).isEqualTo(model.size() - before);
            }
            case 2 -> assertThat(set.remove(element)).as(at).isEqualTo(model.remove(element));
            case 3 -> {
                several.forEach(model::remove);
                assertThat(set.removeAll(several)).as(at).isEqualTo(before - model.size());
            }
            case 4 -> assertThat(set.contains(element)).as(at).isEqualTo(model.contains(element));
            default -> assertThat(set.toSet()).as(at).isEqualTo(model);
        }
    }

    @Test
    void enums_comeBack() {
        RemoteSet<TimeUnit> set = group.set("units", TimeUnit.class);

        set.addAll(List.of(TimeUnit.DAYS, TimeUnit.HOURS, TimeUnit.DAYS));

        assertThat(set.toSet()).containsExactlyInAnyOrder(TimeUnit.DAYS, TimeUnit.HOURS);
    }

    @Test
    void concurrentRemovals_succeedOnceForEachElement() {
        RemoteSet<Integer> set = group.set("tickets", Integer.class);
        for (int i = 0; i < 50; i++) {
            set.add(i);
        }

        AtomicInteger removed = new AtomicInteger();
        InParallel.run(4, thread -> {
            for (int i = 0; i < 50; i++) {
                if (set.remove(i)) {
                    removed.incrementAndGet();
                }
            }
        });

        assertThat(removed).hasValue(50);
        assertThat(set.exists()).isFalse();
    }
}
