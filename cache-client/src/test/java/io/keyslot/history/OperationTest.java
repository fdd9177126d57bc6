// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OperationTest {
    @Test
    void line_isReadBackAsItWas() {
        Operation get = Histories.get("a-1", 7L, 100, 200);
        Operation miss = Histories.get("a-1", null, 100, 200);
        Operation replace = Histories.replace("b-2", 7, 8, false, 100, 200);
        Operation failed = Histories.with(Outcome.UNKNOWN, Histories.put("b-2", 9, 100, 200));

        assertThat(Operation.parse(get.toLine())).isEqualTo(get);
        assertThat(Operation.parse(miss.toLine())).isEqualTo(miss);
        assertThat(Operation.parse(replace.toLine())).isEqualTo(replace);
        assertThat(Operation.parse(failed.toLine())).isEqualTo(failed);
    }

    @Test
    void noteWithLineBreaks_staysOnOneLine() {
        Operation operation =
                new Operation("a-1", Action.GET, "k", null, null, Outcome.FAILED, null, 1, 2, "no answer\n\tfrom p2");

        assertThat(operation.toLine()).doesNotContain("\n");
        assertThat(Operation.parse(operation.toLine()).note()).isEqualTo("no answer from p2");
    }
}
