// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.partition.redis.cluster.ClusterLinks;
import io.keyslot.client.partition.redis.cluster.ClusterMember;
import io.keyslot.client.partition.redis.handshake.Predecessors;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Redirects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a connection has in common with the others of its connector.
 *
 * @param clientName how the client is called
 * @param predecessors is told when the connection ends while the server owes answers
 * @param member the node that it leads to; null for an instance that runs alone
 * @param isToReplica whether the server is only read
 */
record Standing(
        ClientName clientName,
        Predecessors predecessors,
        @Nullable ClusterMember member,
        boolean isToReplica) {
    /** Returns where the server sends commands that are not for it; null for an instance that runs alone. */
    @Nullable
    Redirects redirects(Consumer<String> close) {
        if (member == null) {
            return null;
        }
        ClusterLinks links = member.home().links();
        return isToReplica ? links.fromReplica() : links.from(member.host(), member.port(), close);
    }

    /** Notes a connection of a cluster, by which commands may be sent that another node sends there, until it is lost. */
    void opened(CommandWriter writer, Consumer<String> close, CompletableFuture<String> lost) {
        if (member != null && !isToReplica) {
            ClusterLinks links = member.home().links();
            links.opened(member.host(), member.port(), writer, close);
            Futures.whenOver(lost, (why, failure) -> links.lost(writer));
        }
    }
}
