// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.client.config.ValueType;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * When an autopilot moves slots, and how many.
 *
 * @param by calls or bytes
 * @param above the tolerated excess of a partition over its share, as a part of that share
 * @param lasting how long a partition must be above that before slots move
 * @param slotsPerHour the most slots that change their owner within an hour, moves by other plans included
 * @param from the beginning of the time of day in which slots start to move
 * @param to the end of that time, exclusive; equal to {@code from} for the whole day
 * @param zone the zone of these times
 * @param longestPause the longest pause of writes after which it stops
 * @param memory the part of its memory limit from which a partition is reported
 * @param every the time between two decisions
 */
public record AutopilotPolicy(
        Measure by,
        double above,
        Duration lasting,
        int slotsPerHour,
        LocalTime from,
        LocalTime to,
        ZoneId zone,
        Duration longestPause,
        double memory,
        Duration every) {
    public static final AutopilotPolicy DEFAULTS = new AutopilotPolicy(
            Measure.CALLS,
            0.2,
            Duration.ofMinutes(10),
            512,
            LocalTime.MIDNIGHT,
            LocalTime.MIDNIGHT,
            ZoneId.of("UTC"),
            Duration.ofMillis(250),
            0.8,
            Duration.ofMinutes(1));

    /**
     * Reads a mapping in YAML with any of the keys by, above, for, slotsPerHour, window, zone, longestPause, memory and
     * every. An {@link IllegalArgumentException} has all problems.
     */
    public static AutopilotPolicy read(String yaml) {
        Map<String, String> texts = new HashMap<>();
        try {
            Object document = new Load(LoadSettings.builder().build()).loadFromString(yaml);
            if (!(document instanceof Map<?, ?> mapping)) {
                throw new IllegalArgumentException("The policy is not a mapping, such as by: calls");
            }
            mapping.forEach((key, value) -> texts.put(String.valueOf(key), String.valueOf(value)));
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException("The policy is not YAML");
        }
        return new Reader(texts).read();
    }

    private record Reader(Map<String, String> texts, List<String> problems) {
        Reader(Map<String, String> texts) {
            this(texts, new ArrayList<>());
        }

        AutopilotPolicy read() {
            String[] window = value("window", "", "must be two times such as 01:00-05:00", text -> {
                        LocalTime first = LocalTime.parse(text.split("-", 2)[0]);
                        LocalTime last = LocalTime.parse(text.split("-", 2)[1]);
                        return first + "-" + last;
                    })
                    .split("-", 2);
            AutopilotPolicy read = new AutopilotPolicy(
                    value("by", DEFAULTS.by, "must be calls or memory", text -> switch (text) {
                        case "calls" -> Measure.CALLS;
                        case "memory" -> Measure.BYTES;
                        default -> throw new IllegalArgumentException();
                    }),
                    value("above", DEFAULTS.above, "must be from 1% to 1000%", text -> percent(text, 1000)),
                    value("for", DEFAULTS.lasting, "must be a duration such as 10m", Reader::duration),
                    value("slotsPerHour", DEFAULTS.slotsPerHour, "must be from 1 to 4096", text -> {
                        return new BalanceLimits(BalanceLimits.THRESHOLD, Integer.parseInt(text), false).mostSlots();
                    }),
                    window.length < 2 ? DEFAULTS.from : LocalTime.parse(window[0]),
                    window.length < 2 ? DEFAULTS.to : LocalTime.parse(window[1]),
                    value("zone", DEFAULTS.zone, "must be a time zone such as Europe/Berlin", ZoneId::of),
                    value("longestPause", DEFAULTS.longestPause, "must be a duration such as 250ms", Reader::duration),
                    value("memory", DEFAULTS.memory, "must be from 1% to 100%", text -> percent(text, 100)),
                    value("every", DEFAULTS.every, "must be a duration such as 1m", Reader::duration));
            texts.keySet().forEach(key -> problems.add("%s is unknown".formatted(key)));
            if (!problems.isEmpty()) {
                throw new IllegalArgumentException("The policy: " + String.join("; ", problems));
            }
            return read;
        }

        private <T> T value(String key, T otherwise, String rule, Function<String, T> parser) {
            String text = texts.remove(key);
            try {
                return text == null ? otherwise : parser.apply(text);
            } catch (IllegalArgumentException | DateTimeException | IndexOutOfBoundsException e) {
                problems.add("%s is %s, %s".formatted(key, text, rule));
                return otherwise;
            }
        }

        private static double percent(String text, int most) {
            double percent = Double.parseDouble(text.endsWith("%") ? text.substring(0, text.length() - 1) : text);
            if (!(percent >= 1 && percent <= most)) {
                throw new IllegalArgumentException();
            }
            return percent / 100;
        }

        private static Duration duration(String text) {
            return ValueType.DURATION_ABOVE_ZERO.parse(text).orElseThrow(IllegalArgumentException::new);
        }
    }

    boolean mayMoveAt(Instant moment) {
        LocalTime time = LocalTime.ofInstant(moment, zone);
        boolean isAfter = !time.isBefore(from);
        boolean isBefore = time.isBefore(to);
        return from.isBefore(to) ? isAfter && isBefore : isAfter || isBefore;
    }

    String window() {
        return String.format(Locale.ROOT, "%s-%s %s", from, to, zone);
    }
}
