// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.redis.SentinelBallot.Named;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SentinelBallotTest {
    private static final Named ONE = new Named("one", 6379);
    private static final Named OTHER = new Named("other", 6379);

    private final SentinelBallot ballot = new SentinelBallot("shop", 3);

    @Test
    void oneThatDoesNotKnowTheName_isNoVoteAgainstWhoDoes() {
        ballot.add("a", SentinelBallot.UNKNOWN);
        ballot.add("b", SentinelBallot.UNKNOWN);
        ballot.add("c", ONE);

        assertThat(ballot.winner()).contains(ONE);
    }

    @Test
    void twoAddresses_areADispute_whichTheFirstAnswerDecides() {
        ballot.add("a", OTHER);
        ballot.add("b", ONE);

        assertThat(ballot.isDisputed()).isTrue();
        assertThat(ballot.winner()).contains(OTHER);
    }

    /** Whatever they say in whatever order: the winner has as many votes as anybody, and a majority wins. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void winner_isWhoMostHaveNamed(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            int sentinels = 1 + random.nextInt(7);
            SentinelBallot many = new SentinelBallot("shop", sentinels);
            Map<Object, Integer> votes = new HashMap<>();
            boolean isDecided = false;
            for (int i = 0; i < sentinels && !isDecided; i++) {
                List<Object> sayings = new ArrayList<>(List.of(ONE, OTHER, SentinelBallot.UNKNOWN, "silent"));
                Object said = sayings.get(random.nextInt(sayings.size()));
                isDecided = many.add("s" + i, said);
                votes.merge(said, 1, Integer::sum);
            }
            int most = Math.max(votes.getOrDefault(ONE, 0), votes.getOrDefault(OTHER, 0));

            assertThat(isDecided).isTrue();
            assertThat(many.winner().isPresent()).isEqualTo(most > 0);
            many.winner().ifPresent(named -> assertThat(votes.get(named)).isEqualTo(most));
        }
    }
}
