// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanDocument;
import io.keyslot.cluster.plan.PlanRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A plan in a file that {@code keyslot plan} wrote. */
record PlanFile(Path path, Plan plan) {
    private static final Pattern NAME = Pattern.compile("(p-[0-9a-f]{8})(-\\d+)?");

    /** Reads a plan; throws {@link PlanRefusedException} if it is not a plan, or was changed. */
    public static PlanFile read(Path path) throws IOException {
        if (!Files.isReadable(path)) {
            throw new IOException("%s is not a file that can be read".formatted(path));
        }
        return new PlanFile(path, PlanDocument.read(Files.readAllBytes(path)));
    }

    /** Reads a plan by its file, or by the name of the plan or a move, from a file in the current directory. */
    public static PlanFile named(String word) throws IOException {
        Matcher name = NAME.matcher(word);
        Path file = Path.of(word);
        Path found = !Files.exists(file) && name.matches() ? Path.of("plan-" + name.group(1) + ".json") : file;
        if (!Files.isReadable(found)) {
            throw new PlanRefusedException(
                    "%s is no move of the map, and there is no plan of that name: %s cannot be read"
                            .formatted(word, found));
        }
        return read(found);
    }
}
