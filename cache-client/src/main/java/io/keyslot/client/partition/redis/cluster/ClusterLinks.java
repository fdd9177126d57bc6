// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Redirection;
import io.keyslot.client.partition.redis.wire.Redirects;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The connections of one client to the nodes of a cluster, by their address. Safe for use by several threads. */
public final class ClusterLinks {
    /** One connection that is in use. */
    private record Link(String host, int port, CommandWriter writer, Consumer<String> close) {}

    /** As many as the cluster has primaries, or twice as many: those of the caches first, as they are made first. */
    private final List<Link> open = new CopyOnWriteArrayList<>();

    private volatile ClusterListener listener = new ClusterListener() {
        @Override
        public void moved(int slot, String host, int port) {}

        @Override
        public void look() {}
    };

    /** Tells somebody from now on. */
    void tell(ClusterListener newest) {
        listener = newest;
    }

    /** Notes that there is a connection to an address. */
    public void opened(String host, int port, CommandWriter writer, Consumer<String> close) {
        open.add(new Link(host, port, writer, close));
    }

    /** Notes that a connection is lost. */
    public void lost(CommandWriter writer) {
        open.removeIf(link -> link.writer().equals(writer));
    }

    /** Returns the writer of the connection to an address. */
    Optional<CommandWriter> at(String host, int port) {
        return open.stream()
                .filter(link -> link.port() == port && link.host().equals(host))
                .map(Link::writer)
                .findFirst();
    }

    /** Returns the host of the connections to a port; empty if there are none, or to several hosts. */
    private Optional<String> onlyHostAt(int port) {
        List<String> hosts = open.stream()
                .filter(link -> link.port() == port)
                .map(Link::host)
                .distinct()
                .toList();
        return hosts.size() == 1 ? Optional.of(hosts.get(0)) : Optional.empty();
    }

    /** Closes all connections, whose answers are not to be taken for answers any more. */
    void closeAll(String why) {
        open.forEach(link -> link.close().accept(why));
    }

    /**
     * Returns what a connection to a replica knows of the others. It is only read: what the node does not serve, the primary is asked for. A node
     * that sends a command elsewhere may follow another primary by now, for which one look is enough.
     */
    public Redirects fromReplica() {
        AtomicBoolean isPublished = new AtomicBoolean();
        return new Redirects() {
            @Override
            public void redirected(Redirection to) {
                if (isPublished.compareAndSet(false, true)) {
                    listener.look();
                }
            }

            @Override
            public Optional<CommandWriter> at(Redirection to) {
                return Optional.empty();
            }
        };
    }

    /**
     * Returns what one connection knows of the others.
     *
     * @param host of the node that the connection leads to
     * @param close closes the connection for a reason
     */
    public Redirects from(String host, int port, Consumer<String> close) {
        return new Redirects() {
            @Override
            public void redirected(Redirection to) {
                Optional<String> named = named(to);
                if (named.isEmpty()) {
                    listener.look();
                } else if (to.port() == port && named.get().equals(host)) {
                    // Another node has got the address since this connection was made, or the name leads elsewhere now.
                    close.accept("the node says that another one has its address");
                    listener.look();
                } else if (!to.isOnce()) {
                    listener.moved(to.slot(), named.get(), to.port());
                } else if (at(to).isEmpty()) {
                    listener.look();
                }
            }

            @Override
            public Optional<CommandWriter> at(Redirection to) {
                return named(to).flatMap(where -> ClusterLinks.this.at(where, to.port()));
            }

            // A node that was not told its name is known by its port only, if at all, and is another one than this.
            private Optional<String> named(Redirection to) {
                if (to.host().equals("?")) {
                    return onlyHostAt(to.port()).filter(only -> to.port() != port || !only.equals(host));
                }
                return Optional.of(to.host().isEmpty() ? host : to.host());
            }
        };
    }
}
