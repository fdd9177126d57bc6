// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.json.JsonReader;
import io.keyslot.client.telemetry.convention.CommandContext;
import io.keyslot.client.telemetry.convention.CommandConvention;
import io.keyslot.slot.PartitionId;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the dashboard asks for is in a scrape of a client that has all meters, and all meters are in the scrape. */
@SuppressWarnings("NullAway.Init") // set before all tests
class DashboardTest {
    private static final Path DASHBOARD = Path.of("..", "docs", "grafana", "keyslot.json");

    /** The name of a metric, and what is in the braces behind it, in a query or in a line of a scrape. */
    private static final Pattern METRIC =
            Pattern.compile("\\b((?:cache|keyslot|db_client)_[a-z_]+)(?:\\{([^}]*)})?(?=[ \\[,)]|$)");

    private static final Pattern LABEL = Pattern.compile("([a-z_]+)(?:=~|!~|!=|=)\"");
    private static final Pattern GROUPED = Pattern.compile("by \\(([^)]*)\\) \\((?:rate\\()?([a-z_]+)\\{");
    private static final Pattern VALUES = Pattern.compile("label_values\\((\\w+), (\\w+)\\)");
    private static final Pattern SHOWN = Pattern.compile("\\{\\{([a-z_]+)}}");

    /** Given by Prometheus to all that it scrapes. */
    private static final String INSTANCE = "instance";

    private static List<String> dropped;
    private static Map<String, Set<String>> labels;

    @BeforeAll
    static void scrape() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        List<String> refused = new ArrayList<>();
        prometheus.config().onMeterRegistrationFailed((id, reason) -> refused.add(id + ": " + reason));
        prometheus.config().meterFilter(new Histograms());
        observe(prometheus);
        String scrape = MetersInUse.in(prometheus, used -> prometheus.scrape());
        dropped = Stream.concat(refused.stream(), missing(prometheus, scrape)).toList();
        labels = labelsOf(scrape);
    }

    /** What Spring Boot makes of the property that the page of meters names. */
    private static final class Histograms implements MeterFilter {
        @Override
        public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
            return DistributionStatisticConfig.builder()
                    .percentilesHistogram(id.getName().startsWith("keyslot."))
                    .build()
                    .merge(config);
        }
    }

    /** Lets calls and commands be timed, as with Spring Boot. */
    private static void observe(MeterRegistry meters) {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        Properties properties = new Properties();
        properties.put(Telemetry.OBSERVATION_REGISTRY, registry);
        properties.put(Telemetry.METER_REGISTRY, meters);
        try (CacheManager manager =
                Caching.getCachingProvider().getCacheManager(null, DashboardTest.class.getClassLoader(), properties)) {
            manager.createCache("observed", new MutableConfiguration<Long, Long>().setTypes(Long.class, Long.class))
                    .get(1L);
        }
        CommandContext command = new CommandContext(new PartitionId("p1"), "get", "10.0.0.1", 6379, 0);
        Observation.start(new CommandConvention(), () -> command, registry).stop();
    }

    private static Stream<String> missing(MeterRegistry registry, String scrape) {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .map(id -> id.getName().replace('.', '_'))
                .filter(name -> !scrape.contains("\n# TYPE " + name) && !scrape.startsWith("# TYPE " + name))
                .map(name -> name + " is not in the scrape");
    }

    private static Map<String, Set<String>> labelsOf(String scrape) {
        Map<String, Set<String>> found = new HashMap<>();
        scrape.lines()
                .filter(line -> !line.startsWith("#"))
                .forEach(line -> METRIC.matcher(line)
                        .results()
                        .limit(1)
                        .forEach(sample -> found.computeIfAbsent(
                                        sample.group(1), first -> new HashSet<>(Set.of(INSTANCE)))
                                .addAll(names(LABEL, sample.group(2)))));
        return found;
    }

    private static List<String> names(Pattern pattern, @Nullable String text) {
        return text == null
                ? List.of()
                : pattern.matcher(text).results().map(each -> each.group(1)).toList();
    }

    /** Returns all texts under this name, wherever they stand. */
    private static List<String> texts(@Nullable Object node, String name) {
        List<String> found = new ArrayList<>();
        if (node instanceof List<?> list) {
            list.forEach(each -> found.addAll(texts(each, name)));
        } else if (node instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (name.equals(key) && value instanceof String text) {
                    found.add(text);
                } else {
                    found.addAll(texts(value, name));
                }
            });
        }
        return found;
    }

    private static @Nullable Object dashboard() throws IOException {
        return JsonReader.read(Files.readAllBytes(DASHBOARD));
    }

    @Test
    void prometheus_takesEveryMeter() {
        assertThat(dropped).isEmpty();
    }

    @Test
    void everyMetricOfAQuery_isInTheScrape_withItsLabels() throws IOException {
        List<String> queries = texts(dashboard(), "expr");

        assertThat(queries).hasSizeGreaterThan(40).allSatisfy(query -> {
            assertThat(METRIC.matcher(query).results()).isNotEmpty().allSatisfy(metric -> {
                assertThat(labels).containsKey(metric.group(1));
                assertThat(labels.get(metric.group(1))).containsAll(names(LABEL, metric.group(2)));
            });
            assertThat(GROUPED.matcher(query).results())
                    .allSatisfy(grouped -> assertThat(labels.get(grouped.group(2)))
                            .containsAll(Arrays.asList(grouped.group(1).split(", "))));
        });
    }

    @Test
    void everyLegend_namesLabelsOfItsQuery() throws IOException {
        List<String> queries = texts(dashboard(), "expr");
        List<String> legends = texts(dashboard(), "legendFormat");

        assertThat(legends).hasSameSizeAs(queries);
        for (int i = 0; i < queries.size(); i++) {
            String query = queries.get(i);
            assertThat(names(SHOWN, legends.get(i)))
                    .as(query)
                    .allMatch(label -> query.matches(".*by \\([^)]*\\b" + label + "\\b.*") || label.equals(INSTANCE));
        }
    }

    @Test
    void variables_areLabelsOfMetrics() throws IOException {
        List<String> definitions = texts(dashboard(), "definition");

        assertThat(definitions)
                .hasSize(2)
                .allSatisfy(definition -> assertThat(VALUES.matcher(definition).results())
                        .hasSize(1)
                        .allSatisfy(
                                asked -> assertThat(labels.get(asked.group(1))).contains(asked.group(2))));
    }

    @Test
    void everyMeter_isOnTheDashboard() throws IOException {
        String queries = String.join(" ", texts(dashboard(), "expr"));

        Set<String> families = labels.keySet().stream()
                .map(name -> name.replaceFirst("_(?:bucket|count|sum|max|total)$", ""))
                .filter(name -> !name.contains("_active_seconds") && !name.equals("keyslot_near_age_histogram"))
                .collect(Collectors.toSet());
        assertThat(families).hasSizeGreaterThan(30).allMatch(queries::contains);
    }
}
