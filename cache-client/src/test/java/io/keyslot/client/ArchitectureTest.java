// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    /** Far fewer than there are; only an import that went wrong finds so few. */
    private static final int FEWEST_CLASSES = 40;

    private static final JavaClasses CLASSES = ArchitectureRules.mainClasses();
    private static final String CLIENT = "io.keyslot.client";

    /** A line of the list of packages, from top to bottom. */
    private static final Pattern LINE = Pattern.compile("(?m)^ {2}(io\\.keyslot\\.client\\S*) ");

    @Test
    void classes_areFound() {
        assertThat(CLASSES).hasSizeGreaterThan(FEWEST_CLASSES);
        assertThat(CLASSES.contain("io.keyslot.client.partition.Command")).isTrue();
    }

    @Test
    void packages_haveNoCycles() {
        ArchitectureRules.packagesHaveNoCycles().check(CLASSES);
    }

    @Test
    void packages_areNullMarked() {
        ArchitectureRules.packagesAreNullMarked().check(CLASSES);
    }

    @Test
    void onlyTheRedisEngine_knowsLettuce() {
        ArchitectureRules.onlyTheRedisEngineKnowsLettuce().check(CLASSES);
    }

    @Test
    void onlyMetrics_knowMicrometer() {
        ArchitectureRules.onlyMetricsKnowMicrometer().check(CLASSES);
    }

    @Test
    void onlyCodecs_readSerializedObjects() {
        ArchitectureRules.onlyCodecsReadSerializedObjects().check(CLASSES);
    }

    @Test
    void onlyTheSystemTicker_readsTheClock() {
        ArchitectureRules.onlyTheSystemTickerReadsTheClock().check(CLASSES);
    }

    @Test
    void nobody_sleeps() {
        ArchitectureRules.noneSleeps().check(CLASSES);
    }

    @Test
    void onlyTheWaiterAndTheEventLoop_block() {
        ArchitectureRules.onlyTheWaiterAndTheEventLoopBlock().check(CLASSES);
    }

    private static List<String> listedPackages() throws IOException {
        String document = Files.readString(Path.of("../docs/contributing/architecture.md"));
        return LINE.matcher(document).results().map(line -> line.group(1)).toList();
    }

    private static List<JavaClass> clientClasses() {
        return CLASSES.stream()
                .filter(type -> type.getPackageName().startsWith(CLIENT))
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .toList();
    }

    /** Returns the dependencies on packages that the list has above the package of their origin. */
    private static List<String> upward(List<String> fromTopToBottom) {
        return clientClasses().stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(dependency -> {
                    int target =
                            fromTopToBottom.indexOf(dependency.getTargetClass().getPackageName());
                    int origin =
                            fromTopToBottom.indexOf(dependency.getOriginClass().getPackageName());
                    return target >= 0 && target < origin;
                })
                .map(dependency -> dependency.getOriginClass().getName() + " depends on "
                        + dependency.getTargetClass().getName())
                .distinct()
                .toList();
    }

    @Test
    void document_listsAllPackages() throws IOException {
        Set<String> packages =
                clientClasses().stream().map(JavaClass::getPackageName).collect(Collectors.toSet());

        assertThat(listedPackages()).containsExactlyInAnyOrderElementsOf(packages);
    }

    @Test
    void packages_dependOnThoseBelowThem() throws IOException {
        assertThat(upward(listedPackages())).isEmpty();
    }

    @Test
    void dependencyOnAPackageAbove_isFound() throws IOException {
        List<String> upsideDown = new ArrayList<>(listedPackages());
        Collections.reverse(upsideDown);

        assertThat(upward(upsideDown)).isNotEmpty();
    }
}
