// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''            | *",
                "customer:     | customer:*",
                "a*b           | a\\*b*",
                "a?b           | a\\?b*",
                "[x]           | \\[x\\]*",
                "a\\b          | a\\\\b*",
                "order:{c:99}: | order:{c:99}:*"
            })
    void prefix_isEscapedAndFollowedByAnything(String prefix, String expected) {
        assertThat(Requests.patternOfPrefix(prefix)).isEqualTo(Requests.text(expected));
    }
}
