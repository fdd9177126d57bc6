// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.UnreadableValueException.Reason;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The document and the code name the same meters. */
class MetersDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "meters.md");
    private static final Pattern METER_ROW = Pattern.compile("^\\| `((?:cache|keyslot)\\.[a-z.]+)`", Pattern.MULTILINE);
    private static final Pattern REASON_ROW = Pattern.compile("^\\| `([a-z_]+)` \\|", Pattern.MULTILINE);

    @Test
    void everyMeter_hasARowAndEveryRowAMeter() throws IOException {
        List<Meter.Id> used = MetersInUse.in(
                new SimpleMeterRegistry(),
                registry -> registry.getMeters().stream().map(Meter::getId).toList());

        String meters = section("## Meters", "\n## ");
        assertThat(names(METER_ROW, meters))
                .containsExactlyInAnyOrderElementsOf(
                        used.stream().map(Meter.Id::getName).collect(Collectors.toSet()));
        assertThat(used.stream().flatMap(meter -> meter.getTags().stream()).map(Tag::getKey))
                .allMatch(key -> meters.contains('`' + key + '`'));
    }

    @Test
    void everyCauseOfALoad_isNamed() throws IOException {
        String causes = section("Causes of `keyslot.loads`", "\nOutcomes");
        assertThat(CacheTelemetry.LoadCause.values())
                .allSatisfy(
                        cause -> assertThat(causes).contains('`' + cause.name().toLowerCase(Locale.ROOT) + '`'));
    }

    @Test
    void everyReason_isNamed() throws IOException {
        List<String> reasons = Stream.concat(
                        Arrays.stream(Lookup.Outcome.values())
                                .filter(Lookup.Outcome::isUnreadable)
                                .map(outcome -> outcome.name().toLowerCase(Locale.ROOT)),
                        Arrays.stream(Reason.values())
                                .map(reason -> reason.name().toLowerCase(Locale.ROOT)))
                .toList();

        assertThat(names(REASON_ROW, section("Reasons of `keyslot.entries.unreadable`", "\nThe JMX")))
                .containsExactlyInAnyOrderElementsOf(reasons);
    }

    private static String section(String begin, String end) throws IOException {
        String fromBegin = Files.readString(DOCUMENT).split(Pattern.quote(begin), 2)[1];
        return fromBegin.split(Pattern.quote(end), 2)[0];
    }

    private static List<String> names(Pattern row, String text) {
        return row.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .distinct()
                .toList();
    }
}
