// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
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

/** The packages of the client depend only on packages that {@code docs/contributing/architecture.md} lists below them. */
class PackageOrderTest {
    private static final String CLIENT = "io.keyslot.client";

    /** A line of the list of packages, which stand from top to bottom. */
    private static final Pattern LINE = Pattern.compile("(?m)^ {2}(io\\.keyslot\\.client\\S*) ");

    private static List<String> listedPackages() throws IOException {
        String document = Files.readString(Path.of("../docs/contributing/architecture.md"));
        return LINE.matcher(document).results().map(line -> line.group(1)).toList();
    }

    private static List<JavaClass> clientClasses() {
        return ArchitectureRules.mainClasses().stream()
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
