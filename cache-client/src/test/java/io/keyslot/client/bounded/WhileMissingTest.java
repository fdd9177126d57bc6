// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.bounded;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.ReplicaCommand.Beat;
import io.keyslot.client.partition.ReplicaCommand.Behind;
import io.keyslot.client.partition.ReplicaCommand.Kept;
import io.keyslot.client.partition.ReplicaCommand.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WhileMissingTest {
    private static final String LIFE = "00000000000000aa";
    private static final int EPOCH = 7;
    private static final long MAP = 3;
    private static final int SEEDS = 400;

    private static Behind behind(@Nullable Beat beat, @Nullable Standing standing) {
        return new Behind(Optional.ofNullable(beat), List.of(), Optional.ofNullable(standing));
    }

    @Test
    void replicaOfTheLifeThatIsKnown_isServed() {
        assertThat(WhileMissing.isServed(behind(new Beat(LIFE, 1), new Standing(true, LIFE)), EPOCH, EPOCH, false))
                .isTrue();
    }

    @Test
    void whatIsNotKnown_isNotServed() {
        Beat beat = new Beat(LIFE, 1);

        assertThat(WhileMissing.isServed(behind(beat, null), EPOCH, EPOCH, false))
                .as("it does not say whom it follows")
                .isFalse();
        assertThat(WhileMissing.isServed(behind(null, new Standing(true, LIFE)), EPOCH, EPOCH, false))
                .as("it has no beat")
                .isFalse();
        assertThat(WhileMissing.isServed(behind(beat, new Standing(true, "")), EPOCH, EPOCH, false))
                .as("it has recorded no life that is open")
                .isFalse();
    }

    /** What the rule rests on; each one that is removed is found out. */
    enum Guard {
        NONE_REMOVED,
        IS_A_REPLICA,
        RECORDED_LIFE,
        LAST_KNOWN_LIFE,
        EVERYTHING_OWED,
        STATED_AGE,
        OWN_WRITES
    }

    @ParameterizedTest
    @EnumSource
    void simulatedOutages_serveNothingOfAnotherLife_orOlderThanStated_unlessAGuardIsRemoved(Guard removed) {
        int served = 0;
        int broken = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Simulation simulation = new Simulation(new Random(seed), removed);
            simulation.run();
            served += simulation.served;
            broken += simulation.broken;
        }

        assertThat(served).as("reads that were served").isGreaterThan(SEEDS);
        assertThat(broken > 0).as("%d reads were broken", broken).isEqualTo(removed != Guard.NONE_REMOVED);
    }

    /**
     * What a server has been told, in its order. A write has a version; versions grow with time over all servers.
     *
     * @param kind W a write, B a beat, L a life
     */
    private record Step(char kind, int life, long number) {}

    /** What a server has: a fold over its log. */
    private static final class Server {
        private final List<Step> log = new ArrayList<>();
        private boolean isAlive = true;
        private boolean isReplica;
        private int taken; // of the log of whom it follows
        private int resync; // how often whom it follows was emptied

        int life() {
            return last('L') == null ? 0 : last('L').life();
        }

        @Nullable
        Step last(char kind) {
            for (int i = log.size() - 1; i >= 0; i--) {
                if (log.get(i).kind() == kind) {
                    return log.get(i);
                }
            }
            return null;
        }
    }

    /** A primary that dies, comes back and is replaced, a replica that is behind by chance, and a client. A turn is a unit of time. */
    private static final class Simulation {
        private static final int TURNS = 1_500;
        private static final int BOUND = 200;

        private final Random random;
        private final Guard removed;
        private final BeatTimes times = new BeatTimes();
        private final Server primary = new Server();
        private final Server replica = new Server();
        private final List<Long> written = new ArrayList<>(List.of(0L)); // when each version was
        private long ownWrite = -1;
        private int lives = 1;
        private int emptied;
        private long beat;
        private int knownLife = 1;
        private int linkLife; // of the entries that the client reads at the replica
        private boolean isReached = true;
        private boolean owesEverything;
        private int served;
        private int broken;

        Simulation(Random random, Guard removed) {
            this.random = random;
            this.removed = removed;
            primary.log.add(new Step('L', 1, 0));
            replica.isReplica = true;
        }

        private boolean chance(int oneIn) {
            return random.nextInt(oneIn) == 0;
        }

        void run() {
            for (int now = 1; now < TURNS; now++) {
                change(now);
                replicate();
                if (primary.isAlive && isReached) {
                    reach(now);
                } else if (chance(2)) {
                    read(now);
                }
            }
        }

        private void change(int now) {
            if (primary.isAlive && chance(3)) {
                write(primary, now);
            }
            if (chance(primary.isAlive ? 120 : 60)) {
                primary.isAlive = !primary.isAlive;
                if (primary.isAlive) {
                    restart();
                }
            }
            if (chance(100)) {
                isReached = !isReached;
            }
            if (chance(300)) {
                replica.isReplica = !replica.isReplica;
                if (replica.isReplica) {
                    replica.taken = -1; // of the same log as before, or of none: it does not go on by itself
                } else if (chance(2)) {
                    replica.log.add(new Step('L', ++lives, 0));
                }
            }
            if (!replica.isReplica && chance(4)) {
                write(replica, now);
            }
            if (!isReached && chance(200)) {
                owesEverything = true;
            }
        }

        private void write(Server server, int now) {
            server.log.add(new Step('W', server.life(), written.size()));
            written.add((long) now);
        }

        private void restart() {
            if (chance(2)) {
                primary.log.clear();
                emptied++;
            }
            primary.log.add(new Step('L', ++lives, 0));
        }

        private void replicate() {
            if (!replica.isReplica || !primary.isAlive || replica.taken < 0) {
                if (replica.isReplica && primary.isAlive && chance(80)) {
                    replica.log.clear();
                    replica.taken = 0;
                    replica.resync = emptied;
                }
                return;
            }
            if (replica.resync != emptied) {
                replica.taken = -1;
            } else if (chance(4)) {
                int next = replica.taken + random.nextInt(primary.log.size() - replica.taken + 1);
                replica.log.addAll(primary.log.subList(replica.taken, next));
                replica.taken = next;
            }
        }

        /** The client is told the life when it connects, and asks for a beat now and then. */
        private void reach(int now) {
            if (knownLife != primary.life()) {
                knownLife = primary.life();
                owesEverything = false;
                return;
            }
            if (owesEverything) {
                owesEverything = false;
                primary.log.add(new Step('L', ++lives, 0)); // all is given up: another life
                knownLife = lives;
                return;
            }
            if (chance(5)) {
                boolean isNew = random.nextBoolean() || primary.last('B') == null;
                if (isNew) {
                    primary.log.add(new Step('B', knownLife, ++beat));
                }
                Step newest = primary.last('B');
                if (newest != null && newest.life() == knownLife) {
                    times.kept(new Kept(beatOf(newest), knownLife, isNew), now, MAP);
                }
            } else if (chance(20)) {
                write(primary, now);
                ownWrite = written.size() - 1L;
            }
            if (chance(10) && replica.life() == knownLife) {
                linkLife = replica.life();
            }
        }

        private static Beat beatOf(Step step) {
            return new Beat("%016x".formatted(step.life()), step.number());
        }

        /** The replica goes on between the three parts of an answer. */
        private void read(int now) {
            Step seen = replica.last('B');
            replicate();
            Step value = replica.last('W');
            boolean wasReplica = replica.isReplica;
            int recorded = replica.life();
            if (seen == null || value == null || value.life() != linkLife) {
                return;
            }
            Beat told = beatOf(seen);
            OptionalLong time = times.notBefore(told, linkLife, MAP);
            boolean isOf = WhileMissing.isServed(
                    behind(
                            told,
                            new Standing(
                                    removed == Guard.IS_A_REPLICA || wasReplica,
                                    removed == Guard.RECORDED_LIFE ? told.life() : "%016x".formatted(recorded))),
                    linkLife,
                    removed == Guard.LAST_KNOWN_LIFE ? linkLife : knownLife,
                    removed != Guard.EVERYTHING_OWED && owesEverything);
            if (!isOf || time.isEmpty()) {
                return;
            }
            boolean isTooOld = now - time.getAsLong() > BOUND;
            boolean isBeforeOwn = ownWrite >= 0 && time.getAsLong() <= written.get((int) ownWrite);
            if ((removed != Guard.STATED_AGE && isTooOld) || (removed != Guard.OWN_WRITES && isBeforeOwn)) {
                return;
            }
            served++;
            boolean isOfOther = !wasReplica || recorded != value.life() || value.life() != knownLife || owesEverything;
            boolean isOlderThanStated = isTooOld || supersededBefore(value, time.getAsLong());
            boolean isWithoutOwn = value.number() < ownWrite;
            broken += isOfOther || isOlderThanStated || isWithoutOwn ? 1 : 0;
        }

        /** Returns whether the primary had a newer value of the same life before this time. */
        private boolean supersededBefore(Step value, long time) {
            return primary.log.stream()
                    .filter(step -> step.kind() == 'W' && step.life() == value.life() && step.number() > value.number())
                    .anyMatch(step -> written.get((int) step.number()) < time);
        }
    }
}
