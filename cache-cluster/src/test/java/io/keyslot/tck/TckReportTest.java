// SPDX-License-Identifier: Apache-2.0
package io.keyslot.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TckReportTest {
    @TempDir
    @SuppressWarnings("NullAway") // set by JUnit
    private Path folder;

    @Test
    void missingFolder_isAReportOfNoTests() {
        assertThat(TckReport.read(folder.resolve("none")).tests()).isZero();
    }

    @Test
    void testCasesOfAllFiles_areCounted() throws IOException {
        write("TEST-a.xml", "<testcase/><testcase><skipped/></testcase>");
        write("TEST-b.xml", "<testcase/>");
        write("summary.xml", "<testcase/>");

        TckReport report = TckReport.read(folder);

        assertThat(report.tests()).isEqualTo(3);
        assertThat(report.skipped()).isEqualTo(1);
    }

    @Test
    void testThatTheLogCallsExcluded_isFoundThoughItPassed() throws IOException {
        write(
                "TEST-a.xml",
                "<testcase><system-err><![CDATA[INFO: ===== EXCLUDING TEST 'org.A'\t'one'.]]></system-err></testcase>"
                        + "<testcase><system-out>x\nINFO: ===== EXCLUDING TEST 'org.A'\t'two'.</system-out></testcase>");

        assertThat(TckReport.read(folder).excluded()).containsExactly("org.A#one", "org.A#two");
    }

    @Test
    void enginesOfTheLog_areFound() throws IOException {
        write("TEST-a.xml", "<system-err>INFO Assembly - Keyslot keyslot: engine embedded, 3 partitions</system-err>");

        assertThat(TckReport.read(folder).engines()).containsExactly("embedded");
    }

    @Test
    void nearCachesOfTheLog_areCounted() throws IOException {
        write(
                "TEST-a.xml",
                "<system-err>DEBUG Assembly - Cache a: near cache of 10 entries\nCache b: near cache of 1</system-err>");

        assertThat(TckReport.read(folder).nearCaches()).isEqualTo(2);
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(folder.resolve(name), "<testsuite>" + content + "</testsuite>");
    }
}
