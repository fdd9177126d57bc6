// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotSetTest {
    @Test
    void text_isReadAgain_sortedAndJoined() {
        SlotSet set = SlotSet.parse("6000,10-19,0-9,65535");

        assertThat(set).hasToString("0-19,6000,65535");
        assertThat(SlotSet.parse(set.toString())).isEqualTo(set).hasSameHashCodeAs(set);
        assertThat(set.size()).isEqualTo(22);
        assertThat(set.ranges())
                .containsExactly(new SlotRange(0, 19), new SlotRange(6000, 6000), new SlotRange(65_535, 65_535));
        assertThat(SlotSet.parse("")).isEqualTo(SlotSet.none()).hasToString("");
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "1,", "1,,2", "a", "2-1", "65536"})
    void textThatIsNoSet_isRejected(String text) {
        assertThatThrownBy(() -> SlotSet.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void slotOutsideOfTheSpace_isRejected() {
        assertThatThrownBy(() -> SlotSet.of(SlotRange.END)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SlotSet.of(IntStream.of(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ends_areThoseOfTheOrder() {
        SlotSet set = SlotSet.parse("1-3,7");

        assertThat(set.lowest(2)).hasToString("1-2");
        assertThat(set.highest(2)).hasToString("3,7");
        assertThat(set.lowest(9)).isEqualTo(set);
        assertThat(set.highest(9)).isEqualTo(set);
    }

    /** Against sets of numbers. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void operations_areThoseOfSets(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            Set<Integer> left = numbers(random);
            Set<Integer> right = numbers(random);
            SlotSet a = set(left);
            SlotSet b = set(right);

            assertThat(numbers(a.plus(b))).isEqualTo(with(left, right));
            assertThat(numbers(a.minus(b))).isEqualTo(without(left, right));
            assertThat(numbers(a.and(b))).isEqualTo(without(left, without(left, right)));
            assertThat(a.intersects(b)).isEqualTo(left.stream().anyMatch(right::contains));
            assertThat(a.containsAll(b)).isEqualTo(left.containsAll(right));
            assertThat(a.contains(3)).isEqualTo(left.contains(3));
            assertThat(a.isEmpty()).isEqualTo(left.isEmpty());
            assertThat(SlotSet.of(a.ranges())).isEqualTo(a);
        }
    }

    private static Set<Integer> numbers(Random random) {
        return random.ints(random.nextInt(12), 0, 16).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    private static SlotSet set(Set<Integer> numbers) {
        return SlotSet.of(numbers.stream().mapToInt(Integer::intValue));
    }

    private static Set<Integer> numbers(SlotSet set) {
        return set.stream().boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<Integer> with(Set<Integer> left, Set<Integer> right) {
        Set<Integer> sum = new TreeSet<>(left);
        sum.addAll(right);
        return sum;
    }

    private static Set<Integer> without(Set<Integer> left, Set<Integer> right) {
        Set<Integer> rest = new TreeSet<>(left);
        rest.removeAll(right);
        return rest;
    }
}
