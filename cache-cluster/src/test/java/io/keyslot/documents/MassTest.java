// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.Setting;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A ratchet on what a reader has to know: no figure may be larger than the one in {@code src/test/mass.txt}. A commit that raises one says
 * why, and renews the file. The aim is fewer concepts: nothing is split or joined to please a figure.
 */
class MassTest {
    private static final Path EXPECTED = Path.of("src", "test", "mass.txt");
    private static final String RENEW = "keyslot.mass.renew";
    private static final String RENEWAL = "./mvnw -pl cache-cluster -am test -Dtest=MassTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -DargLine=-D" + RENEW + "=true";

    private static final List<String> MODULES = List.of(
            "cache-api",
            "cache-client/testkit",
            "cache-client/spring-boot-starter",
            "cache-client",
            "cache-cluster",
            "benchmarks");
    private static final int SMALL = 20;

    /** Comments, text blocks, strings and characters. */
    private static final Pattern NOT_CODE = Pattern.compile(
            "\"\"\"(?s:.*?)\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|//[^\n]*|/\\*(?s:.*?)\\*/");

    private static final Pattern NAME = Pattern.compile("\\b[A-Z]\\w*");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|record|enum)\\s+[A-Z]\\w*");
    private static final Pattern SUPERTYPES =
            Pattern.compile("\\b(?:implements|extends)\\s+([^{]+?)(?=\\bpermits\\b|\\{|$)", Pattern.DOTALL);
    private static final Pattern ANONYMOUS = Pattern.compile("new\\s+([A-Z]\\w*)(?:<[^>]*>)?\\([^)]*\\)\\s*\\{");
    private static final Pattern OBSERVER = Pattern.compile(".*(?:Observer|Listener|Follower|Watcher|Sampler)s?");
    private static final Pattern FORWARDING = Pattern.compile(
            "\\s(\\w+)\\s*\\(([^()]*)\\)\\s*(?:throws [\\w., ]+)?\\{\\s*(?:return\\s+)?[\\w.()]+?\\.(\\w+)\\(([^{};]*?)\\);\\s*\\}",
            Pattern.DOTALL);
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final Pattern COMMA = Pattern.compile(",");

    /** A top-level type of main code, without its comments and the content of its strings. */
    private record Type(String module, String folder, String name, String body, long lines) {}

    @Test
    void nothingGrows() throws IOException {
        Map<String, Long> measured = measured();
        if (Boolean.getBoolean(RENEW)) {
            List<String> lines =
                    new ArrayList<>(List.of("# No figure may rise by more than 0.2 %. Written by", "# " + RENEWAL));
            measured.forEach((figure, number) -> lines.add(figure + " = " + number));
            Files.write(EXPECTED, lines);
        }
        Map<String, Long> expected = new TreeMap<>();
        for (String line : Files.readAllLines(EXPECTED)) {
            int equals = line.indexOf(" = ");
            if (equals >= 0) {
                expected.put(line.substring(0, equals), Long.valueOf(line.substring(equals + " = ".length())));
            }
        }
        assertThat(measured.keySet()).isEqualTo(expected.keySet());
        assertThat(measured.entrySet().stream()
                        .filter(figure -> figure.getValue() > bound(expected.getOrDefault(figure.getKey(), 0L)))
                        .map(figure -> "%s: %d, at most %d"
                                .formatted(
                                        figure.getKey(),
                                        figure.getValue(),
                                        expected.getOrDefault(figure.getKey(), 0L))))
                .as("If a figure has to rise, say why in the commit, and renew the file: %s", RENEWAL)
                .isEmpty();
    }

    /** Counts of lines and words may rise by 0.2 % above the file, so that a merge of two branches needs no renewal. */
    private static long bound(long expected) {
        return expected + expected / 500;
    }

    private static Map<String, Long> measured() throws IOException {
        List<Type> types = new ArrayList<>();
        Map<String, Long> figures = new TreeMap<>();
        for (Path file : files()) {
            String path = Documents.ROOT.relativize(file).toString().replace('\\', '/');
            if (path.endsWith(".java") && path.contains("/src/test/")) {
                add(figures, "tests: lines", lines(Files.readString(file)));
            } else if (path.endsWith(".java") && path.contains("/src/main/")) {
                add(figures, "main: lines", lines(Files.readString(file)));
                types.add(type(path, Files.readString(file)));
            } else if (path.endsWith(".lua")) {
                add(figures, "scripts", 1);
            } else if (path.startsWith("docs/") && path.endsWith(".md")) {
                String kind = path.startsWith("docs/decisions/")
                        ? "records"
                        : path.startsWith("docs/contributing/") ? "pages for contributors" : "pages";
                add(figures, kind, 1);
                add(figures, kind + ": words", words(Files.readString(file)));
            }
        }
        figures.put("glossary: words", glossaryWords());
        figures.put("settings", (long) Setting.ALL.size());
        Map<String, Long> users = new HashMap<>();
        Map<String, Long> implementations = new HashMap<>();
        for (Type type : types) {
            names(type.body()).forEach(name -> users.merge(name, 1L, Long::sum));
            implemented(type.body()).forEach(name -> implementations.merge(name, 1L, Long::sum));
        }
        for (String module : MODULES) {
            List<Type> own =
                    types.stream().filter(type -> type.module().equals(module)).toList();
            figures.put(
                    module + ": code lines", own.stream().mapToLong(Type::lines).sum());
            List<Type> declared =
                    own.stream().filter(type -> !type.name().endsWith("-info")).toList();
            figures.put(module + ": types", (long) declared.size());
            figures.put(
                    module + ": types with nested ones",
                    declared.stream()
                            .mapToLong(type -> matches(DECLARED, type.body()))
                            .sum());
            figures.put(
                    module + ": packages",
                    declared.stream().map(Type::folder).distinct().count());
            figures.put(module + ": types of at most 20 lines", count(declared, type -> type.lines() <= SMALL));
            figures.put(
                    module + ": types with one user",
                    count(declared, type -> users.getOrDefault(type.name(), 0L) == 2));
            figures.put(
                    module + ": public types",
                    count(
                            declared,
                            type -> is("public\\s+(?:\\w+\\s+)*(?:class|interface|record|enum|@interface)", type)));
            List<Type> interfaces =
                    declared.stream().filter(type -> is("interface", type)).toList();
            figures.put(
                    module + ": interfaces with at most one implementation",
                    count(interfaces, type -> implementations.getOrDefault(type.name(), 0L) <= 1));
            figures.put(
                    module + ": observing interfaces",
                    count(interfaces, type -> OBSERVER.matcher(type.name()).matches()));
            figures.put(
                    module + ": forwarding methods",
                    declared.stream().mapToLong(type -> forwarding(type.body())).sum());
        }
        return figures;
    }

    private static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(Documents.ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                return name.equals("target") || name.equals(".git")
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(file);
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    private static Type type(String path, String text) {
        String module = MODULES.stream()
                .filter(each -> path.startsWith(each + "/"))
                .findFirst()
                .orElse("");
        String file = path.substring(path.lastIndexOf('/') + 1, path.length() - ".java".length());
        String body = NOT_CODE.matcher(text)
                .replaceAll(found -> found.group().startsWith("/") ? "" : "\"\"")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("import ") && !line.startsWith("package "))
                .collect(Collectors.joining("\n"));
        return new Type(
                module,
                path.substring(0, path.lastIndexOf('/')),
                file,
                body,
                body.lines().count());
    }

    private static Set<String> names(String text) {
        return NAME.matcher(text).results().map(found -> found.group()).collect(Collectors.toSet());
    }

    private static Set<String> implemented(String body) {
        Set<String> names = new HashSet<>();
        SUPERTYPES.matcher(body).results().forEach(found -> names.addAll(names(found.group(1))));
        ANONYMOUS.matcher(body).results().forEach(found -> names.add(found.group(1)));
        return names;
    }

    private static boolean is(String declaration, Type type) {
        return Pattern.compile("\\b" + declaration + "\\s+" + type.name() + "\\b")
                .matcher(type.body())
                .find();
    }

    private static long count(List<Type> types, Predicate<Type> counted) {
        return types.stream().filter(counted).count();
    }

    private static long matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().count();
    }

    /** Methods that pass their own arguments to a method of the same name. */
    private static long forwarding(String body) {
        return FORWARDING
                .matcher(body)
                .results()
                .filter(found -> found.group(1).equals(found.group(3))
                        && arguments(found.group(2)).equals(arguments(found.group(4))))
                .count();
    }

    /** Names, of parameters without their types. */
    private static List<String> arguments(String list) {
        return COMMA.splitAsStream(list)
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .map(each -> each.substring(each.lastIndexOf(' ') + 1))
                .toList();
    }

    private static long glossaryWords() throws IOException {
        return Files.readString(Documents.CONTRIBUTING.resolve("glossary.md"))
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| word ") && !line.startsWith("| ---"))
                .count();
    }

    private static long words(String text) {
        return SPACE.splitAsStream(text).filter(word -> !word.isEmpty()).count();
    }

    private static long lines(String text) {
        return text.lines().count();
    }

    private static void add(Map<String, Long> figures, String figure, long number) {
        figures.merge(figure, number, Long::sum);
    }
}
