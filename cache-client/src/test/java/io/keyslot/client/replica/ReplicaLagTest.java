// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.ReplicaCommand.Heartbeat;
import io.keyslot.client.partition.ReplicaCommand.Kept;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReplicaLagTest {
    private static final String INCARNATION = "00000000000000aa";
    private static final int EPOCH = 7;
    private static final long MAP = 3;
    private static final int SEEDS = 300;

    /** What the rule rests on; each one that is removed is found out. */
    enum Guard {
        NONE_REMOVED,
        OLD_HEARTBEAT_IS_TOLD_FROM_A_NEW_ONE,
        TIME_IS_TAKEN_BEFORE_THE_QUESTION
    }

    @ParameterizedTest
    @EnumSource
    void simulatedReplicas_haveEverythingBeforeTheTimeOfTheirHeartbeat_unlessAGuardIsRemoved(Guard removed) {
        int known = 0;
        int broken = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Simulation simulation = new Simulation(new Random(seed), removed);
            simulation.run();
            known += simulation.known;
            broken += simulation.broken;
        }

        assertThat(known).isGreaterThan(SEEDS * 100);
        assertThat(broken > 0).isEqualTo(removed != Guard.NONE_REMOVED);
    }

    /** A primary that several clients ask, and a replica that is behind by chance. One step is one unit of time. */
    private static final class Simulation {
        private final Random random;
        private final Guard removed;
        private final ReplicaLag times = new ReplicaLag();
        private final List<Long> log =
                new ArrayList<>(); // a beat is positive, a write the negative time of its execution
        private long heartbeat;
        private int applied;
        private long seen;
        private int known;
        private int broken;

        Simulation(Random random, Guard removed) {
            this.random = random;
            this.removed = removed;
        }

        void run() {
            long asked = 0;
            long executed = 0;
            long answered = 0;
            Kept answer = null;
            for (long now = 1; now < 2_000; now++) {
                if (random.nextInt(3) == 0) {
                    log.add(-now);
                }
                if (random.nextInt(20) == 0) {
                    log.add(++heartbeat); // another client's
                }
                if (now > answered) {
                    asked = now;
                    executed = now + random.nextInt(10);
                    answered = executed + random.nextInt(10);
                }
                if (now == executed) {
                    boolean isNew = random.nextBoolean();
                    if (isNew) {
                        log.add(++heartbeat);
                    }
                    answer = new Kept(new Heartbeat(INCARNATION, heartbeat), EPOCH, isNew);
                }
                if (now == answered && answer != null) {
                    boolean isNew = removed == Guard.OLD_HEARTBEAT_IS_TOLD_FROM_A_NEW_ONE || answer.isNew();
                    times.kept(
                            new Kept(answer.heartbeat(), EPOCH, isNew),
                            removed == Guard.TIME_IS_TAKEN_BEFORE_THE_QUESTION ? now : asked,
                            MAP);
                }
                if (random.nextInt(4) == 0) {
                    int until = applied + random.nextInt(log.size() - applied + 1);
                    seen = log.subList(applied, until).stream().reduce(seen, Math::max);
                    applied = until;
                }
                look();
            }
        }

        private void look() {
            OptionalLong time = times.notBefore(new Heartbeat(INCARNATION, seen), EPOCH, MAP);
            if (time.isPresent()) {
                known++;
                Optional<Long> lacking = log.subList(applied, log.size()).stream()
                        .filter(entry -> entry < 0)
                        .findFirst(); // the oldest one
                broken += lacking.isPresent() && -lacking.get() < time.getAsLong() ? 1 : 0;
            }
        }
    }
}
