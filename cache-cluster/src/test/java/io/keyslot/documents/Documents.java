// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The documents that describe the present state. Decision records describe earlier states, and are not among them. */
final class Documents {
    static final Path ROOT = Path.of("..");
    static final Path DOCS = ROOT.resolve("docs");
    static final Path CONTRIBUTING = DOCS.resolve("contributing");

    private static final Pattern FENCED = Pattern.compile("```.*?```", Pattern.DOTALL);

    /** Its tables begin with the words of other software. */
    private static final String WORDS_OF_OTHERS = "coming-from.md";

    private static final Pattern FIRST_COLUMN = Pattern.compile("(?m)^\\|[^|\\n]*\\|");

    private Documents() {}

    /** Returns those of the project, of its modules, for users and for contributors. */
    static List<Path> all() throws IOException {
        try (Stream<Path> here = Files.walk(ROOT, 2);
                Stream<Path> contributing = Files.list(CONTRIBUTING)) {
            return Stream.concat(here, contributing)
                    .filter(path -> path.getFileName().toString().endsWith(".md"))
                    .filter(path -> !path.toString().contains("/."))
                    // A changelog names what was, too.
                    .filter(path -> !path.endsWith("CHANGELOG.md"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the text without blocks of code, which a compiler or a reader looks at. */
    static String textOf(Path document) throws IOException {
        String text = FENCED.matcher(Files.readString(document)).replaceAll("");
        return document.endsWith(WORDS_OF_OTHERS) ? FIRST_COLUMN.matcher(text).replaceAll("|") : text;
    }
}
