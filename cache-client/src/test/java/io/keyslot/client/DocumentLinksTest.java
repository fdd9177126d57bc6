// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents lead to files that are there. */
class DocumentLinksTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern CODE = Pattern.compile("```.*?```|`[^`\n]*`", Pattern.DOTALL);
    private static final Pattern BLOCK = Pattern.compile("```.*?```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");
    private static final Pattern PLACE = Pattern.compile("]\\(([^)#:]*)#([^)]*)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
    private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\"></a>");

    /** Fewer would mean that the wrong folder was searched. */
    private static final int FEWEST_DOCUMENTS = 20;

    @Test
    void documents_areFound() throws IOException {
        assertThat(documents()).hasSizeGreaterThan(FEWEST_DOCUMENTS);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void links_leadToFiles(Path document) throws IOException {
        assertThat(links(document))
                .allSatisfy(link -> assertThat(document.resolveSibling(link)).exists());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void placesInDocuments_areThere(Path document) throws IOException {
        for (MatchResult place : PLACE.matcher(
                        CODE.matcher(Files.readString(document)).replaceAll(""))
                .results()
                .toList()) {
            Path target = place.group(1).isEmpty() ? document : document.resolveSibling(place.group(1));
            if (target.toString().endsWith(".md")) {
                assertThat(placesIn(target))
                        .as("%s in %s", place.group(), document)
                        .contains(place.group(2));
            }
        }
    }

    @Test
    void placeOfAHeading_isAsAWebsiteMakesIt() {
        assertThat(placeOf("keyslot:fence:… and `keyslot:dirty:…`")).isEqualTo("keyslotfence-and-keyslotdirty");
        assertThat(placeOf("FLUSHALL, FLUSHDB, a lost `keyslot:meta`"))
                .isEqualTo("flushall-flushdb-a-lost-keyslotmeta");
    }

    @Test
    void everyDocumentOfTheFolder_isInAnIndex() throws IOException {
        Path folder = ROOT.resolve("docs").normalize();
        List<Path> linked = new ArrayList<>();
        for (Path index : List.of(
                folder.resolve("index.md"), folder.resolve("contributing").resolve("index.md"))) {
            links(index).forEach(link -> linked.add(index.resolveSibling(link).normalize()));
        }

        assertThat(documents().stream().map(Path::normalize).filter(document -> document.startsWith(folder)))
                .filteredOn(document -> !document.equals(folder.resolve("index.md")))
                .isSubsetOf(linked);
    }

    static List<Path> documents() throws IOException {
        try (Stream<Path> here = Files.list(ROOT)) {
            return here.filter(path -> !path.getFileName().toString().startsWith("."))
                    .flatMap(DocumentLinksTest::documentsIn)
                    .toList();
        }
    }

    /** Of a module, only what is at its top; of the folder of documents, everything. */
    private static Stream<Path> documentsIn(Path path) {
        int depth = path.endsWith("docs") ? 2 : 1;
        try (Stream<Path> files = Files.walk(path, depth)) {
            return files.filter(file -> file.toString().endsWith(".md")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Headings, and what is marked where a heading once was. */
    private static List<String> placesIn(Path document) throws IOException {
        String text = BLOCK.matcher(Files.readString(document)).replaceAll("");
        return Stream.concat(
                        HEADING.matcher(text).results().map(heading -> placeOf(heading.group(1))),
                        ANCHOR.matcher(text).results().map(anchor -> anchor.group(1)))
                .toList();
    }

    private static String placeOf(String heading) {
        return heading.strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
    }

    private static List<String> links(Path document) throws IOException {
        return LINK.matcher(CODE.matcher(Files.readString(document)).replaceAll(""))
                .results()
                .map((MatchResult link) -> link.group(1))
                .toList();
    }
}
