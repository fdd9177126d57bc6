// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The types of all modules, their members and their tests, by simple names, as documents name them.
 *
 * <p>Types are found by their sources and looked into by reflection. Modules that are not on the class path of this test
 * are looked into by their sources: what stands in the file counts as a member.
 */
final class ProjectCode {
    private static final List<String> SOURCES = List.of("src/main/java", "src/test/java");
    private static final Pattern NOT_CODE = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*|\"(?:[^\"\\\\\n]|\\\\.)*\"");
    private static final Pattern NESTED = Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");

    private final Map<String, Set<Class<?>>> types = new TreeMap<>();
    private final Map<String, String> sources = new TreeMap<>();

    private ProjectCode() {}

    static ProjectCode read() throws IOException {
        ProjectCode code = new ProjectCode();
        code.readModules(Documents.ROOT);
        code.readModules(Documents.ROOT.resolve("cache-client"));
        code.readModules(Documents.ROOT.resolve("cache-cluster/clients"));
        return code;
    }

    private void readModules(Path parent) throws IOException {
        try (Stream<Path> modules = Files.list(parent)) {
            for (Path module : modules.filter(Files::isDirectory).toList()) {
                for (String folder : SOURCES) {
                    readFolder(module.resolve(folder));
                }
            }
        }
    }

    private void readFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(file -> readFile(folder, file));
        }
    }

    private void readFile(Path folder, Path file) {
        String path = folder.relativize(file).toString();
        String name = path.substring(0, path.length() - ".java".length())
                .replace(file.getFileSystem().getSeparator(), ".");
        Optional<Class<?>> loaded = load(name);
        if (loaded.isPresent()) {
            add(loaded.get());
            return;
        }
        try {
            String text = NOT_CODE.matcher(Files.readString(file)).replaceAll(" ");
            NESTED.matcher(text).results().forEach(type -> sources.merge(type.group(1), text, String::concat));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(Class<?> type) {
        types.computeIfAbsent(type.getSimpleName(), name -> new LinkedHashSet<>())
                .add(type);
        for (Class<?> nested : type.getDeclaredClasses()) {
            add(nested);
        }
    }

    int size() {
        return types.size() + sources.size();
    }

    /** Returns whether the path, such as {@code Outer.Nested.member}, leads to something that is there. */
    boolean has(String path) {
        List<String> names = List.of(path.split("\\."));
        String first = names.get(0);
        boolean isInSources = sources.containsKey(first)
                && names.stream()
                        .skip(1)
                        .allMatch(name -> Pattern.compile("\\b" + name + "\\b")
                                .matcher(sources.getOrDefault(first, ""))
                                .find());
        return isInSources || lookUp(types.getOrDefault(first, Set.of()), names.subList(1, names.size()));
    }

    private static boolean lookUp(Collection<Class<?>> among, List<String> names) {
        if (names.isEmpty()) {
            return !among.isEmpty();
        }
        List<Class<?>> nested = among.stream()
                .flatMap(type ->
                        nestedIn(type).filter(found -> found.getSimpleName().equals(names.get(0))))
                .toList();
        if (!nested.isEmpty()) {
            return lookUp(nested, names.subList(1, names.size()));
        }
        return names.size() == 1 && among.stream().anyMatch(type -> hasMember(type, names.get(0)));
    }

    /** Returns whether a type of this name has a test of this name, itself, inherited, or nested. */
    boolean hasTest(String typeName, String test) {
        return hasTestBySource(typeName, test)
                || types.getOrDefault(typeName, Set.of()).stream()
                        .flatMap(ProjectCode::withNested)
                        .flatMap(type -> lineage(type).stream())
                        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                        .filter(method -> method.getName().equals(test))
                        .anyMatch(ProjectCode::isTest);
    }

    /** Returns whether a type of this name has any test, itself, inherited, or nested. */
    boolean hasTests(String typeName) {
        return hasTestBySource(typeName, "\\w+")
                || types.getOrDefault(typeName, Set.of()).stream()
                        .flatMap(ProjectCode::withNested)
                        .flatMap(type -> lineage(type).stream())
                        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                        .anyMatch(ProjectCode::isTest);
    }

    /** Of a module that is not on the class path: a method with the annotation, in the file of the type. */
    private boolean hasTestBySource(String typeName, String test) {
        return Pattern.compile("@Test\\s+void " + test + "\\(")
                .matcher(sources.getOrDefault(typeName, ""))
                .find();
    }

    private static boolean isTest(Method method) {
        return AnnotationSupport.isAnnotated(method, Testable.class);
    }

    private static Stream<Class<?>> withNested(Class<?> type) {
        return Stream.concat(
                Stream.of(type),
                nestedIn(type).filter(nested -> !nested.equals(type)).flatMap(ProjectCode::withNested));
    }

    private static Stream<Class<?>> nestedIn(Class<?> type) {
        return lineage(type).stream().flatMap(each -> Arrays.stream(each.getDeclaredClasses()));
    }

    private static boolean hasMember(Class<?> type, String name) {
        return lineage(type).stream()
                .flatMap(each -> Stream.<Member>concat(
                        Arrays.stream(each.getDeclaredMethods()), Arrays.stream(each.getDeclaredFields())))
                .anyMatch(member -> member.getName().equals(name));
    }

    /** Returns the type, what it extends and implements. */
    private static Set<Class<?>> lineage(Class<?> type) {
        Set<Class<?>> all = new LinkedHashSet<>(Set.of(type));
        for (Class<?> above : type.getInterfaces()) {
            all.addAll(lineage(above));
        }
        Class<?> parent = type.getSuperclass();
        if (parent != null) {
            all.addAll(lineage(parent));
        }
        return all;
    }

    private static Optional<Class<?>> load(String name) {
        try {
            Class<?> type = Class.forName(name, false, ProjectCode.class.getClassLoader());
            requireNested(type);
            return Optional.of(type);
        } catch (ClassNotFoundException | LinkageError elsewhere) {
            return Optional.empty();
        }
    }

    /** A class whose nested ones build on a library that is not here counts as not here itself. */
    private static void requireNested(Class<?> type) {
        for (Class<?> nested : type.getDeclaredClasses()) {
            requireNested(nested);
        }
    }
}
