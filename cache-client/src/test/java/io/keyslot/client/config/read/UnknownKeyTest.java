// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnknownKeyTest {
    @Nested
    class Distance {
        @ParameterizedTest
        @CsvSource({
            "ttl, ttl, 0",
            "TTL, ttl, 0",
            "tl, ttl, 1",
            "ttll, ttl, 1",
            "tttt, ttl, 2",
            "'', ttl, 3",
            "kitten, sitting, 3"
        })
        void distance_countsChanges(String one, String other, int distance) {
            assertThat(UnknownKey.distance(one, other)).isEqualTo(distance);
            assertThat(UnknownKey.distance(other, one)).isEqualTo(distance);
        }
    }

    @Nested
    class Explain {
        @Test
        void nearestKey_isSuggested() {
            assertThat(UnknownKey.explain("keyByte", Set.of("keyBytes", "batchKeys")))
                    .isEqualTo("is not a setting, did you mean keyBytes?");
        }

        @Test
        void otherKeys_areListedInOrder() {
            assertThat(UnknownKey.explain("colour", Set.of("ttl", "codec")))
                    .isEqualTo("is not a setting, those here are codec, ttl");
        }
    }
}
