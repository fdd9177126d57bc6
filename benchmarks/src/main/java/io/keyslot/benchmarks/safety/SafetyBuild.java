// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.safety;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;

/**
 * A build of the client without some features: the present sources of the classes that have to do with them, in which the
 * bodies of some methods are others. Production code has no switch for it, and costs nothing for it.
 *
 * @param without the features that it lacks
 */
public record SafetyBuild(List<SafetyFeature> without) {
    private static final String RELEASE = "17";

    public SafetyBuild {
        without = List.copyOf(without);
    }

    /**
     * Compiles it.
     *
     * @param directory an empty one, for sources and classes
     * @return where the classes are, which belong before those of the client on a class path
     * @throws IllegalStateException if the sources have changed so much that it cannot be built
     */
    public Path compile(Path directory) {
        Map<Path, String> sources = sources(Checkout.ofThisProgram());
        List<Path> written = new ArrayList<>();
        sources.forEach(
                (name, source) -> written.add(write(directory.resolve("sources").resolve(name), source)));
        Path classes = directory.resolve("classes");
        compile(written, classes);
        return classes;
    }

    /** Returns the sources that differ from the client's, by their relative names. */
    Map<Path, String> sources(Checkout checkout) {
        Map<Path, String> changed = new LinkedHashMap<>();
        for (SafetyFeature feature : without) {
            Path replacements = checkout.replacements(feature);
            for (Path replacement : filesIn(replacements)) {
                Path name = replacements.relativize(replacement);
                String before =
                        changed.getOrDefault(name, read(checkout.client().resolve(name)));
                changed.put(name, replaced(before, replacement));
            }
        }
        return changed;
    }

    private static String replaced(String source, Path replacement) {
        try {
            return MethodBodies.of(source).with(MethodBodies.of(read(replacement)));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    "%s does not fit the client's source: %s".formatted(replacement, e.getMessage()), e);
        }
    }

    private static List<Path> filesIn(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot list " + directory, e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        }
    }

    private static Path write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file, e);
        }
    }

    private static void compile(List<Path> sources, Path classes) {
        JavaCompiler compiler = MethodBodies.compiler();
        List<String> options = List.of(
                "--release",
                RELEASE,
                "-proc:none",
                "-nowarn",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString());
        List<Diagnostic<?>> problems = new ArrayList<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean compiled = compiler.getTask(
                            null, files, problems::add, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            if (!compiled) {
                throw new IllegalStateException("A build without something does not compile:%n%s"
                        .formatted(problems.stream().map(Object::toString).collect(Collectors.joining("\n"))));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot compile into " + classes, e);
        }
    }

    /** Returns what it lacks, for a table. */
    public String label() {
        return without.size() == 1 ? "without " + without.get(0).label() : "without all of these";
    }
}
