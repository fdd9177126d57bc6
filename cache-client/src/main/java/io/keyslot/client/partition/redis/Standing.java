// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.partition.redis.cluster.ClusterLinks;
import io.keyslot.client.partition.redis.cluster.ClusterMember;
import io.keyslot.client.partition.redis.handshake.Predecessors;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Redirection;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The state that all connections of a connector share. The member is null for a standalone instance. */
record Standing(
        ClientName clientName,
        Predecessors predecessors,
        @Nullable ClusterMember member,
        boolean isToReplica) {
    Redirection.@Nullable Handler redirects(Consumer<String> close) {
        if (member == null) {
            return null;
        }
        ClusterLinks links = member.home().links();
        return isToReplica ? links.fromReplica() : links.from(member.host(), member.port(), close);
    }

    /** Registers a connection of a cluster as a target of redirected commands until it is lost. */
    void opened(CommandWriter writer, Consumer<String> close, CompletableFuture<String> lost) {
        if (member != null && !isToReplica) {
            ClusterLinks links = member.home().links();
            links.opened(member.host(), member.port(), writer, close);
            Futures.whenOver(lost, (why, failure) -> links.lost(writer));
        }
    }
}
