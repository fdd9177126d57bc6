// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.CommandFollower;
import io.keyslot.client.telemetry.convention.CommandContext;
import io.keyslot.client.telemetry.convention.CommandConvention;
import io.micrometer.observation.Observation;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Observes commands within an observed call, not those that Keyslot sends by itself. */
record ObservedCommands(GuardedRegistry registry) implements CommandFollower {
    private static final CommandConvention CONVENTION = new CommandConvention();
    private static final String NOT_KNOWN = "unknown";

    @Override
    public boolean isFollowing() {
        return registry.current() != null;
    }

    @Override
    public @Nullable Followed begin(PartitionOptions partition, Command<?> command) {
        PartitionUri uri = partition.uri();
        if (uri == null) {
            return null; // an embedded partition
        }
        CommandContext context =
                new CommandContext(partition.name(), command.name(), uri.host(), uri.port(), uri.database());
        Observation observation = registry.begin(CONVENTION, context);
        return observation == null ? null : reply -> end(observation, context, reply);
    }

    private void end(Observation observation, CommandContext context, @Nullable Reply<?> reply) {
        if (reply instanceof Reply.Refused<?> refused) {
            context.fail(refused.refusal().name().toLowerCase(Locale.ROOT));
        } else if (!(reply instanceof Reply.Done)) {
            context.fail(NOT_KNOWN);
        }
        registry.end(observation, null);
    }
}
