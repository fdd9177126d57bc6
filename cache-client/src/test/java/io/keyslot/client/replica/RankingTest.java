// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.replica.Ranking.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RankingTest {
    private static final long MILLI = 1_000_000;
    private static final int SEEDS = 2_000;

    private static Server near(double millis) {
        return new Server(true, (long) (millis * MILLI));
    }

    private static Server far(double millis) {
        return new Server(false, (long) (millis * MILLI));
    }

    @Test
    void ownZone_comesFirst_howeverLongItTakes() {
        Ranking ranking = Ranking.of(3).next(List.of(far(0.2), near(5), near(2)));

        assertThat(ranking.order()).containsExactly(2, 1, 0);
    }

    @Test
    void measuresThatVaryByATenth_neverChangeAnOrder_andThoseOfAnotherSizeDo() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            double[] millis = random.doubles(4, 0.2, 20).toArray();
            boolean[] isNear = {random.nextBoolean(), random.nextBoolean(), random.nextBoolean(), random.nextBoolean()};
            Ranking settled = Ranking.of(4).next(servers(millis, isNear));
            Ranking noisy = settled;
            for (int round = 0; round < 50; round++) {
                double[] varied = IntStream.range(0, 4)
                        .mapToDouble(i -> millis[i] * (0.95 + random.nextDouble() / 10))
                        .toArray();
                noisy = noisy.next(servers(varied, isNear));
            }
            int nearest = random.nextInt(4);
            double[] moved = millis.clone();
            moved[nearest] = 0.01;

            assertThat(changes(settled, noisy, millis, isNear))
                    .as("seed %d", seed)
                    .isZero();
            assertThat(firstOfZone(settled.next(servers(moved, isNear)), isNear, isNear[nearest]))
                    .as("seed %d", seed)
                    .isEqualTo(nearest);
        }
    }

    /** Counts the pairs that have changed places although one is not nearer than the other by far. */
    private static long changes(Ranking one, Ranking other, double[] millis, boolean[] isNear) {
        return IntStream.range(0, 4)
                .flatMap(a -> IntStream.range(a + 1, 4)
                        .filter(b -> isNear[a] == isNear[b] && Math.abs(millis[a] - millis[b]) < 0.08 * millis[a])
                        .filter(b -> one.order().indexOf(a) < one.order().indexOf(b)
                                != other.order().indexOf(a) < other.order().indexOf(b)))
                .count();
    }

    private static int firstOfZone(Ranking ranking, boolean[] isNear, boolean wanted) {
        return ranking.order().stream()
                .filter(server -> isNear[server] == wanted)
                .findFirst()
                .orElseThrow();
    }

    private static List<Server> servers(double[] millis, boolean[] isNear) {
        List<Server> servers = new ArrayList<>();
        for (int i = 0; i < millis.length; i++) {
            servers.add(isNear[i] ? near(millis[i]) : far(millis[i]));
        }
        return servers;
    }
}
