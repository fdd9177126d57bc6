// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualTicker;
import io.keyslot.client.health.LoggedLines;
import io.keyslot.client.writing.ChangeQueue.Settled;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FlushLogTest {
    private final Exception failure = new IllegalStateException("secret", new IOException("the row of Ada"));
    private static final Settled<String> RETRIED = new Settled<>(0, 2, 0, Set.of());
    private static final Settled<String> DROPPED = new Settled<>(0, 0, 3, Set.of());

    private final ManualTicker ticker = new ManualTicker();
    private final LoggedLines lines = new LoggedLines();
    private final FlushLog log = new FlushLog(lines, "customer", ticker);

    @Test
    void failures_areAWarningAMinute_withoutWhatTheWriterSays() {
        log.failed(RETRIED, failure, 7);
        log.failed(RETRIED, failure, 8);
        ticker.advance(Duration.ofMinutes(1));
        log.failed(RETRIED, failure, 9);

        assertThat(linesFrom("WARN"))
                .containsExactly(
                        "WARN Cache customer: the writer failed with java.lang.IllegalStateException, caused by"
                                + " java.io.IOException; 7 changes wait, and are written again later",
                        "WARN Cache customer: the writer failed with java.lang.IllegalStateException, caused by"
                                + " java.io.IOException; 9 changes wait, and are written again later");
    }

    @Test
    void droppedChanges_areAnErrorAtOnce_andThenOneForAllOfARun() {
        log.failed(DROPPED, failure, 0);
        log.failed(DROPPED, failure, 0);
        log.failed(DROPPED, failure, 0);
        log.reportDropped();
        log.reportDropped();

        assertThat(linesFrom("ERROR"))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .endsWith("the last time with java.lang.IllegalStateException, caused by java.io.IOException"));
        assertThat(linesFrom("ERROR").get(0)).startsWith("ERROR Cache customer: 3 changes are lost");
        assertThat(linesFrom("ERROR").get(1)).startsWith("ERROR Cache customer: 6 changes are lost");
    }

    @Test
    void whatIsLostAtClose_isAnErrorWithItsCount() {
        log.lostAtClose(5);
        assertThat(lines.logged())
                .containsExactly("ERROR Cache customer: closed with 5 changes that were not written within"
                        + " writeBehind.closeWait; they are lost");
    }

    private List<String> linesFrom(String level) {
        return lines.logged().stream().filter(line -> line.startsWith(level)).toList();
    }
}
