// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualTicker;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionLogTest {
    private final ManualTicker ticker = new ManualTicker();
    private final LoggedLines lines = new LoggedLines();
    private final PartitionLog log =
            new PartitionLog(lines, new PartitionId("p2"), "host:6379", ticker, Telemetry.NONE);
    private final Exception cause = new Exception("refused");

    @Test
    void missing_isOneWarningForAnOutage_andThenOneAMinuteWhateverTheReason() {
        log.missing("reset", null);
        log.missing("refused", cause);
        log.missing("refused", cause);
        ticker.advance(Duration.ofMinutes(1));
        log.missing("refused", cause);
        log.missing("not a primary", null);

        assertThat(warnings())
                .containsExactly(
                        "WARN Partition p2 at host:6379 is missing: reset",
                        "WARN Partition p2 at host:6379 is missing: refused");
    }

    @Test
    void missing_isOneLineWithoutATrace_whichEachAttemptLeavesAtDebug() {
        log.missing("refused", cause);
        log.missing("refused", cause);

        assertThat(lines.logged())
                .containsExactly(
                        "WARN Partition p2 at host:6379 is missing: refused",
                        "DEBUG Partition p2 at host:6379: an attempt failed",
                        "DEBUG Partition p2 at host:6379: an attempt failed");
        assertThat(lines.causes()).containsExactly(null, cause, cause);
    }

    private List<String> warnings() {
        return lines.logged().stream().filter(line -> !line.startsWith("DEBUG")).toList();
    }

    @Test
    void overflow_isSaidOnceAMinute() {
        log.overflowed();
        log.overflowed();

        assertThat(lines.logged())
                .containsExactly("WARN Partition p2 at host:6379: more than 10000 deletions wait;"
                        + " instead, everything that it has stored is given up");
    }
}
