// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import java.util.Properties;

/** Selects Micrometer for measurements if it is on the class path. */
public final class MetersSelection {
    /** The manager property with a {@code MeterRegistry}; without it, Micrometer's global registry is used. */
    public static final String REGISTRY_PROPERTY = "keyslot.meterRegistry";

    private MetersSelection() {}

    /**
     * Returns the meters of one client.
     *
     * @param wanted whether the configuration enables meters
     * @param manager the name of the client's manager, for a tag
     * @param properties the manager's
     * @throws IllegalArgumentException if the property has a value that is not a meter registry
     */
    public static Meters select(boolean wanted, String manager, Properties properties) {
        return wanted && isMicrometerPresent()
                ? MicrometerMeters.create(manager, properties.get(REGISTRY_PROPERTY))
                : Meters.NONE;
    }

    private static boolean isMicrometerPresent() {
        try {
            Class.forName("io.micrometer.core.instrument.MeterRegistry", false, MetersSelection.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
