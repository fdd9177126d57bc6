// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.TrafficCommand.Counters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatsInfoTest {
    private static final String ALL = """
            # Stats\r
            total_connections_received:7\r
            total_commands_processed:120\r
            instantaneous_input_kbps:0.02\r
            expired_keys:5\r
            expired_keys_active:9\r
            evicted_keys:4\r
            keyspace_hits:30\r
            keyspace_misses:10\r
            """;

    @Test
    void numbers_areThoseOfTheirLines() {
        assertThat(StatsInfo.read(ALL)).contains(new Counters(120, 30, 10, 4, 5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "total_commands_processed:120",
                "expired_keys:5",
                "evicted_keys:4",
                "keyspace_hits:30",
                "keyspace_misses:10"
            })
    void lineThatIsMissing_leavesNothingKnown(String line) {
        assertThat(StatsInfo.read(ALL.replace(line, "other:1"))).isEmpty();
        assertThat(StatsInfo.read(ALL.replace(line, line.substring(0, line.indexOf(':') + 1) + "many")))
                .isEmpty();
    }
}
