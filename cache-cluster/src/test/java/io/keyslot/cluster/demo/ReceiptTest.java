// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReceiptTest {
    private static final Receipt RECEIPT = new Receipt(99, 371, List.of(7, 7, 8));

    @Test
    void keys_ofLinesWithTheSameProduct_differ() {
        assertThat(RECEIPT.keys())
                .containsExactly(new SaleKey(99, 371, 0), new SaleKey(99, 371, 1), new SaleKey(99, 371, 2));
    }
}
