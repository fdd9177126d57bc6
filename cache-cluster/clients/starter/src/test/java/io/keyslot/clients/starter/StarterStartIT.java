// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.cache.CacheException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;
import org.springframework.core.io.DefaultResourceLoader;

/** What comes before an application works: an error at its start, and the step ahead of time. */
class StarterStartIT {
    /** Where Spring Boot says why an application did not start, besides the log. */
    public static final class Reported implements FailureAnalysisReporter {
        private static final List<FailureAnalysis> REPORTS = new CopyOnWriteArrayList<>();

        /** Called by Spring Boot. */
        public Reported() {}

        @Override
        public void report(FailureAnalysis analysis) {
            REPORTS.add(analysis);
        }
    }

    @Test
    void errorAtTheStart_isExplained(@TempDir Path folder) throws Exception {
        Path factories = Files.createDirectory(folder.resolve("META-INF")).resolve("spring.factories");
        Files.writeString(factories, FailureAnalysisReporter.class.getName() + "=" + Reported.class.getName());
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            SpringApplication application = new SpringApplication(new DefaultResourceLoader(loader), Library.class);

            assertThatThrownBy(() -> application.run(
                            "--server.port=0", "--keyslot.deadlines.call=10 parsecs", "--keyslot.caches.books.tll=1h"))
                    .hasRootCauseInstanceOf(CacheException.class);
        }

        assertThat(Reported.REPORTS).singleElement().satisfies(report -> {
            assertThat(report.getDescription())
                    .contains("deadlines.call is \"10 parsecs\"", "did you mean ttl", "commandLineArgs");
            assertThat(report.getAction()).contains("keyslot.*");
        });
    }

    @Test
    void stepAheadOfTime_seesTheStarter(@TempDir Path folder) throws Exception {
        SpringApplicationAotProcessor.main(new String[] {
            Library.class.getName(),
            folder.resolve("sources").toString(),
            folder.resolve("resources").toString(),
            folder.resolve("classes").toString(),
            "io.keyslot",
            "library"
        });

        assertThat(contentsOf(folder.resolve("sources"))).contains("KeyslotAutoConfiguration", "keyslotManager");
        assertThat(contentsOf(folder.resolve("resources")).replace("\\/", "/")).contains("io/keyslot/client/");
    }

    private static String contentsOf(Path folder) throws Exception {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }
}
