// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/consistency.md} has every promise once, and {@code docs/contributing/promises.md} the code and the tests of each.
 * {@link NamedCodeTest} looks for these.
 */
@SuppressWarnings("NullAway.Init") // set before all tests
class ConsistencyDocumentTest {
    /** {@code | 12 | promise | by | shown by |}, or {@code | 12 less | …}. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+)( less)? \\| (.*?) \\| (.*?) ?\\| (.*?) ?\\|$");

    /** Any row that is meant to be one of a promise. */
    private static final Pattern NUMBERED = Pattern.compile("(?m)^\\|\\s*\\d+(\\s+less)?\\s*\\|.*$");

    private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w*)`(?=[:;,. ]|$)");
    /** {@code - **12. A promise.**} */
    private static final Pattern PARAGRAPH = Pattern.compile("(?m)^- \\*\\*(\\d+)\\. ");

    private static final Pattern HEADLINE = Pattern.compile("\\*\\*(.+?)\\*\\*");

    private static ProjectCode code;
    private static List<Row> rows;

    /** A promise, or in which case it is less. */
    private record Row(int number, boolean less, String text, String by, String tests) {}

    @BeforeAll
    static void readRows() throws IOException {
        code = ProjectCode.read();
        rows = new ArrayList<>();
        String document = Documents.textOf(Documents.CONTRIBUTING.resolve("promises.md"));
        Matcher row = ROW.matcher(document);
        while (row.find()) {
            rows.add(new Row(
                    Integer.parseInt(row.group(1)), row.group(2) != null, row.group(3), row.group(4), row.group(5)));
        }
        assertThat(NUMBERED.matcher(document).results()).hasSameSizeAs(rows);
    }

    @Test
    void promises_areNumberedInTheirOrderAndThereOnce() {
        List<Integer> numbers = promises().map(Row::number).toList();

        // A number is not given again: a promise that was withdrawn leaves a gap.
        assertThat(numbers).hasSizeGreaterThan(40).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void everyParagraph_isOfOnePromise() throws IOException {
        List<Integer> paragraphs = PARAGRAPH
                .matcher(Documents.textOf(Documents.DOCS.resolve("consistency.md")))
                .results()
                .map(paragraph -> Integer.valueOf(paragraph.group(1)))
                .toList();

        assertThat(paragraphs)
                .hasSizeGreaterThan(40)
                .doesNotHaveDuplicates()
                .isSubsetOf(promises().map(Row::number).toList());
    }

    @Test
    void headlinesOfPromises_differ() {
        assertThat(promises().map(ConsistencyDocumentTest::headlineOf)).doesNotHaveDuplicates();
    }

    @Test
    void everyPromise_saysWhatKeepsIt() {
        assertThat(promises())
                .allSatisfy(promise -> assertThat(classesIn(promise.by()))
                        .as("what keeps %d", promise.number())
                        .isNotEmpty());
    }

    @Test
    void everyPromise_isShownByATestThatIsThere() {
        assertThat(promises())
                .allSatisfy(promise -> assertThat(classesIn(promise.tests()))
                        .as("what shows %d", promise.number())
                        .isNotEmpty()
                        .allMatch(test -> code.hasTests(test)));
    }

    @Test
    void whatIsLess_standsBelowItsPromise() {
        int last = 0;
        for (Row row : rows) {
            if (row.less()) {
                assertThat(row.number()).as(row.text()).isEqualTo(last);
                assertThat(classesIn(row.tests())).allMatch(test -> code.hasTests(test));
            }
            last = row.number();
        }
    }

    private static Stream<Row> promises() {
        return rows.stream().filter(row -> !row.less());
    }

    private static String headlineOf(Row promise) {
        Matcher headline = HEADLINE.matcher(promise.text());
        assertThat(headline.find()).as("%d has a headline", promise.number()).isTrue();
        return headline.group(1);
    }

    /** Returns the classes that are named, without their tests and members. */
    private static List<String> classesIn(String cell) {
        return Arrays.stream(cell.split(";|, "))
                .map(String::strip)
                .flatMap(part ->
                        CLASS.matcher(part.replaceAll("\\.[A-Za-z.]+`", "`")).results())
                .map(found -> found.group(1))
                .toList();
    }
}
