// SPDX-License-Identifier: Apache-2.0
package io.keyslot;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.ObjectInputStream;
import java.time.Instant;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    /** Fewer than there are; only an import that went wrong finds so few. */
    private static final int FEWEST_CLASSES = 20;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.keyslot");

    @Test
    void classes_areFound() {
        assertThat(CLASSES).hasSizeGreaterThan(FEWEST_CLASSES);
        assertThat(CLASSES.contain("io.keyslot.slot.SlotMap")).isTrue();
    }

    @Test
    void packages_haveNoCycles() {
        slices().matching("io.keyslot.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void packages_areNullMarked() {
        assertThat(CLASSES)
                .extracting(JavaClass::getPackage)
                .allSatisfy(found -> assertThat(found.isAnnotatedWith(NullMarked.class))
                        .as(found.getName())
                        .isTrue());
    }

    @Test
    void slotArithmetic_isPure() {
        classes()
                .that()
                .resideInAPackage("io.keyslot.slot..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.keyslot.slot..",
                        "java.lang",
                        "java.lang.runtime",
                        "java.nio",
                        "java.nio.charset",
                        "java.util",
                        "java.util.function",
                        "java.util.regex",
                        "java.util.stream",
                        "org.jspecify.annotations")
                .because("slot arithmetic must be testable without a server, a clock or a thread")
                .check(CLASSES);
    }

    @Test
    void api_needsNothingButJCacheAndJSpecify() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.keyslot..", "java..", "javax.cache..", "org.jspecify.annotations")
                .because("applications compile against it")
                .check(CLASSES);
    }

    @Test
    void api_hasNoClockNoThreadAndNoInput() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ObjectInputStream.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .because("it is pure")
                .check(CLASSES);
    }
}
