// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rooms stay rooms: how large packages, constructors and records may become, and who may know whom. */
class FloorPlanTest {
    private static final Path CLIENT = Path.of("src/main/java");
    private static final Path API = Path.of("../cache-api/src/main/java");
    private static final Path KIT = Path.of("testkit/src/main/java");
    private static final Path CLUSTER = Path.of("../cache-cluster/src/main/java");

    private static final String OURS = "io.keyslot.client";
    private static final int MOST_FILES = 40;
    private static final int MOST_LINES = 3_000;
    private static final int MOST_FLOORS = 12;
    private static final int MOST_PARAMETERS = 6;
    private static final int MOST_COMPONENTS = 10;
    private static final int MOST_PACKAGES = 8;

    /** Objects as graphs are much for one package, and nothing but one package: it has one door. */
    private static final String GRAPH = "io.keyslot.client.codec.graph";

    /** A line of the list of packages. */
    private static final Pattern LINE = Pattern.compile("(?m)^ {2}(io\\.keyslot\\.client\\S*) ");

    @Test
    void packages_areRooms() throws IOException {
        assertThat(FloorPlan.of(CLIENT, API, CLUSTER).tooLarge(MOST_FILES, MOST_LINES))
                .allMatch(offender -> offender.startsWith(GRAPH + " "));
    }

    @Test
    void names_standForOneClass() throws IOException {
        assertThat(FloorPlan.of(CLIENT, API, KIT, CLUSTER).namedTwice()).isEmpty();
    }

    @Test
    void onlyAssemblies_knowManyPackages() throws IOException {
        assertThat(FloorPlan.of(CLIENT).knowingTooMany(MOST_PACKAGES, OURS)).isEmpty();
    }

    @Test
    void house_hasFewFloors() throws IOException {
        assertThat(FloorPlan.of(CLIENT).floors(OURS)).isGreaterThan(1).isLessThanOrEqualTo(MOST_FLOORS);
    }

    @Test
    void packagesOfTheDocument_dependOnThoseBelow() throws IOException {
        FloorPlan plan = FloorPlan.of(CLIENT);
        String document = Files.readString(Path.of("../docs/architecture.md"));
        List<String> listed =
                LINE.matcher(document).results().map(line -> line.group(1)).toList();

        assertThat(listed).containsExactlyInAnyOrderElementsOf(plan.packages());
        assertThat(plan.upwards(listed)).isEmpty();
    }

    @Test
    void nobody_knowsTheFace() {
        assertThat(ArchitectureRules.mainClasses().stream()
                        .filter(type -> !type.getPackageName().equals("io.keyslot.client.jcache"))
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .filter(dependency ->
                                dependency.getTargetClass().getPackageName().equals("io.keyslot.client.jcache")))
                .isEmpty();
    }

    @Test
    void constructors_takeFewThings() {
        assertThat(ArchitectureRules.mainClasses().stream()
                        .filter(type -> !type.isRecord() && !type.isAnonymousClass() && !type.isLocalClass())
                        .flatMap(type -> type.getConstructors().stream())
                        .filter(constructor -> parametersOf(constructor) > MOST_PARAMETERS)
                        .map(JavaConstructor::getFullName))
                .isEmpty();
    }

    /** Returns how many parameters the source has: the compiler adds some to those of enums and of inner classes. */
    private static int parametersOf(JavaConstructor constructor) {
        JavaClass type = constructor.getOwner();
        int added = type.isEnum() ? 2 : type.isInnerClass() ? 1 : 0;
        boolean isMadeUp = constructor.getModifiers().contains(JavaModifier.SYNTHETIC);
        return isMadeUp ? 0 : constructor.getRawParameterTypes().size() - added;
    }

    @Test
    void records_haveFewComponents() {
        assertThat(ArchitectureRules.mainClasses().stream()
                        .filter(type -> type.isRecord() && type.getPackageName().startsWith(OURS))
                        .map(JavaClass::reflect)
                        .filter(type -> type.getRecordComponents().length > MOST_COMPONENTS)
                        .map(Class::getName))
                .isEmpty();
    }

    /** Each rule finds who breaks it. */
    @Nested
    class Offenders {
        @TempDir
        private Path folder;

        private void source(String packageName, String name, String... imports) throws IOException {
            Path room = folder.resolve(packageName.replace('.', '/'));
            Files.createDirectories(room);
            StringBuilder text = new StringBuilder("package " + packageName + ";\n\n");
            Stream.of(imports)
                    .forEach(each -> text.append("import ").append(each).append(";\n"));
            Files.writeString(room.resolve(name + ".java"), text.append("class " + name + " {}\n"));
        }

        @Test
        void largePackages_areFound() throws IOException {
            source("io.keyslot.a", "One");
            source("io.keyslot.a", "Two");
            source("io.keyslot.b", "Three");

            FloorPlan plan = FloorPlan.of(folder);

            assertThat(plan.tooLarge(1, 100)).containsExactly("io.keyslot.a has 2 files, 6 lines");
            assertThat(plan.tooLarge(100, 2)).hasSize(2);
        }

        @Test
        void secondNames_areFound() throws IOException {
            source("io.keyslot.a", "One");
            source("io.keyslot.b", "One");

            assertThat(FloorPlan.of(folder).namedTwice()).containsExactly("One is in [io.keyslot.a, io.keyslot.b]");
        }

        @Test
        void whoKnowsMany_isFound_unlessItPutsOthersTogether() throws IOException {
            source("io.keyslot.a", "One", "io.keyslot.b.Two", "io.keyslot.c.Three");
            source("io.keyslot.a", "OneAssembly", "io.keyslot.b.Two", "io.keyslot.c.Three");

            assertThat(FloorPlan.of(folder).knowingTooMany(1, "io.keyslot"))
                    .containsExactly("io.keyslot.a.One imports from 2 packages");
        }

        @Test
        void dependenciesUpwards_areFound_andFloorsCounted() throws IOException {
            source("io.keyslot.a", "One", "io.keyslot.b.Two");
            source("io.keyslot.b", "Two", "io.keyslot.c.Three");
            source("io.keyslot.c", "Three");

            FloorPlan plan = FloorPlan.of(folder);

            assertThat(plan.floors("io.keyslot")).isEqualTo(3);
            assertThat(plan.upwards(List.of("io.keyslot.a", "io.keyslot.b", "io.keyslot.c")))
                    .isEmpty();
            assertThat(plan.upwards(List.of("io.keyslot.b", "io.keyslot.a", "io.keyslot.c")))
                    .containsExactly("io.keyslot.a.One depends on io.keyslot.b, which stands above it");
        }
    }
}
