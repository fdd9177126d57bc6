// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.ConfigurationLoader;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of the documents compile, and their settings are read. */
class SnippetsTest {
    private static final Path DOCS = Documents.DOCS;

    /** {@code LibrariesGuideIT} and {@code StepByStepIT} compile the first two; the libraries of the third are not here. */
    private static final Set<String> ELSEWHERE = Set.of("clients.md", "step-by-step.md");

    /** Fewer would mean that the expressions find nothing any more. */
    private static final int FEWEST_SNIPPETS = 25;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void snippets_areFound() throws IOException {
        assertThat(snippets(snippet -> snippet.is("java") || snippet.is("yaml")))
                .hasSizeGreaterThan(FEWEST_SNIPPETS);
    }

    @ParameterizedTest
    @MethodSource
    void settings_areReadWithoutProblems(Snippet settings) throws IOException {
        Path file = Files.writeString(
                folder.resolve("keyslot.yaml"), settings.is("yaml") ? withKnownClasses(settings.text()) : "");

        assertThat(ConfigurationLoader.load(
                                file.toUri(),
                                URI.create("keyslot"),
                                getClass().getClassLoader(),
                                settings.is("properties") ? propertiesOf(settings) : new Properties(),
                                name -> "secret")
                        .partitions())
                .isNotEmpty();
    }

    static List<Snippet> settings_areReadWithoutProblems() throws IOException {
        return snippets(snippet -> snippet.is("yaml")
                || (snippet.is("properties") && snippet.text().startsWith("keyslot.")));
    }

    @ParameterizedTest
    @MethodSource
    void file_compiles(Snippet file) throws IOException {
        assertThat(JavaSnippets.problemsOfUnit(file, folder)).isEmpty();
    }

    static List<Snippet> file_compiles() throws IOException {
        return snippets(snippet -> isJavaOfHere(snippet) && snippet.isUnit() && !isOfAnotherModule(snippet));
    }

    @ParameterizedTest
    @MethodSource
    void statementsOfAPage_compile(Path page) throws IOException {
        List<Snippet> statements = Snippet.of(page).stream()
                .filter(snippet -> isJavaOfHere(snippet) && !snippet.isUnit())
                .toList();

        assertThat(JavaSnippets.problemsOfStatements(statements, folder)).isEmpty();
    }

    static Stream<Path> statementsOfAPage_compile() throws IOException {
        return snippets(snippet -> isJavaOfHere(snippet) && !snippet.isUnit()).stream()
                .map(Snippet::document)
                .distinct();
    }

    @Test
    void applicationOfSpring_isTheOneThatSpringGuideITRuns() throws IOException {
        Predicate<Snippet> isApplication = snippet -> snippet.mentions("@SpringBootApplication");
        String run = only(DOCS.resolve("spring.md"), isApplication).text();

        assertThat(snippets(isApplication))
                .hasSizeGreaterThan(1)
                .allSatisfy(snippet -> assertThat(snippet.text()).isEqualTo(run));
    }

    @Test
    void whatIsWrong_isNoticed() throws IOException {
        Snippet wrong = new Snippet(DOCS, 1, "java", "customers.put(\"Ada\");\n");

        assertThat(JavaSnippets.problemsOfStatements(List.of(wrong), folder)).contains("customers.put");
        assertThat(wrong.isUnit()).isFalse();
    }

    static Snippet only(Path document, Predicate<Snippet> wanted) throws IOException {
        List<Snippet> found = Snippet.of(document).stream().filter(wanted).toList();
        assertThat(found).as("blocks of %s", document).hasSize(1);
        return found.get(0);
    }

    private static List<Snippet> snippets(Predicate<Snippet> wanted) throws IOException {
        List<Snippet> found = new ArrayList<>();
        for (Path document : Documents.all()) {
            Snippet.of(document).stream().filter(wanted).forEach(found::add);
        }
        return found;
    }

    private static boolean isJavaOfHere(Snippet snippet) {
        String page = snippet.document().getFileName().toString();
        return snippet.is("java") && !ELSEWHERE.contains(page);
    }

    private static boolean isOfAnotherModule(Snippet snippet) {
        return snippet.mentions("org.springframework.web.")
                || snippet.mentions("jakarta.persistence.")
                || snippet.mentions("import io.keyslot.spring.");
    }

    /** The application's classes are such as are there. */
    private static String withKnownClasses(String yaml) {
        return yaml.replaceAll("com.acme.VisitWriter|ViewWriter", nameOf(TakenForGranted.Writer.class))
                .replace("com.acme.shop.BookLoader", TakenForGranted.Loader.class.getName())
                .replaceAll("(?<=valueType: )com.acme.shop.(Customer|Book)", nameOf(TakenForGranted.Customer.class));
    }

    private static String nameOf(Class<?> type) {
        return Matcher.quoteReplacement(type.getName());
    }

    private static Properties propertiesOf(Snippet snippet) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(snippet.text()));
        return properties;
    }
}
