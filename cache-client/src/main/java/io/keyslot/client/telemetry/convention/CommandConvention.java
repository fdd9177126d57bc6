// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry.convention;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The naming of observed commands, by OpenTelemetry's conventions for database clients:
 * {@code db.client.operation.duration}, with the low-cardinality keys {@code db.system.name}, {@code db.namespace},
 * {@code db.operation.name}, {@code error.type}, {@code server.address}, {@code server.port}, and
 * {@code keyslot.partition}. There are no high-cardinality keys, no key of an entry, and no text of a command.
 *
 * <p>It can be replaced like {@link CallConvention}.
 */
@SuppressWarnings("exports") // users of this class require Micrometer
public class CommandConvention implements ObservationConvention<CommandContext> {
    private static final KeyValue SYSTEM = KeyValue.of("db.system.name", "redis");

    /** A meter needs the same keys each time. */
    private static final String NO_ERROR = "none";

    /** Creates a convention, also for subclasses. */
    public CommandConvention() {}

    @Override
    public String getName() {
        return "db.client.operation.duration";
    }

    @Override
    public String getContextualName(CommandContext context) {
        return context.command();
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof CommandContext;
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(CommandContext context) {
        String failure = context.failure();
        return KeyValues.of(
                SYSTEM,
                KeyValue.of("db.namespace", String.valueOf(context.database())),
                KeyValue.of("db.operation.name", context.command()),
                KeyValue.of("error.type", failure == null ? NO_ERROR : failure),
                KeyValue.of("keyslot.partition", context.partition().name()),
                KeyValue.of("server.address", context.host()),
                KeyValue.of("server.port", String.valueOf(context.port())));
    }
}
