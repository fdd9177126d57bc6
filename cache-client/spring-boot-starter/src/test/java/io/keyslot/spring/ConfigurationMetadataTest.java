// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyslot.client.config.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What editors complete, in the files of Spring and in keyslot.yaml, is made of the one list of settings and of the
 * document: {@code -Dmetadata.write=true} writes it again.
 */
class ConfigurationMetadataTest {
    private static final Path FILE = Path.of("src/main/resources/META-INF/spring-configuration-metadata.json");
    private static final Path CACHE = Path.of("src/main/java/io/keyslot/spring/CacheSettings.java");
    private static final Path SCHEMA = Path.of("../../docs/keyslot.schema.json");
    private static final Path DOCUMENT = Path.of("../../docs/configuration.md");
    private static final Pattern CAPITAL = Pattern.compile("[A-Z]");
    private static final Pattern REPEATED = Pattern.compile("^near\\.");
    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

    private static final String CACHES = "caches.<name>.";
    private static final String ANY_NAME = "<name>";

    /** Words for types, as opposed to values. */
    private static final Set<String> TYPE_WORDS =
            Set.of("address", "class name", "codec name", "duration", "file", "size", "text", "number");

    private static final String VARIABLE = "{\"type\": \"string\", \"pattern\": \"\\\\$\\\\{\"}";

    /** What a value is called, and whether it is one of several words. */
    private static final Map<String, String> TYPES = Map.of(
            "number", "java.lang.Integer",
            "true, false", "java.lang.Boolean",
            "duration", "java.time.Duration",
            "list", "java.util.List<java.lang.String>");

    @Test
    void metadata_areThoseOfTheSettings() throws IOException {
        String expected = metadata();
        if (Boolean.getBoolean("metadata.write")) {
            Files.writeString(FILE, expected);
        }

        assertThat(Files.readString(FILE)).isEqualTo(expected);
    }

    @Test
    void accessorsOfCacheSettings_areThoseOfTheSettings() throws IOException {
        Section root = new Section();
        Setting.WITH_REPEATED.stream()
                .filter(setting -> setting.path().startsWith(CACHES))
                .forEach(setting -> root.add(
                        setting,
                        List.of(setting.path().substring(CACHES.length()).split("\\."))));
        String expected = """
                // SPDX-License-Identifier: Apache-2.0
                package io.keyslot.spring;

                import java.time.Duration;
                import java.util.List;

                /**
                 * The settings of a cache as properties, for editors that complete {@code keyslot.caches.<name>}. Written by
                 * ConfigurationMetadataTest; nothing implements it.
                 */
                interface CacheSettings {
                %s}
                """.formatted(root.accessors("    "));
        if (Boolean.getBoolean("metadata.write")) {
            Files.writeString(CACHE, expected);
        }

        assertThat(Files.readString(CACHE)).isEqualTo(expected);
    }

    @Test
    void schema_isThatOfTheSettings() throws IOException {
        Section root = new Section();
        Setting.WITH_REPEATED.forEach(
                setting -> root.add(setting, List.of(setting.path().split("\\."))));
        String expected = new ObjectMapper()
                        .readTree(
                                "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"title\": \"keyslot.yaml\", "
                                        + root.members(meanings(), "") + "}")
                        .toPrettyString()
                + "\n";
        if (Boolean.getBoolean("metadata.write")) {
            Files.writeString(SCHEMA, expected);
        }

        assertThat(Files.readString(SCHEMA)).isEqualTo(expected);
    }

    /** A part of a path, with the setting that ends there and the parts after it. */
    private static final class Section {
        private final Map<String, Section> parts = new LinkedHashMap<>();
        private @Nullable Setting setting;

        void add(Setting added, List<String> path) {
            if (path.isEmpty()) {
                setting = added;
            } else {
                parts.computeIfAbsent(path.get(0), part -> new Section()).add(added, path.subList(1, path.size()));
            }
        }

        String members(Map<String, String> meanings, String path) {
            Section any = parts.get(ANY_NAME);
            return "\"type\": \"object\", \"properties\": {%s}, \"additionalProperties\": %s"
                    .formatted(
                            parts.entrySet().stream()
                                    .filter(part -> !part.getKey().equals(ANY_NAME))
                                    .map(part -> quoted(part.getKey()) + ": "
                                            + part.getValue().toJson(meanings, path + part.getKey()))
                                    .collect(Collectors.joining(", ")),
                            any == null ? "false" : any.toJson(meanings, path + ANY_NAME));
        }

        /** Returns a getter and a setter of each part, and an interface of each part that has parts. */
        String accessors(String indent) {
            List<String> members = new ArrayList<>();
            List<String> nested = new ArrayList<>();
            parts.forEach((name, part) -> {
                String title = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
                String type = part.parts.isEmpty() ? simpleTypeOf(part.setting) : title;
                members.add("%s%s get%s();".formatted(indent, type, title));
                members.add("%svoid set%s(%s value);".formatted(indent, title, type));
                if (!part.parts.isEmpty()) {
                    nested.add("%sinterface %s {\n%s%s}"
                            .formatted(indent, title, part.accessors(indent + "    "), indent));
                }
            });
            members.addAll(nested);
            return String.join("\n\n", members) + "\n";
        }

        private static String simpleTypeOf(@Nullable Setting setting) {
            String type = setting == null ? "" : typeOf(setting);
            return type.replaceAll("[a-z]+\\.", "");
        }

