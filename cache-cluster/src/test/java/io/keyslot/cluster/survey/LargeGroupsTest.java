// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.survey;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against sums of everything: nothing large is left out, and no sum is wrong by more than it says. */
class LargeGroupsTest {
    private static final int ROOM = 100;

    @Test
    void fewGroups_areSummedExactly() {
        LargeGroups groups = new LargeGroups(ROOM);
        for (int i = 0; i < 3 * ROOM; i++) {
            groups.add("customer:" + i % 150, i % 150, i);
        }

        assertThat(groups.forgotten()).isZero();
        assertThat(groups.largerThan(0)).hasSize(150).allMatch(group -> group.error() == 0 && group.keys() == 2);
        assertThat(groups.largerThan(298 + 148).get(0)).isEqualTo(new SeenGroup("customer:149", 149, 2, 448, 0));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void ofManyGroups_noneThatIsLargerThanWhatWasForgotten_isMissing(long seed) {
        Random random = new Random(seed);
        LargeGroups groups = new LargeGroups(ROOM);
        Map<String, Long> exact = new HashMap<>();
        long total = 0;
        for (int i = 0; i < 100_000; i++) {
            boolean isOfLarge = random.nextInt(4) == 0;
            String root = isOfLarge ? "large:" + random.nextInt(20) : "small:" + random.nextInt(20_000);
            long bytes = 50L + random.nextInt(1_000);
            total += bytes;
            exact.merge(root, bytes, Long::sum);
            groups.add(root, 0, bytes);
        }

        List<SeenGroup> all = groups.largerThan(0);
        assertThat(all).hasSizeLessThan(2 * ROOM);
        assertThat(all)
                .allSatisfy(group ->
                        assertThat(exact.get(group.root())).isBetween(group.bytes(), group.bytes() + group.error()));
        assertThat(all)
                .extracting(SeenGroup::root)
                .containsAll(exact.entrySet().stream()
                        .filter(group -> group.getValue() > groups.forgotten())
                        .map(Map.Entry::getKey)
                        .toList());
        assertThat(groups.forgotten()).isLessThan(2 * total / ROOM);
        assertThat(all.subList(0, 20)).allMatch(group -> group.root().startsWith("large:"));
    }

    /** A group that was forgotten may have been as large as that. */
    @Test
    void groupThatComesBack_saysItsError() {
        LargeGroups groups = new LargeGroups(2);
        for (String root : List.of("a", "b", "c", "d")) {
            groups.add(root, 1, 10);
        }
        assertThat(groups.forgotten()).isEqualTo(10);

        groups.add("a", 1, 5);

        assertThat(groups.largerThan(14)).containsExactly(new SeenGroup("a", 1, 1, 5, 10));
        assertThat(groups.largerThan(15)).isEmpty();
    }
}
