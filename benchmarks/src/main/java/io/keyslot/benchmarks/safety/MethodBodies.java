// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.safety;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of the methods in a Java source, by class, name and types of the parameters: {@code Gate.admits(Command)}. What
 * else stands in the source does not matter, nor where a method stands. Immutable.
 */
final class MethodBodies {
    private final String source;
    private final Map<String, Range> bodies;

    private MethodBodies(String source, Map<String, Range> bodies) {
        this.source = source;
        this.bodies = bodies;
    }

    private record Range(int from, int to) {}

    /**
     * Reads a source.
     *
     * @throws IllegalArgumentException if it cannot be parsed
     */
    static MethodBodies of(String source) {
        List<String> problems = new ArrayList<>();
        JavacTask task = (JavacTask) compiler()
                .getTask(
                        null,
                        null,
                        problem -> problems.add(problem.toString()),
                        null,
                        null,
                        List.of(new Source(source)));
        try {
            CompilationUnitTree unit = task.parse().iterator().next();
            if (!problems.isEmpty()) {
                throw new IllegalArgumentException("Not Java: " + problems.get(0));
            }
            Finder finder = new Finder(unit, Trees.instance(task).getSourcePositions());
            finder.scan(unit, null);
            return new MethodBodies(source, finder.found);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read a text", e);
        }
    }

    /**
     * Returns the compiler of this JDK.
     *
     * @throws IllegalStateException if there is none
     */
    static JavaCompiler compiler() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("This Java has no compiler; set JAVA_HOME to a JDK");
        }
        return compiler;
    }

    /** Returns the methods. */
    List<String> names() {
        return List.copyOf(bodies.keySet());
    }

    /**
     * Returns this source with the bodies of another one, in which there may be fewer methods.
     *
     * @throws IllegalArgumentException if there is a method that this source has not
     */
    String with(MethodBodies others) {
        Map<Range, String> lastFirst =
                new TreeMap<>(Comparator.comparingInt(Range::from).reversed());
        others.bodies.forEach((name, range) -> {
            Range own = bodies.get(name);
            if (own == null) {
                throw new IllegalArgumentException("there is no %s; there are %s".formatted(name, names()));
            }
            lastFirst.put(own, others.source.substring(range.from(), range.to()));
        });
        StringBuilder changed = new StringBuilder(source);
        lastFirst.forEach((range, body) -> changed.replace(range.from(), range.to(), body));
        return changed.toString();
    }

    /** Looks for methods. */
    private static final class Finder extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final Map<String, Range> found = new LinkedHashMap<>();
        private String enclosing = "";

        Finder(CompilationUnitTree unit, SourcePositions positions) {
            this.unit = unit;
            this.positions = positions;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
            String outer = enclosing;
            enclosing = outer + type.getSimpleName() + ".";
            super.visitClass(type, null);
            enclosing = outer;
            return null;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
            BlockTree body = method.getBody();
            if (body != null) {
                String parameters = method.getParameters().stream()
                        .map(VariableTree::getType)
                        .map(Object::toString)
                        .collect(Collectors.joining(", ", "(", ")"));
                found.put(
                        enclosing + method.getName() + parameters,
                        new Range(
                                Math.toIntExact(positions.getStartPosition(unit, body)),
                                Math.toIntExact(positions.getEndPosition(unit, body))));
            }
            return null; // Classes within methods have no methods that anybody replaces.
        }
    }

    /** A source that is a text. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///Source.java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
