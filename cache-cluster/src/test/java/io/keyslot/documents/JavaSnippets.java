// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles blocks of Java with the class path of this test. */
final class JavaSnippets {
    private static final String NAMES = Stream.of(
                    "io.keyslot.cache",
                    "io.keyslot.documents.TakenForGranted",
                    "io.keyslot.cache.event",
                    "io.keyslot.cache.failure",
                    "io.keyslot.cache.feed",
                    "io.keyslot.cache.near",
                    "io.keyslot.cache.queue",
                    "java.time",
                    "java.util",
                    "java.util.concurrent",
                    "javax.cache",
                    "javax.cache.configuration",
                    "javax.cache.event",
                    "javax.cache.integration",
                    "javax.cache.processor",
                    "javax.cache.spi")
            .map("import %s.*;\n"::formatted)
            .collect(Collectors.joining());

    private static final Pattern TYPE =
            Pattern.compile("(?m)^(?:public )?(?:final )?(?:class|record|interface) (\\w+)");

    private JavaSnippets() {}

    /** Returns what the compiler says against a block that is a file; nothing if it compiles. */
    static String problemsOfUnit(Snippet snippet, Path target) throws IOException {
        boolean hasImports = snippet.mentions("\nimport ") || snippet.text().startsWith("import ");
        return problems(hasImports ? snippet.text() : inPackageOfExamples(snippet.text()), target);
    }

    /** Returns what the compiler says against files of one program; nothing if they compile. */
    static String problemsOfProgram(List<String> sources, Path target) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean isCompiled = compiler.getTask(
                            messages,
                            files,
                            null,
                            List.of("-d", target.toString(), "-proc:none", "-Xlint:none"),
                            null,
                            sources.stream().map(Source::new).toList())
                    .call();
            return isCompiled ? "" : messages.toString();
        }
    }

    /** Returns what the compiler says against blocks that are statements, one after the other as on their page. */
    static String problemsOfStatements(List<Snippet> snippets, Path target) throws IOException {
        String statements = snippets.stream().map(Snippet::text).collect(Collectors.joining("\n"));
        return problems(
                inPackageOfExamples("class Page extends TakenForGranted {\n    void read() throws Exception {\n"
                        + statements + "    }\n}\n"),
                target);
    }

    private static String inPackageOfExamples(String text) {
        return "package io.keyslot.documents;\n" + NAMES + text;
    }

    private static String problems(String source, Path target) throws IOException {
        return problemsOfProgram(List.of(source), target);
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///" + nameOf(text) + Kind.SOURCE.extension), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        private static String nameOf(String text) {
            Matcher type = TYPE.matcher(text);
            return type.find() ? type.group(1) : "Page";
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
