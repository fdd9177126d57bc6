// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A small change of the product that brings a mended defect back: one class is compiled anew, in memory, and everything of
 * ours is loaded again with it.
 *
 * @param type the full name of the class
 * @param snippet what its source has exactly once
 * @param replacement what stands there instead
 */
public record Mutation(String type, String snippet, String replacement) {
    private static final String OURS = "io.keyslot.";

    /** Returns what a search finds in the changed product, the empty text if nothing. */
    String searched(Focus focus, int programs) {
        return searched(FocusedSearch.class, focus.name(), programs);
    }

    /** Returns what a search finds in the changed product, the empty text if nothing: by what is looked for, and how often. */
    public String searched(Class<? extends BiFunction<String, Integer, String>> kind, String what, int times) {
        try {
            Object search = new Mutated(compiled())
                    .loadClass(kind.getName())
                    .getDeclaredConstructor()
                    .newInstance();
            @SuppressWarnings("unchecked") // it is this class, of another loader
            BiFunction<String, Integer, String> searching = (BiFunction<String, Integer, String>) search;
            return searching.apply(what, times);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Compiles the changed class. Throws an {@link AssertionError} if its source has no such snippet any more. */
    public Map<String, byte[]> compiled() {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        Map<String, ByteArrayOutputStream> classes = new HashMap<>();
        JavaFileManager files =
                new ForwardingJavaFileManager<>(compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
                    @Override
                    public JavaFileObject getJavaFileForOutput(
                            Location location, String name, JavaFileObject.Kind kind, javax.tools.FileObject sibling) {
                        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                        classes.put(name, bytes);
                        return new Output(name, bytes);
                    }
                };
        List<String> options =
                List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"), "-g");
        boolean done = compiler.getTask(null, files, null, options, null, List.of(new Source(type, source())))
                .call();
        if (!done) {
            throw new AssertionError("The mutation of " + type + " does not compile");
        }
        Map<String, byte[]> bytes = new HashMap<>();
        classes.forEach((name, stream) -> bytes.put(name, stream.toByteArray()));
        return bytes;
    }

    private String source() {
        Path file = Path.of("../src/main/java", type.replace('.', '/') + ".java");
        String source;
        try {
            source = Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int first = source.indexOf(snippet);
        if (first < 0 || source.indexOf(snippet, first + 1) >= 0) {
            throw new AssertionError(
                    "%s has the snippet of this mutation not exactly once; say what brings the defect back now:%n%s"
                            .formatted(file, snippet));
        }
        return source.substring(0, first) + replacement + source.substring(first + snippet.length());
    }

    /** Loads all that is ours again, with the changed class. */
    private static final class Mutated extends ClassLoader {
        private final Map<String, byte[]> changed;

        Mutated(Map<String, byte[]> changed) {
            super(Mutation.class.getClassLoader());
            this.changed = changed;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(OURS)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            byte[] bytes = changed.get(name);
            if (bytes == null) {
                try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                    if (file == null) {
                        throw new ClassNotFoundException(name);
                    }
                    bytes = file.readAllBytes();
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String type, String text) {
            super(URI.create("string:///" + type.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Output extends SimpleJavaFileObject {
        private final OutputStream bytes;

        Output(String type, OutputStream bytes) {
            super(URI.create("bytes:///" + type.replace('.', '/') + ".class"), Kind.CLASS);
            this.bytes = bytes;
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }
}
