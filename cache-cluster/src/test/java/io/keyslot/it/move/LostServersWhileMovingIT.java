// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.move.Migration;
import io.keyslot.cluster.move.PartitionLoss;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server dies, stands still, or never comes back at a named step of a move, while a client works. What a dead server had is lost;
 * nothing is stale, no read fails where there is something to load from, and the move ends.
 */
@Tag("thorough")
@SideBySide
class LostServersWhileMovingIT {
    private static final long STANDSTILL_MILLIS = 800;

    private final MovingServers servers = new MovingServers();
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        later.shutdownNow();
        threads.shutdownNow();
        servers.close();
    }

    /** Does something once, when a step is reached for the first time. */
    private static Consumer<String> at(String step, Runnable fault) {
        AtomicBoolean isDone = new AtomicBoolean();
        return now -> {
            if (now.equals(step) && isDone.compareAndSet(false, true)) {
                fault.run();
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "p1, p2 import",
        "p1, p1 FROZEN",
        "p1, map commit",
        "p1, after map commit",
        "p1, map settle",
        "p2, p2 import",
        "p2, p1 FROZEN",
        "p2, map commit",
        "p2, after map commit",
        "p2, map settle"
    })
    void serverThatBeginsAgainWithNothing_losesWhatItHad_andNothingElse(String name, String step) throws Exception {
        LocalServer server = servers.server(new PartitionId(name));
        servers.work();
        String move = servers.begin(MovingServers.FIRST, MovingServers.SECOND);

        Migration run = servers.run(move, "coordinator", at(step, () -> {
            servers.log().lose();
            server.restart();
        }));

        assertThat(run.run()).as(run.progress().toString()).isEqualTo(Migration.Outcome.FINISHED);
        assertThat(run.progress().lastTrouble()).isNotEmpty();
        servers.rest();
        servers.assertNothingIsLeft();
        assertThat(servers.owner()).isEqualTo(MovingServers.SECOND);
    }

    /** Somebody says {@code FLUSHALL}: connections stay, and fences and notes are gone with everything else. */
    @ParameterizedTest
    @CsvSource({
        "p1, map start",
        "p1, p2 import",
        "p1, p1 FROZEN",
        "p1, p1 CLOSED",
        "p1, map commit",
        "p1, after map commit",
        "p1, map settle",
        "p2, map start",
        "p2, p2 import",
        "p2, p1 FROZEN",
        "p2, p1 CLOSED",
        "p2, map commit",
        "p2, after map commit",
        "p2, map settle"
    })
    void serverThatForgetsEverything_losesWhatItHad_andNothingElse(String name, String step) throws Exception {
        LocalServer server = servers.server(new PartitionId(name));
        servers.work();
        String move = servers.begin(MovingServers.FIRST, MovingServers.SECOND);
        AtomicBoolean isReached = new AtomicBoolean();

        Migration run = servers.run(move, "coordinator", at(step, () -> {
            isReached.set(true);
            servers.log().lose();
            MovingServers.forgetEverything(server);
        }));

        assertThat(run.run()).as(run.progress().toString()).isEqualTo(Migration.Outcome.FINISHED);
        assertThat(isReached).isTrue();
        servers.rest();
        servers.assertNothingIsLeft();
        assertThat(servers.owner()).isEqualTo(MovingServers.SECOND);
    }

    @ParameterizedTest
    @CsvSource({
        "p1, p2 import",
        "p1, map commit",
        "p1, after map commit",
        "p2, p2 import",
        "p2, map commit",
        "p2, after map commit"
    })
    void serverThatStandsStill_losesNothing(String name, String step) throws Exception {
        LocalServer server = servers.server(new PartitionId(name));
        servers.work();
        String move = servers.begin(MovingServers.FIRST, MovingServers.SECOND);

        Migration run = servers.run(move, "coordinator", at(step, () -> {
            server.suspend();
            Future<?> unused = later.schedule(server::resume, STANDSTILL_MILLIS, TimeUnit.MILLISECONDS);
        }));

        assertThat(run.run()).as(run.progress().toString()).isEqualTo(Migration.Outcome.FINISHED);
        servers.rest();
        servers.assertNothingIsLeft();
        assertThat(servers.owner()).isEqualTo(MovingServers.SECOND);
    }

    @Test
    void sourceThatNeverComesBack_isDeclaredLost_andItsSlotsBeginWithNothing() throws Exception {
        servers.work();
        String move = servers.begin(MovingServers.FIRST, MovingServers.SECOND);
        LocalServer source = servers.server(MovingServers.FIRST);
        Migration run = servers.run(move, "coordinator", at("after map commit", () -> {
            servers.log().lose();
            source.suspend(); // as good as dead, and with all that it has
        }));
        Future<Migration.Outcome> outcome = threads.submit(run::run);
        awaitTrouble(run);

        PartitionLoss.Declared declared = new PartitionLoss(servers.maps(), servers::connector, MovingServers.TIME)
                .declare(MovingServers.FIRST, "lost-1", "operator");

        assertThat(declared.answers()).isFalse();
        assertThat(outcome.get(60, TimeUnit.SECONDS)).isEqualTo(Migration.Outcome.FINISHED);
        assertThat(servers.owner()).isEqualTo(MovingServers.SECOND);
        source.resume(); // it is there again, and nobody asks it
        servers.rest();
    }

    @ParameterizedTest
    @ValueSource(strings = {"p2 import", "p1 FROZEN"})
    void targetThatNeverComesBack_isDeclaredLost_andTheMoveIsGivenUp(String step) throws Exception {
        servers.work();
        String move = servers.begin(MovingServers.FIRST, MovingServers.SECOND);
        Migration run = servers.run(
                move,
                "coordinator",
                at(step, () -> servers.server(MovingServers.SECOND).kill()));
        Future<Migration.Outcome> outcome = threads.submit(run::run);
        awaitTrouble(run);
        servers.awaitWrites();

        PartitionLoss.Declared declared = new PartitionLoss(servers.maps(), servers::connector, MovingServers.TIME)
                .declare(MovingServers.SECOND, "lost-1", "operator");

        assertThat(declared.answers()).isFalse();
        assertThat(outcome.get(60, TimeUnit.SECONDS)).isEqualTo(Migration.Outcome.GIVEN_UP);
        servers.rest();
        assertThat(servers.failures()).isEmpty();
        assertThat(servers.owner()).isEqualTo(MovingServers.FIRST);
    }

    @Test
    void twoCoordinatorsAtOnce_oneOfThemEndsTheMove() throws Exception {
        servers.work();
        String move = servers.begin(MovingServers.FIRST, MovingServers.SECOND);
        CountDownLatch isAtWork = new CountDownLatch(1);
        Migration first = servers.run(move, "one", at("p2 import", isAtWork::countDown));
        Migration second = servers.run(move, "other", step -> {});

        Future<Migration.Outcome> outcome = threads.submit(first::run);
        assertThat(isAtWork.await(40, TimeUnit.SECONDS)).isTrue();

        assertThat(second.run()).as(second.progress().toString()).isEqualTo(Migration.Outcome.FINISHED);
        assertThat(outcome.get(40, TimeUnit.SECONDS)).isIn(Migration.Outcome.REPLACED, Migration.Outcome.FINISHED);
        servers.rest();
        assertThat(servers.failures()).isEmpty();
        servers.assertNothingIsLeft();
    }

    private static void awaitTrouble(Migration run) {
        await().atMost(Duration.ofSeconds(40))
                .until(() -> !run.progress().lastTrouble().isEmpty());
    }
}
