// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualScheduler;
import io.keyslot.client.concurrent.ManualTicker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DotsTest {
    private final StringWriter written = new StringWriter();
    private final ManualScheduler scheduler = new ManualScheduler(new ManualTicker());

    private Dots dots() {
        Terminal terminal = new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(written), false, false);
        return new Dots(terminal, "Opening ", scheduler);
    }

    @Test
    void work_isADotEveryTwoSeconds_andALine() {
        try (Dots unused = dots()) {
            assertThat(written).hasToString("Opening ");
            scheduler.advance(Duration.ofSeconds(7));
            assertThat(written).hasToString("Opening ...");
        }
        assertThat(written).hasToString("Opening ..." + System.lineSeparator());
    }

    @Test
    void workThatIsOver_drawsNothingMore() {
        dots().close();
        scheduler.advance(Duration.ofSeconds(10));

        assertThat(written).hasToString("Opening " + System.lineSeparator());
    }
}
