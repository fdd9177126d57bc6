// SPDX-License-Identifier: Apache-2.0
package io.keyslot.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What one run of the conformance tests wrote.
 *
 * @param tests the tests that were reported, whether or not they did anything
 * @param skipped those that the report itself calls skipped
 * @param excluded the tests, as {@code class#method}, that were reported as passed although they did not run: the
 *     conformance tests only log that
 * @param engines the engines that were started, as their log says
 * @param nearCaches how often a cache with a near cache was made, as their log says
 */
record TckReport(int tests, int skipped, TreeSet<String> excluded, TreeSet<String> engines, int nearCaches) {
    private static final Pattern EXCLUSION = Pattern.compile("EXCLUDING TEST '([^']+)'\\s+'([^']+)'");

    private static final Pattern NEAR_CACHE = Pattern.compile("Cache \\S+: near cache of ");

    private static final Pattern ENGINE = Pattern.compile("Keyslot \\S+: engine (\\w+)");

    /** Reads the report files of a folder. A folder without any is a report of no tests. */
    static TckReport read(Path folder) {
        int tests = 0;
        int skipped = 0;
        TreeSet<String> excluded = new TreeSet<>();
        TreeSet<String> engines = new TreeSet<>();
        int nearCaches = 0;
        for (Path file : filesOf(folder)) {
            Document report = parse(file);
            tests += report.getElementsByTagName("testcase").getLength();
            skipped += report.getElementsByTagName("skipped").getLength();
            for (String output : outputsOf(report)) {
                excluded.addAll(excludedIn(output));
                engines.addAll(enginesIn(output));
                nearCaches += (int) NEAR_CACHE.matcher(output).results().count();
            }
        }
        return new TckReport(tests, skipped, excluded, engines, nearCaches);
    }

    /** Returns the tests that a log says were excluded. */
    static TreeSet<String> excludedIn(String log) {
        return EXCLUSION.matcher(log).results().map(TckReport::testOf).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the engines that a log says were started. */
    static TreeSet<String> enginesIn(String log) {
        return ENGINE.matcher(log)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Path> filesOf(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Document parse(Path file) {
        try {
            return DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SAXException | ParserConfigurationException e) {
            throw new IllegalStateException("%s is not a test report".formatted(file), e);
        }
    }

    private static List<String> outputsOf(Document report) {
        return Stream.of("system-out", "system-err")
                .map(report::getElementsByTagName)
                .flatMap(TckReport::textsOf)
                .toList();
    }

    private static Stream<String> textsOf(NodeList elements) {
        return IntStream.range(0, elements.getLength())
                .mapToObj(index -> elements.item(index).getTextContent());
    }

    private static String testOf(MatchResult exclusion) {
        return exclusion.group(1) + "#" + exclusion.group(2);
    }
}
