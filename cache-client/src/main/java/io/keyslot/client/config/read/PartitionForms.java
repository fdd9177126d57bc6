// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.Access;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.read.ConfigNode.Empty;
import io.keyslot.client.config.read.ConfigNode.Items;
import io.keyslot.client.config.read.ConfigNode.Mapping;
import io.keyslot.client.config.read.ConfigNode.Text;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Reads {@code partitions} in any of its forms: a number, addresses, names, or a mapping by name. */
final class PartitionForms {
    static final int MOST = 1000;

    private static final String KEY = "partitions";
    private static final String SENTINELS = "+sentinel://";
    private static final String RULE =
            "must be a number from 1 to %d, a list of addresses or names, or a mapping by name".formatted(MOST);
    private static final ValueType<Integer> NUMBER = ValueType.number(1, MOST);
    private static final ValueType<Integer> WEIGHT = ValueType.number(0, PartitionOptions.LARGEST_WEIGHT);
    private static final String NAME_RULE = "must have a name of 1 to 64 letters from a to z, digits, '.', '-' or '_'";

    private final Section root;
    private final ValueReader reader;
    private final Map<PartitionId, PartitionDraft> drafts = new LinkedHashMap<>();

    PartitionForms(Section root, ValueReader reader) {
        this.root = root;
        this.reader = reader;
    }

    List<PartitionDraft> read(ConfigNode node) {
        if (node instanceof Text text) {
            reader.resolve(KEY, text).ifPresent(resolved -> readText(text, resolved));
        } else if (node instanceof Items list && !list.items().isEmpty()) {
            readItems(list.items());
        } else if (node instanceof Mapping mapping && !mapping.entries().isEmpty()) {
            mapping.entries().forEach(this::readNamed);
        } else {
            root.problem(KEY, "has no partition in it, " + RULE);
        }
        if (drafts.size() > MOST) {
            root.problem(KEY, "has %d partitions, must have at most %d".formatted(drafts.size(), MOST));
        }
        return List.copyOf(drafts.values());
    }

    private void readText(Text text, String resolved) {
        if (isNumber(resolved)) {
            root.read(KEY, NUMBER)
                    .ifPresent(count -> IntStream.rangeClosed(1, count)
                            .forEach(number -> add(PartitionDraft.named(text.where(), numbered(number)))));
        } else if (!text.raw().contains("://") && !text.raw().contains("${")) {
            root.problem(KEY, "is %s, %s".formatted(Shown.quoted(text.raw()), RULE));
        } else {
            readAddresses(text);
        }
    }

    /** Reads addresses separated by commas, each alone or as {@code name=address}. */
    private void readAddresses(Text text) {
        int number = 0;
        for (String piece : wholeAddresses(Substitution.split(text.raw()))) {
            number++;
            int equals = Substitution.indexOutside(piece, "=", 0);
            int slash = Substitution.indexOutside(piece, "/", 0);
            boolean named = equals >= 0 && (slash < 0 || equals < slash);
            Optional<PartitionId> id =
                    named ? name(text.where(), piece.substring(0, equals).strip()) : Optional.of(numbered(number));
            String address = named ? piece.substring(equals + 1).strip() : piece;
            id.ifPresent(it -> addAddress(text.where(), it, address));
        }
    }

    /** Joins pieces of one address: commas also separate its sentinels, until the service name. */
    private static List<String> wholeAddresses(List<String> pieces) {
        List<String> whole = new ArrayList<>();
        for (String piece : pieces) {
            String before = whole.isEmpty() ? "" : whole.get(whole.size() - 1);
            int sentinels = before.indexOf(SENTINELS);
            if (sentinels >= 0 && before.indexOf('/', sentinels + SENTINELS.length()) < 0) {
                whole.set(whole.size() - 1, before + "," + piece);
            } else {
                whole.add(piece);
            }
        }
        return whole;
    }

