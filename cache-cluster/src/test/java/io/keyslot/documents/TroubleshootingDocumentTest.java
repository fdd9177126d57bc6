// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The messages with which items of {@code docs/troubleshooting.md} begin are those of the code. */
@SuppressWarnings("NullAway.Init") // set before all tests
class TroubleshootingDocumentTest {
    private static final Path PAGE = Documents.DOCS.resolve("troubleshooting.md");

    /** One or several codes, before the text. */
    private static final Pattern BEGINNING = Pattern.compile("(?m)^- ((?:`[^`\\n]+`(?:[,:]\\s+|:?$))+)");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** Literals that {@code +} joins are one text. */
    private static final Pattern LITERAL =
            Pattern.compile("\"(?:[^\"\\\\\\n]|\\\\.)*\"(?:\\s*\\+\\s*\"(?:[^\"\\\\\\n]|\\\\.)*\")*");

    private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");

    /** Fewer would mean that the expressions find nothing any more. */
    private static final int FEWEST_MESSAGES = 40;

    private static List<String> literals;

    @BeforeAll
    static void readLiterals() throws IOException {
        try (Stream<Path> files = Files.walk(Documents.ROOT)) {
            literals = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/main/"))
                    .flatMap(TroubleshootingDocumentTest::literalsOf)
                    .toList();
        }
    }

    @Test
    void messages_areFound() throws IOException {
        assertThat(messages().toList()).hasSizeGreaterThan(FEWEST_MESSAGES);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void message_isOneOfTheCode(String message) {
        assertThat(partsOf(message))
                .isNotEmpty()
                .allSatisfy(part -> assertThat(isInCode(part))
                        .as("'%s' of '%s'", part, message)
                        .isTrue());
    }

    @Test
    void messageThatNobodySays_isNoticed() {
        assertThat(isInCode("the server is tired")).isFalse();
        assertThat(isInCode("the server asks for a password;")).isTrue();
    }

    /** A code that is one word is a name, a setting or a value. */
    static Stream<String> messages() throws IOException {
        return BEGINNING
                .matcher(Documents.textOf(PAGE))
                .results()
                .flatMap(beginning -> CODE.matcher(beginning.group(1)).results())
                .map((MatchResult code) -> code.group(1))
                .filter(code -> code.strip().contains(" "));
    }

    private static List<String> partsOf(String message) {
        return Arrays.stream(message.split("…"))
                .map(String::strip)
                .filter(part -> part.chars().anyMatch(Character::isLetter))
                .toList();
    }

    private static boolean isInCode(String part) {
        return literals.stream().anyMatch(literal -> literal.contains(part));
    }

    private static Stream<String> literalsOf(Path file) {
        try {
            return LITERAL.matcher(Files.readString(file))
                    .results()
                    .map(found -> JOINT.matcher(found.group()).replaceAll(""))
                    .map(text -> text.replace("\\\"", "\""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
