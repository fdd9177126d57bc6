// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.client.concurrent.Ticker;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Enables observations if the application supplies a registry. */
public final class ObservationSelection {
    /** The manager property whose value is an {@code ObservationRegistry}; without it, nothing is observed. */
    public static final String REGISTRY_PROPERTY = "keyslot.observationRegistry";

    private ObservationSelection() {}

    /**
     * Returns the observations of one client. Without a registry, Micrometer need not be on the class path.
     *
     * @throws IllegalArgumentException if the property has a value that is not an observation registry
     */
    public static Observations select(String manager, Properties properties, Ticker ticker) {
        @Nullable Object registry = properties.get(REGISTRY_PROPERTY);
        return registry == null ? Observations.NONE : MicrometerObservations.create(manager, registry, ticker);
    }

    /** Returns the interfaces of groups and their handles, which proxies implement if calls are observed. */
    public static List<Class<?>> observedHandles() {
        return ObservedHandles.HANDLES.stream()
                .<Class<?>>map(ObservedHandles.Handle::type)
                .toList();
    }
}
