// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The files of the page: they ask for nothing elsewhere, and hold what the policy of the server allows. */
class OperatorPageTest {
    /** What a browser loads before it shows something, with what is told to it first. */
    private static final int MOST_BYTES = 40_000;

    private static final List<String> FILES =
            List.of("index.html", "page.css", "page.js", "heat.js", "tables.js", "icon.svg", "alert.svg");

    /** A name space is no address, and a link is only followed by those who click it. */
    private static final Pattern HARMLESS =
            Pattern.compile("http://www.w3.org/2000/svg|<a id=\"docs\" href=\"https://github.com/[^\"]*\"");

    private static String text(String name) {
        try (InputStream file = Objects.requireNonNull(OperatorPage.class.getResourceAsStream("serve/" + name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void files_areSmall() {
        assertThat(FILES.stream()
                        .mapToInt(name -> text(name).getBytes(StandardCharsets.UTF_8).length)
                        .sum())
                .isLessThan(MOST_BYTES);
    }

    @Test
    void nothing_comesFromElsewhere() {
        assertThat(FILES)
                .allSatisfy(name -> assertThat(HARMLESS.matcher(text(name)).replaceAll(""))
                        .doesNotContain("http:", "https:", "//cdn", "@import", "eval(", "innerHTML"));
    }

    @Test
    void html_hasNoScriptAndNoStyleInIt() {
        assertThat(text("index.html")).doesNotContainPattern(Pattern.compile("\\s(style|on[a-z]+)=|<style|<script>"));
    }

    @Test
    void everyElementThatTheScriptAsksFor_isThere() {
        String html = text("index.html");

        assertThat(Pattern.compile("\\$\\('([a-z-]+)'\\)")
                        .matcher(text("page.js"))
                        .results())
                .isNotEmpty()
                .allSatisfy(id -> assertThat(html).contains("id=\"" + id.group(1) + "\""));
    }
}
