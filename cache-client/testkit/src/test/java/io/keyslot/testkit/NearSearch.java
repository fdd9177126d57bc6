// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import io.keyslot.simulation.Schedules;
import java.util.function.BiFunction;

/** {@link NearSimulation} so that it can be called from outside of its class loader: it answers what went wrong, if something did. */
public final class NearSearch implements BiFunction<String, Integer, String> {
    @Override
    public String apply(String unused, Integer schedules) {
        for (int seed = 0; seed < schedules; seed++) {
            try (Schedules.Schedule schedule = new NearSimulation(seed, nearReads -> {})) {
                schedule.run();
            } catch (AssertionError e) {
                return "Seed %d: %s".formatted(seed, e.getMessage());
            }
        }
        return "";
    }
}
