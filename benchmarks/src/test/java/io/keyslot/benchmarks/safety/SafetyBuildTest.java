// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.safety;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is switched off is still there to be switched off. */
class SafetyBuildTest {
    private final Checkout checkout = Checkout.ofThisProgram();

    @ParameterizedTest
    @EnumSource
    void sources_ofABuildWithoutAFeature_differFromTheClients(SafetyFeature feature) throws IOException {
        Map<Path, String> sources = new SafetyBuild(List.of(feature)).sources(checkout);

        assertThat(sources).isNotEmpty();
        for (Map.Entry<Path, String> source : sources.entrySet()) {
            assertThat(source.getValue())
                    .isNotEqualTo(Files.readString(checkout.client().resolve(source.getKey())));
        }
    }

    @Test
    void buildWithoutAnything_compiles(@TempDir Path directory) throws IOException {
        List<SafetyFeature> all = SafetyFeature.builds().get(SafetyFeature.values().length);
        SafetyBuild build = new SafetyBuild(all);

        Path classes = build.compile(directory);

        assertThat(all).containsExactly(SafetyFeature.values());
        assertThat(classesIn(classes))
                .containsAll(build.sources(checkout).keySet().stream()
                        .map(name -> name.toString().replace(".java", ".class"))
                        .toList());
    }

    @Test
    void features_haveNoMethodInCommon() throws IOException {
        Set<String> methods = new HashSet<>();
        for (SafetyFeature feature : SafetyFeature.values()) {
            Path replacements = checkout.replacements(feature);
            for (Path file : filesIn(replacements)) {
                for (String method : MethodBodies.of(Files.readString(file)).names()) {
                    assertThat(methods.add(replacements.relativize(file) + " " + method))
                            .as(method)
                            .isTrue();
                }
            }
        }
        assertThat(methods).hasSizeGreaterThan(SafetyFeature.values().length);
    }

    private static Set<String> classesIn(Path directory) throws IOException {
        return filesIn(directory).stream()
                .map(file -> directory.relativize(file).toString())
                .collect(Collectors.toSet());
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}
