// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.cache.access.Credentials;
import io.keyslot.cache.access.CredentialsProvider;
import io.keyslot.client.partition.ConnectFailure;
import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The credentials for the connections to one server. Thread-safe. While connections are open, the provider is called
 * again at the intervals that it asks for, and connections with other credentials authenticate again.
 */
final class Logins {
    private static final Logger LOG = LoggerFactory.getLogger(Logins.class);
    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

    private final @Nullable CredentialsProvider provider;
    private final String partition;
    private final String address;
    private final RedisResources resources;
    private final Map<RedisConnection, Credentials> known = new ConcurrentHashMap<>();
    private final AtomicBoolean willAsk = new AtomicBoolean();
    private volatile @Nullable Credentials refused; // the credentials that were last warned about
    private volatile boolean isSilent; // whether a warning about a missing answer was logged

    /** Creates the logins. The provider is empty if the address contains the credentials, or none are used. */
    Logins(Optional<CredentialsProvider> provider, String partition, String address, RedisResources resources) {
        this.provider = provider.orElse(null);
        this.partition = partition;
        this.address = address;
        this.resources = resources;
    }

    CompletableFuture<Optional<Credentials>> ask() {
        CredentialsProvider asked = provider;
        if (asked == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        try {
            return asked.credentials(partition).toCompletableFuture().handle(this::checked);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(noAnswer(e));
        }
    }

    private Optional<Credentials> checked(@Nullable Credentials answer, @Nullable Throwable failure) {
        if (answer == null) {
            throw new CompletionException(noAnswer(failure));
        }
        return Optional.of(answer);
    }

    private ConnectFailure noAnswer(@Nullable Throwable failure) {
        String why = failure == null ? "it gave none" : ConnectDiagnosis.reason(failure);
        return ConnectFailure.at(
                address,
                ConnectFailure.Kind.UNREACHABLE,
                "the credentials provider of the application did not say who logs in (%s)".formatted(why),
                failure);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The map does not fail.
    void keep(RedisConnection connection, Credentials used) {
        known.put(connection, used);
        connection.lost().thenRun(() -> known.remove(connection));
        askAgainLater(used);
    }

    private void askAgainLater(Credentials used) {
        Duration pause = used.askAgain();
        if (pause != null && willAsk.compareAndSet(false, true)) {
            Duration atLeast = pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause;
            ScheduledFuture<?> unused = resources.schedule(() -> askAgain(used), atLeast.toMillis());
        }
    }

    /** If the provider never answers, {@link #willAsk} stays true, and it is not called before the next connect. */
    @SuppressWarnings("FutureReturnValueIgnored") // Handles both outcomes.
    private void askAgain(Credentials before) {
        if (known.isEmpty()) {
            willAsk.set(false);
            if (!known.isEmpty()) { // added meanwhile by a thread that saw willAsk set
                askAgainLater(before);
            }
            return;
        }
        ask().whenComplete((answer, failure) -> {
            willAsk.set(false);
            Credentials now = answer == null ? null : answer.orElse(null);
            if (now == null) {
                warnOfSilence(failure);
            } else {
                isSilent = false;
                known.forEach((connection, used) -> logInAnew(connection, used, now));
            }
            askAgainLater(now == null ? before : now);
        });
    }

    private void logInAnew(RedisConnection connection, Credentials used, Credentials now) {
        if (now.logInAs(used)) {
            return;
        }
        CompletionStage<String> answer = connection.logIn(now);
        answer.whenComplete((done, failure) -> {
            if (failure == null) {
                known.replace(connection, used, now);
                LOG.debug("{}: logged in anew as {}", address, now);
            } else if (ConnectDiagnosis.has(failure, RedisCommandExecutionException.class)) {
                warnOfRefusal(now, failure); // otherwise the connection is lost, which is reported elsewhere
            }
        });
    }

    private void warnOfRefusal(Credentials now, Throwable failure) {
        Credentials before = refused;
        if (before == null || !now.logInAs(before)) {
            refused = now;
            LOG.warn(
                    "{}. The connections that are there go on as before; asked again later",
                    ConnectDiagnosis.of(address, "log in anew", failure).getMessage());
        }
    }

    private void warnOfSilence(@Nullable Throwable failure) {
        if (!isSilent) {
            isSilent = true;
            LOG.warn("The connections that are there go on as before", failure);
        }
    }
}
