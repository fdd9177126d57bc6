// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.time.ManualTime;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CopyRepairsTest {
    private static final EncodedKey A = EncodedKey.of("rates:a");
    private static final EncodedKey B = EncodedKey.of("rates:b");
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final ManualTime time = new ManualTime(1);
    private final List<EncodedKey> attempts = new ArrayList<>();
    private final Set<EncodedKey> silent = new HashSet<>();
    private final Counting counts = new Counting();
    private final CopyRepairs repairs = new CopyRepairs("rates", time.timing(), counts, this::repair);

    private CompletableFuture<Boolean> repair(EncodedKey key) {
        attempts.add(key);
        return CompletableFuture.completedFuture(!silent.contains(key));
    }

    private static final class Counting implements CopyObserver {
        private int repaired;
        private int overflows;

        @Override
        public void onJournaled(PartitionId partition) {}

        @Override
        public void onRepaired() {
            repaired++;
        }

        @Override
        public void onOverflow() {
            overflows++;
        }
    }

    @Test
    void entryWhoseHomeAnswers_isRepairedOnce() {
        repairs.later(List.of(A));
        time.advance(LONGEST_PAUSE);
        time.advance(LONGEST_PAUSE);

        assertThat(attempts).containsExactly(A);
        assertThat(counts.repaired).isEqualTo(1);
        assertThat(repairs.size()).isZero();
    }

    @Test
    void entryWhoseHomeIsSilent_isTriedUntilItAnswers() {
        silent.add(A);
        repairs.later(List.of(A, B));
        time.advance(LONGEST_PAUSE);
        time.advance(LONGEST_PAUSE);
        assertThat(attempts).contains(B).filteredOn(A::equals).hasSizeGreaterThan(1);

        silent.clear();
        time.advance(LONGEST_PAUSE);

        assertThat(counts.repaired).isEqualTo(2);
        assertThat(repairs.size()).isZero();
    }

    @Test
    void silentEntries_doNotKeepOthersFromTheirTurn() {
        List<EncodedKey> many = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            many.add(EncodedKey.of("rates:" + i));
        }
        silent.addAll(many);
        repairs.later(many);
        repairs.later(List.of(A));
        for (int i = 0; i < 5; i++) {
            time.advance(LONGEST_PAUSE);
        }

        assertThat(counts.repaired).isEqualTo(1);
        assertThat(repairs.size()).isEqualTo(many.size());
    }

    @Test
    void moreThanTheBound_areCountedAndNotKept() {
        List<EncodedKey> most = new ArrayList<>();
        for (int i = 0; i < CopyRepairs.MOST_KEYS; i++) {
            most.add(EncodedKey.of("rates:" + i));
        }
        repairs.later(most);

        repairs.later(List.of(A));

        assertThat(counts.overflows).isEqualTo(1);
        assertThat(repairs.size()).isEqualTo(CopyRepairs.MOST_KEYS);
    }
}
