// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The connections of one client to the nodes of a cluster, by address. Thread-safe. */
final class ClusterLinks {
    private record Link(String host, int port, CommandWriter writer, Consumer<String> close) {}

    private final List<Link> open = new CopyOnWriteArrayList<>();

    private volatile ClusterHome.Listener listener = new ClusterHome.Listener() {
        @Override
        public void moved(int slot, String host, int port) {}

        @Override
        public void look() {}
    };

    void listen(ClusterHome.Listener newest) {
        listener = newest;
    }

    void opened(String host, int port, CommandWriter writer, Consumer<String> close) {
        open.add(new Link(host, port, writer, close));
    }

    void lost(CommandWriter writer) {
        open.removeIf(link -> link.writer().equals(writer));
    }

    Optional<CommandWriter> at(String host, int port) {
        return open.stream()
                .filter(link -> link.port() == port && link.host().equals(host))
                .map(Link::writer)
                .findFirst();
    }

    /** Returns the host of the connections to a port; empty if there is none, or there are several. */
    private Optional<String> onlyHostAt(int port) {
        List<String> hosts = open.stream()
                .filter(link -> link.port() == port)
                .map(Link::host)
                .distinct()
                .toList();
        return hosts.size() == 1 ? Optional.of(hosts.get(0)) : Optional.empty();
    }

    void closeAll(String why) {
        open.forEach(link -> link.close().accept(why));
    }

    /**
     * Returns the redirects of a connection to a replica. Its commands are only reads and are never redirected; the
     * caller asks the primary. A redirecting replica may follow another primary now, for which one refresh of the view
     * is enough.
     */
    Redirection.Handler fromReplica() {
        AtomicBoolean isPublished = new AtomicBoolean();
        return new Redirection.Handler() {
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

    /** Returns the redirects of the connection to an address; the consumer closes it with a reason. */
    Redirection.Handler from(String host, int port, Consumer<String> close) {
        return new Redirection.Handler() {
            @Override
            public void redirected(Redirection to) {
                Optional<String> named = named(to);
                if (named.isEmpty()) {
                    listener.look();
                } else if (to.port() == port && named.get().equals(host)) {
                    // Another node has this address now, or the host name resolves differently.
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

            // A node without a name is identified by its port only, and differs from this one.
            private Optional<String> named(Redirection to) {
                if (to.host().equals("?")) {
                    return onlyHostAt(to.port()).filter(only -> to.port() != port || !only.equals(host));
                }
                return Optional.of(to.host().isEmpty() ? host : to.host());
            }
        };
    }
}