    private void readItems(List<ConfigNode> items) {
        for (int index = 0; index < items.size(); index++) {
            ConfigNode item = items.get(index);
            if (!(item instanceof Text text)) {
                reader.problems()
                        .add(
                                item.where(),
                                "%s has %s in its list, must be addresses or names".formatted(KEY, item.kind()));
            } else if (id(text.raw()).isPresent()) {
                name(text.where(), text.raw()).ifPresent(id -> add(PartitionDraft.named(text.where(), id)));
            } else {
                addAddress(text.where(), numbered(index + 1), text.raw());
            }
        }
    }

    private void readNamed(String key, ConfigNode node) {
        Optional<PartitionId> id = name(node.where(), key);
        if (id.isEmpty()) {
            return;
        }
        if (node instanceof Text text && !isNumber(text.raw())) {
            addAddress(text.where(), id.get(), text.raw());
        } else if (node instanceof Text weight) {
            Integer value = reader.read(KEY + "." + key, weight, WEIGHT).orElse(null);
            add(new PartitionDraft(node.where(), id.get(), false, null, value, null, Access.NONE, "", List.of()));
        } else if (node instanceof Empty) {
            add(PartitionDraft.named(node.where(), id.get()));
        } else {
            add(ofSection(node, id.get(), root.named(KEY, key, node)));
        }
    }

    private PartitionDraft ofSection(ConfigNode node, PartitionId id, Section section) {
        Optional<ConfigNode> uri = section.node("uri");
        return new PartitionDraft(
                node.where(),
                id,
                uri.isPresent(),
                uri.flatMap(it -> address(section.pathOf("uri"), it)).orElse(null),
                section.read("weight", WEIGHT).orElse(null),
                section.node("slots")
                        .map(it -> slots(section.pathOf("slots"), it))
                        .orElse(null),
                new AccessReader(reader.problems()).read(section),
                section.read("zone", ValueType.ZONE).orElse(""),
                section.node("replicas")
                        .map(it -> new ReplicasReader(section.pathOf("replicas"), reader).read(it))
                        .orElse(List.of()));
    }

    private List<SlotRange> slots(String path, ConfigNode node) {
        List<ConfigNode> pieces = node instanceof Items list ? list.items() : List.of(node);
        List<SlotRange> ranges = new ArrayList<>();
        boolean complete = true;
        for (ConfigNode piece : pieces) {
            complete &= reader.read(path, piece, SlotShares.RANGES)
                    .map(ranges::addAll)
                    .isPresent();
        }
        if (pieces.isEmpty()) {
            reader.problems().add(node.where(), path + " has no slot in it");
        }
        return complete ? ranges : List.of();
    }

    private void addAddress(Location where, PartitionId id, String raw) {
        add(PartitionDraft.at(
                where, id, address(KEY + "." + id, new Text(where, raw)).orElse(null)));
    }

    private Optional<PartitionUri> address(String path, ConfigNode node) {
        if (!(node instanceof Text text)) {
            reader.problems().add(node.where(), "%s is %s, must be an address".formatted(path, node.kind()));
            return Optional.empty();
        }
        try {
            return Optional.of(new PartitionUriParser(reader.substitution()::resolve).parse(text.raw()));
        } catch (BadValueException e) {
            reader.problems().add(text.where(), path + " " + e.predicate());
            return Optional.empty();
        }
    }

    private static PartitionId numbered(int number) {
        return new PartitionId("p" + number);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static Optional<PartitionId> id(String name) {
        try {
            return Optional.of(new PartitionId(name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void add(PartitionDraft draft) {
        if (drafts.putIfAbsent(draft.id(), draft) != null) {
            reader.problems().add(draft.where(), draft.path() + " is given twice");
        }
    }

    private Optional<PartitionId> name(Location where, String name) {
        Optional<PartitionId> id = id(name);
        if (id.isEmpty()) {
            reader.problems().add(where, "%s.%s %s".formatted(KEY, Shown.key(name), NAME_RULE));
        }
        return id;
    }
}
