// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry.convention;

import io.keyslot.slot.PartitionId;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import org.jspecify.annotations.Nullable;

/** The context of the observation of one command to an instance, with all attempts and pauses. Thread-safe. */
@SuppressWarnings("exports") // users of this class require Micrometer
public final class CommandContext extends SenderContext<Object> {
    private final PartitionId partition;
    private final String command;
    private final String host;
    private final int port;
    private final int database;
    private volatile @Nullable String failure;

    /** Created by Keyslot only. Adds nothing to the command, because a server would not use it. */
    public CommandContext(PartitionId partition, String command, String host, int port, int database) {
        super((carrier, name, value) -> {}, Kind.CLIENT);
        this.partition = partition;
        this.command = command;
        this.host = host;
        this.port = port;
        this.database = database;
        setRemoteServiceName("redis");
        setRemoteServiceAddress(host + ":" + port);
    }

    /** Returns the partition of the instance. */
    public PartitionId partition() {
        return partition;
    }

    /** Returns the command, in the form of the meter {@code keyslot.command}. */
    public String command() {
        return command;
    }

    /** Returns the host of the instance. */
    public String host() {
        return host;
    }

    /** Returns the port of the instance. */
    public int port() {
        return port;
    }

    /** Returns the number of the database of the instance. */
    public int database() {
        return database;
    }

    /**
     * Returns the reason of a refusal, or {@code unknown} if the outcome is; null after success, and before the end.
     */
    public @Nullable String failure() {
        return failure;
    }

    /** Records the reason of a refusal. */
    public void fail(String why) {
        failure = why;
    }
}
