// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.cache.access.Credentials;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.partition.ConnectFailure;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the address of a server: its own address, or the one that sentinels name. All sentinels are asked at once, at
 * each connect within half of the connect deadline, and about once a second while there is a connection. Connections to
 * sentinels are reused. Thread-safe.
 */
final class PrimaryLookup {
    private static final Logger LOG = LoggerFactory.getLogger(PrimaryLookup.class);

    private final RedisClient client;
    private final Activations activations;
    private final RedisResources resources;
    private final PartitionUri server;
    private final Logins logins;
    private final Duration limit;
    private final ConcurrentMap<String, StatefulRedisConnection<byte[], byte[]>> open = new ConcurrentHashMap<>();
    private volatile String disputed = ""; // the disagreement that was last logged

    record Place(PartitionUri server, boolean isElected) {}

    PrimaryLookup(
            RedisClient client,
            Activations activations,
            RedisResources resources,
            PartitionUri server,
            Logins logins,
            Duration connect) {
        this.client = client;
        this.activations = activations;
        this.resources = resources;
        this.server = server;
        this.logins = logins;
        this.limit = connect.dividedBy(2);
    }

    /** Returns the server that more than half of all sentinels name now; empty if there is none. */
    CompletableFuture<Optional<PartitionUri>> elected() {
        return vote().thenApply(ballot -> ballot.majority().map(named -> server.at(named.host(), named.port())));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Closing a channel can fail, but not leave it open.
    void close() {
        open.values().forEach(StatefulRedisConnection::closeAsync);
    }

    /** Returns the server's address; fails with a {@link ConnectFailure}, possibly in a completion exception. */
    CompletableFuture<Place> find() {
        return server.sentinels() == null
                ? CompletableFuture.completedFuture(new Place(server, false))
                : vote().thenApply(this::winner);
    }

    private Place winner(SentinelBallot ballot) {
        SentinelBallot.Named named =
                ballot.winner().orElseThrow(() -> new CompletionException(ballot.failure(server.url())));
        if (ballot.isDisputed() && !disputed.equals(ballot.toString())) {
            disputed = ballot.toString();
            LOG.info(
                    "{}: the sentinels disagree ({}); {} is asked whether it is a primary",
                    server.url(),
                    ballot,
                    named);
        }
        return new Place(
                server.at(named.host(), named.port()), ballot.majority().isPresent());
    }

    /** Returns the ballot when it is decided or the time is over; it does not change after that. */
    private CompletableFuture<SentinelBallot> vote() {
        PartitionUri.Sentinels sentinels = Objects.requireNonNull(server.sentinels());
        SentinelBallot ballot =
                new SentinelBallot(sentinels.service(), sentinels.places().size());
        CompletableFuture<SentinelBallot> over = new CompletableFuture<>();
        ScheduledFuture<?> end = resources.schedule(
                () -> {
                    synchronized (ballot) {
                        over.complete(ballot);
                    }
                },
                limit.toMillis());
        Futures.whenOver(over, (decided, failure) -> end.cancel(false));
        Futures.whenOver(logins.ask(), (login, failure) -> {
            if (login == null) {
                over.completeExceptionally(reason(failure));
                return;
            }
            for (PartitionUri sentinel : sentinels.places()) {
                Futures.whenOver(ask(sentinels.service(), sentinel, login), (answer, why) -> {
                    Object counted = answer == null
                            ? ConnectDiagnosis.of(sentinel.url(), "ask it", reason(why))
                                    .reason()
                            : answer;
                    synchronized (ballot) {
                        if (!over.isDone() && ballot.add(sentinel.url(), counted)) {
                            over.complete(ballot);
                        }
                    }
                });
            }
        });
        return over;
    }

    private static Throwable reason(@Nullable Throwable failure) {
        return failure == null ? new IllegalStateException("it gave no answer") : failure;
    }

    private CompletableFuture<Object> ask(String service, PartitionUri sentinel, Optional<Credentials> login) {
        StatefulRedisConnection<byte[], byte[]> known = open.remove(sentinel.url());
        if (known != null && known.isOpen()) {
            return ask(service, sentinel, known);
        }
        try {
            RedisURI uri = LettuceOptions.uri(sentinel, "keyslot:lookup", limit, login.orElse(null));
            return client.connectAsync(ByteArrayCodec.INSTANCE, uri)
                    .toCompletableFuture()
                    .thenCompose(connected ->
                            activations.of(connected).thenCompose(active -> ask(service, sentinel, connected)));
        } catch (RuntimeException e) {
            // Lettuce throws if its threads are shutting down.
            return CompletableFuture.failedFuture(e);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Closing a channel can fail, but not leave it open.
    private CompletableFuture<Object> ask(
            String service, PartitionUri place, StatefulRedisConnection<byte[], byte[]> sentinel) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add("GET-MASTER-ADDR-BY-NAME")
                .add(service);
        ScheduledFuture<?> end = resources.schedule(sentinel::closeAsync, limit.toMillis());
        return sentinel.async()
                .dispatch(CommandType.SENTINEL, new ValueListOutput<>(ByteArrayCodec.INSTANCE), arguments)
                .toCompletableFuture()
                .thenApply(PrimaryLookup::answer)
                .whenComplete((answer, failure) -> {
                    end.cancel(false);
                    boolean isKept = failure == null && open.putIfAbsent(place.url(), sentinel) == null;
                    if (!isKept) {
                        sentinel.closeAsync();
                    }
                });
    }

    private static Object answer(@Nullable List<byte[]> words) {
        if (words == null || words.size() < 2) {
            return SentinelBallot.UNKNOWN;
        }
        try {
            return new SentinelBallot.Named(text(words.get(0)), Integer.parseInt(text(words.get(1))));
        } catch (NumberFormatException e) {
            throw new CompletionException(new IllegalStateException("it gave no port"));
        }
    }

    private static String text(byte[] word) {
        return new String(word, StandardCharsets.UTF_8);
    }
}
