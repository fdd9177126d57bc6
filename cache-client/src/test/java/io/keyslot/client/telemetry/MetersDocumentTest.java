// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Lookup;
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
    void everyCommandAndReason_isNamed() throws IOException {
        String commands = section("Commands: ", "\n\n");
        List<String> reasons = Stream.concat(
                        Arrays.stream(Lookup.Outcome.values())
                                .filter(Lookup.Outcome::isUnreadable)
                                .map(outcome -> outcome.name().toLowerCase(Locale.ROOT)),
                        Stream.of("undecodable"))
                .toList();

        assertThat(commandNames()).allSatisfy(name -> assertThat(commands).contains('`' + name + '`'));
        assertThat(names(REASON_ROW, section("Reasons of `keyslot.entries.unreadable`", "\nThe JMX")))
                .containsExactlyInAnyOrderElementsOf(reasons);
    }

    /** Questions about the index of a group have names of their own, not those of their classes. */
    private static Stream<String> commandNames() {
        Stream<String> named = Stream.<Class<?>>of(Command.class, Command.OfKey.class)
                .flatMap(command -> Arrays.stream(command.getPermittedSubclasses()))
                .filter(Class::isRecord)
                .map(Class::getSimpleName)
                .map(name -> name.replaceFirst("Command$", ""))
                .map(name -> name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1));
        GroupHome home = new GroupHome("customer:99");
        GroupListing.Span span = new GroupListing.Span(Element.of("a"), Element.of("b"), 1, false);
        return Stream.concat(
                named,
                Stream.of(
                                new GroupListing.Rows(home, span),
                                new GroupListing.Names(home, span),
                                new GroupListing.Forget(home, List.of()),
                                new GroupListing.Aggregates(home),
                                new GroupListing.Weigh(home))
                        .map(GroupListing::name));
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
