// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlotRangeTest {
    @ParameterizedTest
    @CsvSource({
        "0-5460, 0, 5460",
        "16383, 16383, 16383",
        "' 7 - 9 ', 7, 9",
        "0-16383, 0, 16383",
        "16384-65535, 16384, 65535"
    })
    void text_isRead(String text, int first, int last) {
        assertThat(SlotRange.parse(text)).isEqualTo(new SlotRange(first, last));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "-1", "1-", "1-2-3", "a", "9-8", "0-65536", "99999999999"})
    void textThatIsNoRange_isRejected(String text) {
        assertThatThrownBy(() -> SlotRange.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