        private String toJson(Map<String, String> meanings, String path) {
            List<String> forms = new ArrayList<>();
            List<String> words =
                    setting == null ? List.of() : List.of(setting.type().split(", "));
            if (!parts.isEmpty() || words.contains("mapping")) {
                forms.add(parts.isEmpty() ? "{\"type\": \"object\"}" : "{" + members(meanings, path + ".") + "}");
            }
            if (path.endsWith(ANY_NAME)) {
                forms.add("{\"type\": \"null\"}");
            }
            boolean isChoice =
                    words.stream().filter(word -> !TYPE_WORDS.contains(word)).count() > 1;
            for (String word : words) {
                if (word.equals("list")) {
                    forms.add("{\"type\": \"array\"}, {\"type\": \"string\"}");
                } else if (TYPE_WORDS.contains(word) && !isChoice) {
                    forms.add(
                            word.equals("number") ? "{\"type\": \"integer\"}" : "{\"type\": [\"string\", \"number\"]}");
                } else if (!word.equals("mapping")) {
                    forms.add("{\"const\": %s}".formatted(word.matches("true|false") ? word : quoted(word)));
                }
            }
            forms.add(VARIABLE);
            String otherwise =
                    setting == null || setting.otherwise().isEmpty() ? "" : " Default: " + setting.otherwise() + ".";
            String meaning = setting == null ? "" : meaningOf(path, meanings) + otherwise;
            return "{\"description\": %s, \"anyOf\": [%s]}".formatted(quoted(meaning), String.join(", ", forms));
        }
    }

    private static String metadata() throws IOException {
        Map<String, String> meanings = meanings();
        List<String> properties = new ArrayList<>();
        List<String> hints = new ArrayList<>();
        properties.add(property(
                "keyslot.config",
                "java.lang.String",
                "Where keyslot.yaml is, if not at the root of the class path.",
                ""));
        properties.add(property(
                "keyslot.ssl.bundle", "java.lang.String", "Name of the SSL bundle, instead of keyslot.tls.", ""));
        properties.add(property(
                "keyslot.require-storable",
                "java.lang.Boolean",
                "Whether a method whose return type cannot be cached fails the start, instead of a warning.",
                "false"));
        properties.add(property(
                "keyslot.caches",
                "java.util.Map<java.lang.String,io.keyslot.spring.CacheSettings>",
                "The settings of caches, by name.",
                ""));
        properties.add(property(
                "keyslot.placements",
                "java.util.Map<java.lang.String,java.lang.Object>",
                "By name, each with: list, ranges-of, ranges, else.",
                ""));
        for (Setting setting : Setting.WITH_REPEATED) {
            if (setting.path().contains("<") || setting.type().equals("mapping")) {
                continue;
            }
            String name = "keyslot." + kebab(setting.path());
            properties.add(property(name, typeOf(setting), meaningOf(setting.path(), meanings), setting.otherwise()));
            if (isChoice(setting)) {
                hints.add(hint(name, List.of(setting.type().split(", "))));
            }
        }
        return "{\n  \"groups\": [],\n  \"properties\": [\n%s\n  ],\n  \"hints\": [\n%s\n  ]\n}\n"
                .formatted(String.join(",\n", properties), String.join(",\n", hints));
    }

    private static boolean isChoice(Setting setting) {
        return setting.type().contains(", ")
                && !setting.type().contains("name")
                && List.of(setting.type().split(", ")).stream()
                        .noneMatch(word ->
                                List.of("mapping", "list", "number", "duration").contains(word))
                && !TYPES.containsKey(setting.type());
    }

    private static String typeOf(Setting setting) {
        return setting.path().equals("partitions")
                ? "java.util.Map<java.lang.String,java.lang.Object>"
                : TYPES.getOrDefault(setting.type(), "java.lang.String");
    }

    private static String kebab(String path) {
        return CAPITAL.matcher(path).replaceAll(capital -> "-" + capital.group().toLowerCase(Locale.ROOT));
    }

    /** Returns the meaning of each setting, as plain text. */
    private static Map<String, String> meanings() throws IOException {
        return Files.readString(DOCUMENT)
                .split("\n## Settings\n", 2)[1]
                .split("\n## ", 2)[0]
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|", -1))
                .collect(Collectors.toMap(
                        row -> row[1].strip().replace("`", ""),
                        row -> LINK.matcher(row[4])
                                .replaceAll("$1")
                                .replace("`", "")
                                .strip(),
                        (one, other) -> one,
                        LinkedHashMap::new));
    }

    /** Returns the meaning of a setting; without a row that of the one that it repeats, or of the mapping it is in. */
    private static String meaningOf(String path, Map<String, String> meanings) {
        String described = REPEATED.matcher(path).replaceFirst("caches.<name>.near.");
        return meanings.containsKey(described)
                ? meanings.get(described)
                : meaningOf(described.substring(0, described.lastIndexOf('.')), meanings);
    }

    private static String property(String name, String type, String description, String otherwise) {
        String value = otherwise.isEmpty() ? "" : ",\n      \"defaultValue\": " + value(type, otherwise);
        return "    {\n      \"name\": %s,\n      \"type\": %s,\n      \"description\": %s%s\n    }"
                .formatted(quoted(name), quoted(type), quoted(description), value);
    }

    private static String value(String type, String otherwise) {
        return type.equals("java.lang.Integer") || type.equals("java.lang.Boolean") ? otherwise : quoted(otherwise);
    }

    private static String hint(String name, List<String> words) {
        return "    {\n      \"name\": %s,\n      \"values\": [%s]\n    }"
                .formatted(
                        quoted(name),
                        words.stream()
                                .map(word -> "{ \"value\": " + quoted(word) + " }")
                                .collect(Collectors.joining(", ")));
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
