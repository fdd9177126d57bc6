// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.large;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

class LargeWritesTest {
    private static final Reply<Boolean> STORED = Reply.done(true);
    private static final Reply<Boolean> LOST = Reply.unknown("no answer in time", null);
    private static final Reply<Boolean> FULL = Reply.refused(Refusal.NOT_WRITABLE, "OOM");
    private static final Reply<Boolean> INCOMPLETE = Reply.refused(Refusal.NOT_NOW, "TRYAGAIN");

    @Test
    void lastCommand_decides() {
        assertThat(LargeWrites.verdict(List.of(STORED, STORED, Reply.done(false))))
                .isEqualTo(Reply.done(false));
        assertThat(LargeWrites.verdict(List.of(STORED, LOST, STORED))).isEqualTo(STORED);
        assertThat(LargeWrites.verdict(List.of(STORED, FULL, LOST))).isEqualTo(LOST);
    }

    @Test
    void refusedPart_isWhyTheWholeIsRefused() {
        assertThat(LargeWrites.verdict(List.of(STORED, FULL, INCOMPLETE))).isEqualTo(FULL);
    }

    @Test
    void partsThatVanished_areWorthAnotherAttempt() {
        assertThat(LargeWrites.verdict(List.of(STORED, LOST, INCOMPLETE))).isEqualTo(INCOMPLETE);
    }
}
