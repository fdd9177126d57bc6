// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.read.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What editors complete is made of the one list of settings and of the document: {@code -Dmetadata.write=true} writes it
 * again.
 */
class ConfigurationMetadataTest {
    private static final Path FILE = Path.of("src/main/resources/META-INF/spring-configuration-metadata.json");
    private static final Path DOCUMENT = Path.of("../../docs/configuration.md");
    private static final Pattern CAPITAL = Pattern.compile("[A-Z]");
    private static final Pattern REPEATED = Pattern.compile("^near\\.");
    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

    /** What a value is called, and whether it is one of several words. */
    private static final Map<String, String> TYPES = Map.of(
            "number", "java.lang.Integer",
            "true, false", "java.lang.Boolean",
            "duration", "java.time.Duration",
            "fraction", "java.lang.String",
            "list", "java.util.List<java.lang.String>");

    @Test
    void metadata_areThoseOfTheSettings() throws IOException {
        String expected = metadata();
        if (Boolean.getBoolean("metadata.write")) {
            Files.writeString(FILE, expected);
        }

        assertThat(Files.readString(FILE)).isEqualTo(expected);
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
        for (String section : List.of("caches", "placements")) {
            properties.add(property(
                    "keyslot." + section,
                    "java.util.Map<java.lang.String,java.lang.Object>",
                    "By name, each with: " + String.join(", ", keysOf(section)) + ".",
                    ""));
        }
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

    private static List<String> keysOf(String section) {
        return Setting.WITH_REPEATED.stream()
                .map(Setting::path)
                .filter(path -> path.startsWith(section + ".<name>."))
                .map(path -> kebab(path.substring(section.length() + ".<name>.".length())))
                .toList();
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
