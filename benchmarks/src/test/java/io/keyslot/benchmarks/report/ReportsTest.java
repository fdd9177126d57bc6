// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a run looks like. */
class ReportsTest {
    private final Comparison comparison = Samples.compared(
            Samples.measured(Comparison.REFERENCE, 100_000),
            Samples.measured("caffeine", 50_000_000),
            Samples.onlyThroughput("a<&\"peer", 25_000));

    @Nested
    class Table {
        @Test
        void hasARowForEachContender_theFastestFirst() {
            assertThat(String.join("\n", ComparisonTable.lines(comparison))).isEqualTo("""
                            == get, 8 threads, bytes_200 values, uniform keys
                            contender          ops/s   ratio   p50   p99  p99.9  cpu client  cpu server   sum  ratio   B/op  ratio
                            ------------  ----------  ------  ----  ----  -----  ----------  ----------  ----  -----  -----  -----
                            caffeine      50,000,000  500.00  0.10  0.20   1.00        0.02        0.01  0.02   0.00      2   0.00
                            lettuce-sync     100,000    1.00  50.0   100    500        7.50        2.50  10.0   1.00  1,000   1.00
                            a<&"peer          25,000    0.25     -     -      -           -           -     -      -      -      -""".strip());
        }
    }

    @Nested
    class Json {
        @Test
        void hasFactsMediansRatiosAndRounds() {
            assertThat(JsonReport.of(Samples.FACTS, List.of(comparison)))
                    .startsWith("{\"date\": \"2026-11-21T10:00:00Z\",\n")
                    .contains("\"command\": \"./keyslot bench --json \\\"a<b\\\".json\",\n")
                    .contains("\"processors\": 2,\n")
                    .contains("\"libraries\": {\"jedis\": \"6.0.0\",\n\"lettuce-core\": \"7.7.0.RELEASE\"},")
                    .contains("\"operation\": \"get\",\n\"value\": \"bytes_200\",")
                    .contains("\"contender\": \"caffeine\",\n\"throughput\": 5.0E7,")
                    .contains("\"ratio.throughput\": 500.0,")
                    .contains("\"contender\": \"a<&\\\"peer\",")
                    .contains("\"cpu.server\": null,")
                    .endsWith("]}\n");
        }

        @Test
        void bracketsAndQuotes_arePaired() {
            String json = JsonReport.of(Samples.FACTS, List.of(comparison)).replaceAll("\\\\.", "");

            assertThat(count(json, '{')).isEqualTo(count(json, '}'));
            assertThat(count(json, '[')).isEqualTo(count(json, ']'));
            assertThat(count(json, '"')).isEven();
            assertThat(json).doesNotContainPattern(",\\s*[}\\]]");
        }

        private long count(String text, char wanted) {
            return text.chars().filter(character -> character == wanted).count();
        }
    }
}
