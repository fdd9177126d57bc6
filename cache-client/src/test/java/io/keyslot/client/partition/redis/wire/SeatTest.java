// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SeatTest {
    private static final int VISITORS = 3;
    private static final int VISITS = 20_000;

    private final Seat seat = new Seat();
    private final Thread self = Thread.currentThread();

    /** Guarded by the seat alone. */
    private long turns;

    @Test
    void takenSeat_isOfOneThreadAndNotLent() {
        assertThat(seat.take(self)).isTrue();

        assertThat(seat.isOf(self)).isTrue();
        assertThat(seat.isFree()).isFalse();
        assertThat(seat.take(new Thread())).isFalse();
        assertThat(seat.visit(new Thread())).isFalse();
    }

    @Test
    void lentSeat_isOfItsVisitor_andNobodyElseDrives() {
        Thread visitor = new Thread();
        seat.take(self);
        seat.lend();

        assertThat(seat.isOf(self)).isFalse();
        assertThat(seat.isFree()).isFalse();
        assertThat(seat.take(visitor)).isFalse();
        assertThat(seat.visit(visitor)).isTrue();
        assertThat(seat.isOf(visitor)).isTrue();
        assertThat(seat.isVisited()).isTrue();
        assertThat(seat.visit(new Thread())).isFalse();
    }

    @Test
    void visitIsOver_driverHasItsSeatBack() {
        seat.take(self);
        seat.lend();
        seat.visit(new Thread());
        seat.endVisit();

        seat.takeBack(self);

        assertThat(seat.isOf(self)).isTrue();
        assertThat(seat.isVisited()).isFalse();
        assertThat(seat.visit(new Thread())).isFalse();
    }

    @Test
    void freeSeat_isNotVisited() {
        assertThat(seat.visit(self)).isFalse();
        assertThat(seat.isFree()).isTrue();
    }

    /** What is changed with the seat only is never changed by two, nor lost to one who comes later. */
    @Test
    void driverAndVisitors_takeTurns() throws Exception {
        ExecutorService visitors = Executors.newFixedThreadPool(VISITORS);
        List<Future<?>> visiting = new ArrayList<>();
        long driven = 0;
        seat.take(self);
        for (int i = 0; i < VISITORS; i++) {
            visiting.add(visitors.submit(() -> {
                for (int visit = 0; visit < VISITS; ) {
                    if (seat.visit(Thread.currentThread())) {
                        turns++;
                        visit++;
                        seat.endVisit();
                    } else {
                        Thread.onSpinWait();
                    }
                }
            }));
        }

        while (visiting.stream().anyMatch(future -> !future.isDone())) {
            seat.lend();
            Thread.onSpinWait();
            seat.takeBack(self);
            turns++;
            driven++;
        }

        visitors.shutdown();
        assertThat(turns).isEqualTo(driven + (long) VISITORS * VISITS);
    }
}
