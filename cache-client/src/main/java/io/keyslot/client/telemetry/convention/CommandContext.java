// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry.convention;

import io.keyslot.slot.PartitionId;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import org.jspecify.annotations.Nullable;

/** What is known of one command to an instance: all attempts and the pauses between them. Safe for use by several threads. */
@SuppressWarnings("exports") // who uses this requires Micrometer
public final class CommandContext extends SenderContext<Object> {
    private final PartitionId partition;
    private final String command;
    private final String host;
    private final int port;
    private final int database;
    private volatile @Nullable String failure;

    /** Made by Keyslot only. Nothing is added to the command: a server could do nothing with it. */
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

    /** Returns the partition that the instance is. */
    public PartitionId partition() {
        return partition;
    }

    /** Returns the command, as the meter {@code keyslot.command} has it. */
    public String command() {
        return command;
    }

    /** Returns where the instance is. */
    public String host() {
        return host;
    }

    /** Returns where the instance is. */
    public int port() {
        return port;
    }

    /** Returns the number of the database of the instance. */
    public int database() {
        return database;
    }

    /** Returns why it was not executed, or {@code unknown} if that is not known; null if it was, or has not ended. */
    public @Nullable String failure() {
        return failure;
    }

    /** Notes why it was not executed. */
    public void fail(String why) {
        failure = why;
    }
}
