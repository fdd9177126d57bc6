// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.cache.ListedEntries.StoredEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import javax.cache.Cache;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class TopEntriesTest {
    private static final Comparator<Cache.Entry<String, Integer>> BY_VALUE =
            Comparator.comparing(Cache.Entry::getValue);

    private static StoredEntry<String, Integer> entry(String key, int value) {
        return new StoredEntry<>(key, value, "n:" + key, 0, 1);
    }

    @RepeatedTest(50)
    void entriesInAnyOrder_leaveTheFirstOnes(RepetitionInfo repetition) {
        int seed = repetition.getCurrentRepetition();
        Random random = new Random(seed);
        int limit = 1 + random.nextInt(20);
        TopEntries<String, Integer> top = new TopEntries<>(limit, BY_VALUE);
        List<Integer> all = new ArrayList<>();
        for (int i = random.nextInt(60); i > 0; i--) {
            int value = random.nextInt(30);
            all.add(value);
            top.add(entry("k" + i, value));
        }

        List<Integer> kept =
                top.toList().stream().map(StoredEntry::value).sorted().toList();

        assertThat(kept)
                .as("seed %d", seed)
                .isEqualTo(all.stream().sorted().limit(limit).toList());
        assertThat(top.isTruncated()).as("seed %d", seed).isEqualTo(all.size() > limit);
    }

    @Test
    void entryThatIsKept_isKnown() {
        TopEntries<String, Integer> top = new TopEntries<>(1, BY_VALUE);
        top.add(entry("late", 2));
        top.add(entry("early", 1));

        assertThat(top.has("n:early")).isTrue();
        assertThat(top.has("n:late")).isFalse();
    }

    @Test
    void entryThatWasDroppedAndComesAgain_isDroppedAgain() {
        TopEntries<String, Integer> top = new TopEntries<>(1, BY_VALUE);
        top.add(entry("a", 1));
        top.add(entry("b", 1));
        top.add(entry("b", 1));

        assertThat(top.toList()).containsExactly(entry("a", 1));
    }

    @Test
    void withoutAnOrder_theFirstThatComeStay() {
        TopEntries<String, Integer> top = new TopEntries<>(2, null);
        top.add(entry("a", 3));
        top.add(entry("b", 2));
        top.add(entry("c", 1));

        assertThat(top.toList()).extracting(StoredEntry::key).containsExactly("a", "b");
        assertThat(top.isTruncated()).isTrue();
    }
}
