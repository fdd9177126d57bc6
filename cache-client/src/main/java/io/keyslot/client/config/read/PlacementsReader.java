// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.PlacementOptions;
import io.keyslot.client.config.PlacementOptions.Listed;
import io.keyslot.client.config.PlacementOptions.Range;
import io.keyslot.client.config.PlacementOptions.Target;
import io.keyslot.client.config.read.ConfigNode.Mapping;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code placements}, which refer to partitions of the same file. */
final class PlacementsReader {
    private static final String PLACEMENTS = "placements";
    private static final String DOTS = "..";
    private static final Pattern TARGET = Pattern.compile("(\\S+)(?:\\s+width=([1248]))?");
    private static final ValueType<String> RANGES_OF = words("number", "text", "uuid", "instant", "date");
    private static final ValueType<String> OTHERWISE = words("hash", "refuse");

    private final Section root;
    private final ValueReader reader;
    private final ValueType<Target> targets;

    PlacementsReader(Section root, ValueReader reader, Set<String> partitions) {
        this.root = root;
        this.reader = reader;
        this.targets = new ValueType<>(
                "must be the name of a partition, and width=2, 4 or 8 behind it if it is to have several slots",
                text -> target(text, partitions));
    }

    private static ValueType<String> words(String... words) {
        return new ValueType<>(
                "must be one of " + String.join(", ", words),
                text -> Optional.of(text).filter(Set.of(words)::contains));
    }

    private static Optional<Target> target(String text, Set<String> partitions) {
        Matcher parts = TARGET.matcher(text);
        if (!parts.matches() || !partitions.contains(parts.group(1))) {
            return Optional.empty();
        }
        String width = parts.group(2);
        return Optional.of(new Target(new PartitionId(parts.group(1)), width == null ? 1 : Integer.parseInt(width)));
    }

    List<PlacementOptions> read() {
        root.checkMapping(PLACEMENTS);
        List<PlacementOptions> placements = new ArrayList<>();
        if (root.node(PLACEMENTS).orElse(null) instanceof Mapping types) {
            types.entries()
                    .forEach((type, node) -> placements.add(placement(type, root.named(PLACEMENTS, type, node))));
        }
        return placements;
    }

    private PlacementOptions placement(String type, Section section) {
        List<Listed> list = new ArrayList<>();
        entries(section, "list")
                .forEach((id, node) -> reader.read(section.pathOf("list") + "." + id, node, targets)
                        .ifPresent(target -> list.add(new Listed(id, target))));
        List<Range> ranges = new ArrayList<>();
        entries(section, "ranges").forEach((bounds, node) -> {
            String path = section.pathOf("ranges") + "." + bounds;
            int dots = bounds.indexOf(DOTS);
            if (dots < 0) {
                reader.problems().add(node.where(), path + " is no range: must be such as 0..100, ..100 or 100..");
            } else {
                reader.read(path, node, targets)
                        .ifPresent(target -> ranges.add(new Range(
                                bound(bounds.substring(0, dots)),
                                bound(bounds.substring(dots + DOTS.length())),
                                target)));
            }
        });
        Optional<String> rangesOf = section.read("rangesOf", RANGES_OF);
        if (rangesOf.isPresent() == ranges.isEmpty()) {
            section.problem("rangesOf", "must say what the ids in ranges are, if and only if there are ranges");
        }
        boolean refuses = section.read("else", OTHERWISE).stream().anyMatch("refuse"::equals);
        return new PlacementOptions(type, rangesOf, list, ranges, refuses);
    }

    private static @Nullable String bound(String text) {
        return text.isEmpty() ? null : text;
    }

    private static Map<String, ConfigNode> entries(Section section, String key) {
        section.checkMapping(key);
        return section.node(key).orElse(null) instanceof Mapping mapping ? mapping.entries() : Map.of();
    }
}
