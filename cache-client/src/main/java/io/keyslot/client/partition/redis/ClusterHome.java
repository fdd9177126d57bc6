// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's view of a cluster: asks nodes for the primaries, and shares the record and epoch. Thread-safe. */
public final class ClusterHome implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterHome.class);

    private static final int RECORD_SLOT = InstanceRecord.KEY.slot();

    private static final int MOST_ATTEMPTS = 3;

    /** Limits the open doors if a cluster changes its addresses all the time. */
    private static final int MOST_DOORS = 1_000;

    public record Address(String host, int port) {}

    /** Sends occasional queries to one address, apart from the connections for commands. Thread-safe. */
    public interface Door extends AutoCloseable {
        String address();

        /** Sends a query over a new connection within the connect timeout. Fails only with a {@link ConnectFailure}. */
        <T> CompletableFuture<T> ask(Function<RedisAsyncCommands<byte[], byte[]>, CompletableFuture<T>> question);

        @Override
        void close();
    }

    /** Receives what nodes of a cluster report without being asked. Must neither block nor throw. */
    public interface Listener {
        /** Called when the owner of a slot in the newest view has named its new owner. */
        void moved(int slot, String host, int port);

        /** Called when the view may be outdated. */
        void look();
    }

    private final List<Address> seeds;
    private final Function<Address, Door> maker;
    private final PartitionIdentity identity;
    private final Remembered remembered;
    private final ClusterLinks links = new ClusterLinks();
    private final Map<Address, Door> doors = new ConcurrentHashMap<>();
    private volatile ClusterOwners newest = new ClusterOwners(List.of());
    private final AtomicReference<ClusterRecord.@Nullable Agreed> agreed = new AtomicReference<>();
    private volatile boolean closed;

    /**
     * Creates the view of a cluster.
     *
     * @param seeds the nodes that are asked if no known node answers
     * @param maker opens a door to an address
     * @param identity of the cluster: one name, with all slots
     */
    public ClusterHome(List<Address> seeds, Function<Address, Door> maker, PartitionIdentity identity) {
        this(seeds, maker, identity, new Remembered(Incarnation.randomIds(new SecureRandom())));
    }

    /** Creates the view with the memory of the epochs in which this process has used the cluster. */
    ClusterHome(List<Address> seeds, Function<Address, Door> maker, PartitionIdentity identity, Remembered remembered) {
        this.seeds = List.copyOf(seeds);
        this.maker = maker;
        this.identity = identity;
        this.remembered = remembered;
    }

    public void listen(Listener listener) {
        links.listen(listener);
    }

    ClusterLinks links() {
        return links;
    }

    public void adopt(ClusterOwners view) {
        newest = view;
    }

    /**
     * Asks nodes for the primaries until one knows all of them: known nodes in random order, then the seeds. The next
     * node is asked when the previous one has failed or does not answer soon. If none answers, the future fails with
     * the most significant {@link ConnectFailure}.
     */
    public CompletableFuture<ClusterOwners> look(Timing timing) {
        List<Address> known = new ArrayList<>();
        newest.primaries().forEach(node -> known.add(new Address(node.host(), node.port())));
        List<Address> asked = new ArrayList<>();
        while (!known.isEmpty()) {
            asked.add(known.remove(timing.random().nextInt(known.size())));
        }
        seeds.stream().filter(seed -> !asked.contains(seed)).forEach(asked::add);
        return new Inquiry(asked, this::view, timing).run();
    }

    /** Returns the {@link ConnectFailure}; the contract of doors allows no other exception. */
    public static ConnectFailure failureOf(@Nullable Throwable failure) {
        if (failure == null) {
            return new ConnectFailure(ConnectFailure.Kind.UNREACHABLE, "neither an answer nor a failure", null);
        }
        return ConnectDiagnosis.find(failure, ConnectFailure.class)
                .orElseGet(() -> new ConnectFailure(
                        ConnectFailure.Kind.UNREACHABLE, "unexpected " + ConnectDiagnosis.reason(failure), failure));
    }

    CompletableFuture<ClusterOwners> view(Address address) {
        if (closed) {
            return CompletableFuture.failedFuture(
                    new ConnectFailure(ConnectFailure.Kind.UNREACHABLE, "the client was closed", null));
        }
        Door door = door(address);
        ClusterAnswers answers = new ClusterAnswers(address.host());
        return door.ask(redis -> new HandshakeCommands(redis, door.address())
                .checkNode()
                .thenCompose(node -> redis.dispatch(
                                CommandType.CLUSTER,
                                new NestedMultiOutput<>(ByteArrayCodec.INSTANCE),
                                new CommandArgs<>(ByteArrayCodec.INSTANCE).add("SLOTS"))
                        .handle((answer, failure) ->
                                failure == null ? answers.slots(answer) : Optional.<ClusterOwners>empty()))
                .thenApply(view -> view.filter(ClusterOwners::isComplete).orElseThrow(() -> incomplete(door))));
    }

    private static CompletionException incomplete(Door door) {
        return new CompletionException(ConnectFailure.at(
                door.address(),
                ConnectFailure.Kind.UNREACHABLE,
                "the node knows no primary for some slots: see CLUSTER INFO there, and redis-cli --cluster check",
                null));
    }

    /** Agrees on the record of the cluster, for one connection. Fails with a {@link ConnectFailure}. */
    CompletableFuture<ClusterRecord.Agreed> agree() {
        return atRecord((record, view) -> record.agree(() -> dropAll(view)), MOST_ATTEMPTS)
                .thenApply(known -> {
                    ClusterRecord.Agreed before = agreed.getAndUpdate(last -> newer(last, known));
                    if (before != null && before.epoch() != newer(before, known).epoch()) {
                        links.closeAll("the cluster's epoch has changed");
                    }
                    return newer(before, known);
                });
    }

    /** Returns the newer one. While a cluster is unused, read-only connections share an epoch that no entry has. */
    private static ClusterRecord.Agreed newer(ClusterRecord.@Nullable Agreed before, ClusterRecord.Agreed known) {
        return before != null
                        && before.incarnation().isEmpty()
                        && known.incarnation().isEmpty()
                ? before
                : known;
    }

    /**
     * Agrees on the record before there are connections. The client that begins the first incarnation drops all other
     * connections. Never fails: the connections report obstacles later.
     */
    public CompletableFuture<Void> prepare() {
        return agree().handle((known, failure) -> null);
    }

    /** Checks whether the cluster would accept this client. Fails with a {@link ConnectFailure}. */
    CompletableFuture<Void> readRecord() {
        return atRecord((record, view) -> record.look(), MOST_ATTEMPTS);
    }

    /** Closes the connections of this client if its epoch has ended. Neither throws nor blocks. */
    public void checkEpoch() {
        ClusterRecord.Agreed known = agreed.get();
        if (known == null || known.incarnation().isEmpty() || closed) {
            return;
        }
        String expected = known.incarnation().get().text();
        newest.ownerOf(RECORD_SLOT)
                .flatMap(owner -> links.at(owner.host(), owner.port()))
                .ifPresent(writer -> Futures.whenOver(incarnationBy(writer), (reply, failure) -> {
                    boolean isAnother = reply instanceof Reply.Done<String> done
                            && !done.value().equals(expected);
                    if (isAnother && agreed.compareAndSet(known, null)) {
                        links.closeAll("the cluster's epoch has changed");
                    }
                }));
    }

    private static CompletableFuture<Reply<String>> incarnationBy(CommandWriter writer) {
        byte[][] field = Resp.arguments(InstanceRecord.KEY, Incarnation.FIELD);
        return writer.write(writer.bare(CommandType.HGET, Resp.value(), field, Route.ANY, Resp::text));
    }

    /**
     * Ends this epoch unless it is over: all stored values become misses. Drops the connections of all clients at the
     * reachable nodes. Neither throws nor blocks.
     */
    CompletableFuture<Reply<Boolean>> end(int epoch) {
        CompletableFuture<Reply<Boolean>> ended = atRecord(
                (record, view) ->
                        record.end(epoch).thenCompose(done -> dropAll(view).thenApply(dropped -> Reply.done(true))),
                MOST_ATTEMPTS);
        return ended.handle((reply, failure) -> {
            if (failure != null) {
                return Reply.<Boolean>refused(
                        Refusal.UNAVAILABLE,
                        "the cluster's epoch cannot be ended: "
                                + failureOf(failure).reason());
            }
            links.closeAll("the epoch was ended");
            return reply;
        });
    }

    private <T> CompletableFuture<T> atRecord(
            BiFunction<ClusterRecord, ClusterOwners, CompletableFuture<T>> use, int attempts) {
        ClusterOwners view = newest;
        Optional<ClusterPrimary> owner = view.ownerOf(RECORD_SLOT);
        if (owner.isEmpty()) {
            return CompletableFuture.failedFuture(new ConnectFailure(
                    ConnectFailure.Kind.UNREACHABLE, "no node has said yet who owns slot " + RECORD_SLOT, null));
        }
        Address address = new Address(owner.get().host(), owner.get().port());
        Door door = door(address);
        CompletableFuture<T> used =
                door.ask(redis -> use.apply(new ClusterRecord(redis, door.address(), identity, remembered), view));
        return used.exceptionallyCompose(failure -> afterFailure(use, attempts, address, failureOf(failure)));
    }

    /** Retries if the node no longer owns the slot; it knows the new owner. */
    private <T> CompletableFuture<T> afterFailure(
            BiFunction<ClusterRecord, ClusterOwners, CompletableFuture<T>> use,
            int attempts,
            Address asked,
            ConnectFailure failure) {
        if (!ClusterRecord.isElsewhere(failure) || attempts == 1) {
            return CompletableFuture.failedFuture(ClusterRecord.explained(failure));
        }
        return view(asked).thenCompose(now -> {
            newest = now;
            return atRecord(use, attempts - 1);
        });
    }

    /** Drops the connections at all reachable nodes; clients at other nodes notice within a second. */
    private CompletableFuture<Void> dropAll(ClusterOwners view) {
        return CompletableFuture.allOf(view.primaries().stream()
                .map(node -> {
                    Door door = door(new Address(node.host(), node.port()));
                    return door.ask(redis -> new HandshakeCommands(redis, door.address())
                                    .dropOthers()
                                    .thenApply(dropped -> true))
                            .exceptionally(failure -> {
                                LOG.debug("{}: connections of an earlier epoch stay", door.address(), failure);
                                return false;
                            });
                })
                .toArray(CompletableFuture[]::new));
    }

    private Door door(Address address) {
        if (doors.size() >= MOST_DOORS) {
            closeDoors(other -> !other.equals(address));
        }
        return doors.computeIfAbsent(address, maker);
    }

    private void closeDoors(Predicate<Address> which) {
        Map<Address, Door> closing = new LinkedHashMap<>(doors);
        closing.forEach((address, door) -> {
            if (which.test(address) && doors.remove(address, door)) {
                door.close();
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        closeDoors(address -> true);
    }

    /** One query to several nodes, of which one answer is enough. For one use. */
    static final class Inquiry {
        /** The time that one node has before the next one is asked in parallel. */
        static final Duration HEAD_START = Duration.ofMillis(200);

        private final List<Address> asked;
        private final Function<Address, CompletableFuture<ClusterOwners>> question;
        private final Timing timing;
        private final CompletableFuture<ClusterOwners> answer = new CompletableFuture<>();
        private int next; // guarded by this
        private int failed; // guarded by this
        private @Nullable ConnectFailure worst; // guarded by this

        Inquiry(List<Address> asked, Function<Address, CompletableFuture<ClusterOwners>> question, Timing timing) {
            this.asked = asked;
            this.question = question;
            this.timing = timing;
        }

        CompletableFuture<ClusterOwners> run() {
            if (asked.isEmpty()) {
                return CompletableFuture.failedFuture(
                        new ConnectFailure(ConnectFailure.Kind.UNREACHABLE, "there is no node to ask", null));
            }
            askUpTo(1);
            return answer;
        }

        private void askUpTo(int count) {
            Address address;
            synchronized (this) {
                if (next >= count || next == asked.size() || answer.isDone()) {
                    return;
                }
                address = asked.get(next);
                next++;
            }
            Futures.whenOver(question.apply(address), (view, failure) -> {
                if (view != null) {
                    answer.complete(view);
                } else {
                    failed(failureOf(failure));
                }
            });
            if (!answer.isDone()) {
                timing.schedule(() -> askUpTo(count + 1), HEAD_START.toNanos());
            }
        }

        /** Records a failure. A node that rejected the query is more significant than one that did not answer. */
        private void failed(ConnectFailure failure) {
            int following;
            ConnectFailure last = null;
            synchronized (this) {
                failed++;
                if (worst == null || failure.kind() == ConnectFailure.Kind.REJECTED) {
                    worst = failure;
                }
                following = next + 1;
                if (failed == asked.size()) {
                    last = worst;
                }
            }
            if (last != null) {
                answer.completeExceptionally(last);
            } else {
                askUpTo(following);
            }
        }
    }
}
