// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.SlotTransfer;
import java.util.List;

/** The other connections to an incarnation of a partition. */
final class IncarnationPeers implements EmbeddedTransfer.Peers {
    private final EmbeddedIncarnation incarnation;
    private final long id;
    private final String address;

    IncarnationPeers(EmbeddedIncarnation incarnation, long id, String address) {
        this.incarnation = incarnation;
        this.id = id;
        this.address = address;
    }

    @Override
    public List<SlotTransfer.Peer> all() {
        return incarnation.connections().stream()
                .filter(other -> other.id() != id)
                .map(EmbeddedConnection::peer)
                .toList();
    }

    @Override
    public long dismiss(List<Long> ids) {
        List<EmbeddedConnection> dismissed = incarnation.connections().stream()
                .filter(other -> ids.contains(other.id()))
                .toList();
        dismissed.forEach(other -> other.lose("the connection to " + address + " was ended by a coordinator"));
        return dismissed.size();
    }
}
