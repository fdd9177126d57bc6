// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.config.ConfigNode.Empty;
import io.keyslot.client.config.ConfigNode.Items;
import io.keyslot.client.config.ConfigNode.Location;
import io.keyslot.client.config.ConfigNode.Mapping;
import io.keyslot.client.config.ConfigNode.Text;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.YamlUnicodeReader;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads YAML into nodes with locations, without objects from tags and without anchors, so that the result is a tree.
 */
record YamlDocument(String name, Problems problems) {
    // The parser tags an unquoted ${NAME} as ENV_TAG, and leaves the text unchanged.
    private static final Set<Tag> PLAIN_TAGS =
            Set.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.SEQ, Tag.MAP, Tag.MERGE, Tag.ENV_TAG);

    /** Longer texts would take the search for variables and similar names minutes. */
    static final int LONGEST_TEXT = 16_384;

    static final String TOO_LONG = "is longer than %d characters".formatted(LONGEST_TEXT);

    /** More than twice the depth of any setting. */
    static final int MOST_DEPTH = 32;

    static final String TOO_DEEP = "is nested deeper than %d, which no setting is".formatted(MOST_DEPTH);

    /** Returns the root; without entries if the document is empty or cannot be read. */
    static Mapping read(String name, byte[] content, Problems problems) {
        return new YamlDocument(name, problems).root(content);
    }

    private Mapping root(byte[] content) {
        Location start = new Location(name, 1, 1);
        ConfigNode root = compose(content).map(node -> node(start, node)).orElse(new Empty(start));
        if (root instanceof Mapping mapping) {
            return mapping;
        }
        if (!(root instanceof Empty)) {
            problems.add(start, "the document is %s, must be a mapping of settings".formatted(root.kind()));
        }
        return new Mapping(start, Map.of());
    }

    // The messages of both exceptions quote the document, passwords included; only the parser's description is used.
    private Optional<Node> compose(byte[] content) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(name)
                // Refused below, where the location is known.
                .setAllowNonScalarKeys(true)
                .build();
        try {
            return isTooDeep(parser(settings, content))
                    ? Optional.empty()
                    : new Composer(settings, parser(settings, content)).getSingleNode();
        } catch (MarkedYamlEngineException e) {
            problems.add(location(e.getProblemMark()), "is not YAML: " + explained(e.getProblem()));
        } catch (YamlEngineException e) {
            problems.add(new Location(name, 1, 1), "is not YAML in UTF-8 without control characters");
        }
        return Optional.empty();
    }

    private static Parser parser(LoadSettings settings, byte[] content) {
        return new ParserImpl(
                settings, new StreamReader(settings, new YamlUnicodeReader(new ByteArrayInputStream(content))));
    }

    /**
     * Reports a document that is nested deeper than {@link #MOST_DEPTH}: composing and reading the tree is recursive,
     * and a small file could overflow the stack.
     */
    private boolean isTooDeep(Parser parser) {
        int depth = 0;
        while (parser.hasNext()) {
            Event event = parser.next();
            Event.ID kind = event.getEventId();
            if (kind == Event.ID.MappingStart || kind == Event.ID.SequenceStart) {
                depth++;
            } else if (kind == Event.ID.MappingEnd || kind == Event.ID.SequenceEnd) {
                depth--;
            }
            if (depth > MOST_DEPTH) {
                problems.add(location(event.getStartMark()), TOO_DEEP);
                return true;
            }
        }
        return false;
    }

    private static String explained(String problem) {
        if (problem.contains("(TAB)")) {
            return "a TAB cannot stand here: indent by spaces";
        }
        boolean indentation =
                problem.startsWith("expected <block end>") || problem.startsWith("mapping values are not");
        return Problems.word(problem)
                + (indentation ? ": check the indentation, or put texts with special characters into quotes" : "");
    }

    private Location location(Optional<Mark> mark) {
        return mark.map(at -> new Location(name, at.getLine() + 1, at.getColumn() + 1))
                .orElse(new Location(name, 1, 1));
    }

    private ConfigNode node(Location where, Node node) {
        if (node.getAnchor().isPresent()) {
            problems.add(location(node.getStartMark()), "anchors and aliases are not used here, write the value out");
            return new Empty(where);
        }
        if (!PLAIN_TAGS.contains(node.getTag())) {
            problems.add(location(node.getStartMark()), "tags are not used here, write the value without one");
            return new Empty(where);
        }
        if (node instanceof MappingNode mapping) {
            return mapping(where, mapping);
        }
        if (node instanceof SequenceNode sequence) {
            return items(where, sequence);
        }
        return node instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)
                ? text(where, scalar.getValue())
                : new Empty(where);
    }

    private ConfigNode text(Location where, String raw) {
        if (raw.length() > LONGEST_TEXT) {
            problems.add(where, TOO_LONG);
            return new Empty(where);
        }
        return new Text(where, raw);
    }

    private Items items(Location where, SequenceNode sequence) {
        List<ConfigNode> items = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            items.add(node(location(item.getStartMark()), item));
        }
        return new Items(where, items);
    }

    private Mapping mapping(Location where, MappingNode mapping) {
        Map<String, ConfigNode> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            Location at = location(tuple.getKeyNode().getStartMark());
            if (tuple.getKeyNode() instanceof ScalarNode key && key.getValue().length() > LONGEST_TEXT) {
                problems.add(at, TOO_LONG);
            } else if (tuple.getKeyNode() instanceof ScalarNode key) {
                add(entries, key.getValue(), node(at, tuple.getValueNode()));
            } else {
                problems.add(at, "a key must be plain text");
            }
        }
        return new Mapping(where, entries);
    }

    private void add(Map<String, ConfigNode> entries, String key, ConfigNode node) {
        ConfigNode first = entries.putIfAbsent(key, node);
        if (first != null) {
            problems.add(
                    node.where(),
                    "%s is given twice, first on line %d"
                            .formatted(Problems.key(key), first.where().line()));
        }
    }
}
