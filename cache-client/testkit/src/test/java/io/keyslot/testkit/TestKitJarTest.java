// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.keyslot.client.ArchitectureRules;
import java.io.IOException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the published kit consists of: it must not need a library that an application does not have. */
class TestKitJarTest {
    private static final int FEWEST_CLASSES = 15;

    private static final JavaClasses KIT = new ClassFileImporter()
            .withImportOption(location -> !location.matches(Pattern.compile(".*Test(\\$.*)?\\.class")))
            .importPackages("io.keyslot.testkit");

    @Test
    void classes_areFound() {
        assertThat(KIT).hasSizeGreaterThan(FEWEST_CLASSES);
    }

    @Test
    void kit_needsTheClientAndJUnitOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "javax.cache..",
                        "io.keyslot..",
                        "org.jspecify.annotations..",
                        "org.junit.jupiter.api.extension..")
                .because("an application has nothing else for certain")
                .check(KIT);
    }

    @Test
    void kit_neitherReadsTheClockNorSleeps() {
        ArchitectureRules.onlyTheSystemTickerReadsTheClock().check(KIT);
        ArchitectureRules.noneSleeps().check(KIT);
        ArchitectureRules.packagesAreNullMarked().check(KIT);
    }

    @Test
    void tests_standInNoPackageOfTheClient() throws IOException {
        assertThat(ArchitectureRules.testsInPackagesOfTheClient(TestKitJarTest.class))
                .isEmpty();
    }
}
