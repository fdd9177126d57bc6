// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanDocument;
import io.keyslot.cluster.plan.PlanRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A plan that {@code keyslot plan} has written.
 *
 * @param path where it is
 */
public record PlanFile(Path path, Plan plan) {
    private static final Pattern NAME = Pattern.compile("(p-[0-9a-f]{8})(-\\d+)?");

    /**
     * Reads it.
     *
     * @throws IOException if the file cannot be read
     * @throws PlanRefusedException if it says no plan, or was changed
     */
    public static PlanFile read(Path path) throws IOException {
        if (!Files.isReadable(path)) {
            throw new IOException("%s is not a file that can be read".formatted(path));
        }
        return new PlanFile(path, PlanDocument.read(Files.readAllBytes(path)));
    }

    /**
     * Reads the plan that a word stands for: a file, or the name of a plan or of one of its moves, whose file is in this directory.
     *
     * @throws PlanRefusedException if it stands for none
     */
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
