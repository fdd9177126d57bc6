// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.benchmarks.server.BenchmarkServers;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A build without something is still a cache: otherwise it would be compared at another task. */
class SafetyBuildsIT {
    private static final BenchmarkServers SERVERS = BenchmarkServers.start(3);

    @AfterAll
    static void endServers() {
        SERVERS.close();
    }

    static List<SafetyBuild> builds() {
        return SafetyFeature.builds().stream().map(SafetyBuild::new).toList();
    }

    @ParameterizedTest
    @MethodSource("builds")
    void whatWasPut_isRead(SafetyBuild build, @TempDir Path directory) throws Exception {
        Path classes = build.compile(directory);
        String servers = SERVERS.uris().stream().map(URI::toString).collect(Collectors.joining(","));

        try (URLClassLoader loader = new URLClassLoader(classPath(classes), ClassLoader.getPlatformClassLoader())) {
            assertThat(call(loader, "keyslot-metered", servers)).isEqualTo("as it was put");
            assertThat(call(loader, "keyslot-embedded-metered", servers)).isEqualTo("as it was put");
            for (Path source : build.sources(Checkout.ofThisProgram()).keySet()) {
                assertThat(placeOf(loader, source)).isEqualTo(classes.toUri().toURL());
            }
        }
    }

    private static URL[] classPath(Path first) throws MalformedURLException {
        List<Path> places = Stream.concat(
                        Stream.of(first),
                        Stream.of(System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator)))
                                .map(Path::of))
                .toList();
        URL[] urls = new URL[places.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = places.get(i).toUri().toURL();
        }
        return urls;
    }

    /** JCache looks for providers by the class loader of the thread. */
    private static Object call(ClassLoader loader, String contender, String servers)
            throws ReflectiveOperationException {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            return loader.loadClass(PutAndGet.class.getName())
                    .getMethod("run", String.class, String.class)
                    .invoke(null, contender, servers);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static URL placeOf(ClassLoader loader, Path source) throws ClassNotFoundException {
        String name = source.toString().replace(".java", "").replace(File.separatorChar, '.');
        return loader.loadClass(name).getProtectionDomain().getCodeSource().getLocation();
    }
}
