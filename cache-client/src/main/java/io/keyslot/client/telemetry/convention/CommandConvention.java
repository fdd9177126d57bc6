// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry.convention;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * How commands to instances are named: by OpenTelemetry's conventions for clients of databases. The observation is {@code
 * db.client.operation.duration}; its low-cardinality keys are {@code db.system.name}, {@code db.namespace}, {@code
 * db.operation.name}, {@code error.type}, {@code server.address}, {@code server.port}, and {@code keyslot.partition}. No key of
 * an entry and no text of a command is among them, and nothing is of high cardinality.
 *
 * <p>It is replaced as {@link CallConvention} is.
 */
@SuppressWarnings("exports") // who uses this requires Micrometer
public class CommandConvention implements ObservationConvention<CommandContext> {
    private static final KeyValue SYSTEM = KeyValue.of("db.system.name", "redis");

    /** A meter needs the same keys each time. */
    private static final String NO_ERROR = "none";

    /** Called by those that extend it, too. */
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
