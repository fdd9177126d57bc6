// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.client.config.ConfigNode;
import io.keyslot.client.config.ConfigNode.Empty;
import io.keyslot.client.config.ConfigNode.Items;
import io.keyslot.client.config.ConfigNode.Location;
import io.keyslot.client.config.ConfigNode.Mapping;
import io.keyslot.client.config.ConfigNode.Text;
import io.keyslot.client.config.Setting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Reads {@code keyslot.*} of the environment into the tree of a {@code keyslot.yaml}, whose reader checks names and
 * values.
 *
 * <p>Names are relaxed as everywhere in Spring Boot: {@code keyslot.caches.books.missing-partition-writes},
 * {@code KEYSLOT_DEADLINES_CALL}. Names of caches, partitions and ids are not.
 */
final class SettingsReader {
    static final String PREFIX = "keyslot";

    /** Settings of the starter, not of the client. */
    static final Set<String> OWN = Set.of("config", "ssl", "requirestorable");

    private static final String NAME = "<name>";
    private static final Pattern ELEMENT = Pattern.compile("\\[([A-Za-z0-9_-]+)]");
    private static final Bindable<Map<String, Object>> TREE = Bindable.mapOf(String.class, Object.class);
    private static final Bindable<List<String>> TEXTS = Bindable.listOf(String.class);

    private final Environment environment;
    private final Iterable<ConfigurationPropertySource> sources;
    private final Binder binder;

    SettingsReader(Environment environment) {
        this.environment = environment;
        this.sources = ConfigurationPropertySources.get(environment);
        this.binder = new Binder(sources, this::resolved);
    }

    Mapping read() {
        Map<String, Object> tree = new LinkedHashMap<>(binder.bind(PREFIX, TREE).orElse(Map.of()));
        Set<String> meant = written();
        tree.keySet().removeIf(key -> OWN.contains(plain(key)) || !meant.contains(plain(key)));
        return mapping("", ConfigurationPropertyName.of(PREFIX), tree);
    }

    /**
     * Returns the names directly below the prefix. Unknown names are ignored only in environment variables, which
     * others set too: {@code KEYSLOT_SERVICE_HOST}.
     */
    private Set<String> written() {
        Set<String> names = new HashSet<>();
        Setting.keysIn("").forEach(key -> names.add(plain(key)));
        List<ConfigurationPropertySource> others = StreamSupport.stream(sources.spliterator(), false)
                .filter(source -> !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource))
                .toList();
        new Binder(others, this::resolved)
                .bind(PREFIX, TREE)
                .orElse(Map.of())
                .keySet()
                .forEach(key -> names.add(plain(key)));
        return names;
    }

    /** Returns a setting of the starter. */
    Optional<String> own(String name) {
        return Optional.ofNullable(
                binder.bind(PREFIX + "." + name, String.class).orElse(null));
    }

    /** Resolves placeholders, once only: a password may contain anything. The reader reports one without a value. */
    private @Nullable Object resolved(@Nullable Object value) {
        if (!(value instanceof String text) || !text.contains("${")) {
            return value;
        }
        try {
            return environment.resolveRequiredPlaceholders(text).replace("${", "$${");
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    private Mapping mapping(String pattern, ConfigurationPropertyName name, Map<?, ?> values) {
        Set<String> known = Setting.keysIn(pattern);
        boolean isNames = known.contains(NAME);
        Map<String, ConfigNode> nodes = new LinkedHashMap<>();
        values.forEach((key, value) -> {
            String written = String.valueOf(key);
            String meant = isNames ? written : canonical(written, known);
            String below = (pattern.isEmpty() ? "" : pattern + ".") + (isNames ? NAME : meant);
            nodes.put(meant, node(below, child(name, written), value));
        });
        return new Mapping(locationOf(name), nodes);
    }

    private ConfigNode node(String pattern, ConfigurationPropertyName name, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            boolean isList = typeOf(pattern).contains("list")
                    && map.keySet().stream().allMatch(key -> String.valueOf(key).matches("\\d+"));
            return isList ? items(name) : mapping(pattern, name, map);
        }
        String text = String.valueOf(value);
        boolean isSection = !Setting.keysIn(pattern).isEmpty() || pattern.endsWith(NAME);
        return text.isEmpty() && isSection ? new Empty(locationOf(name)) : new Text(locationOf(name), text);
    }

    /** A list comes as a whole from the property source with the highest precedence. */
    private Items items(ConfigurationPropertyName name) {
        List<ConfigNode> items = new ArrayList<>();
        binder.bind(name, TEXTS).orElse(List.of()).forEach(text -> items.add(new Text(locationOf(name), text)));
        return new Items(locationOf(name), items);
    }

    private static String typeOf(String pattern) {
        return Setting.ALL.stream()
                .filter(setting -> setting.path().equals(pattern))
                .map(Setting::type)
                .findFirst()
                .orElse("");
    }

    private static String canonical(String written, Set<String> known) {
        return known.stream()
                .filter(key -> plain(key).equals(plain(written)))
                .findFirst()
                .orElse(written);
    }

    private static String plain(String key) {
        return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }

    private static ConfigurationPropertyName child(ConfigurationPropertyName parent, String key) {
        return parent.append("[" + key + "]");
    }

    /** Returns the place for messages: the property, and its origin if known. */
    private Location locationOf(ConfigurationPropertyName name) {
        String origin = StreamSupport.stream(sources.spliterator(), false)
                .map(source -> source.getConfigurationProperty(name))
                .filter(Objects::nonNull)
                .map(Origin::from)
                .filter(Objects::nonNull)
                .map(known -> " (" + known + ")")
                .findFirst()
                .orElse("");
        return Location.ofProperty(ELEMENT.matcher(name.toString()).replaceAll(".$1") + origin);
    }
}
