// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.json.CanonicalJson;
import io.keyslot.cluster.inspect.SurveyedLoad;
import io.keyslot.cluster.web.EventStreams;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads the cluster once for all viewers of the page. Without viewers no connection is open. Thread-safe. */
final class ClusterWatch implements AutoCloseable {
    /** The kinds of events, which are also the parts of the state. */
    static final String PARTITIONS = "partitions";

    static final String MOVES = "moves";
    static final String SURVEY = "survey";
    static final String TROUBLE = "trouble";
    private static final List<String> KINDS = List.of(MOVES, PARTITIONS, SURVEY, TROUBLE);

    /** The time for which a single request for the state counts as a viewer. */
    private static final Duration LINGER = Duration.ofSeconds(10);

    private static final Duration LONGEST_FIRST_CHECK = Duration.ofSeconds(5);
    private static final Duration AFTER_TROUBLE = Duration.ofSeconds(5);
    private static final long CHECK_AGAIN_MILLIS = 200;

    private final ConnectionOptions connection;
    private final OperatorPage.Rhythm rhythm;
    private final Ticker ticker = new SystemTicker();
    private final Semaphore called = new Semaphore(0);
    private final EventStreams streams = new EventStreams(called::release);
    private final Thread thread = new Thread(this::run, "keyslot-page-watch");
    private final Waiter waiter = new SystemWaiter();
    private volatile CompletableFuture<Boolean> firstCheck = new CompletableFuture<>();
    private volatile @Nullable Deadline wanted;
    private volatile @Nullable SurveyedLoad survey;
    private volatile boolean isClosed;
    private volatile boolean isAsking;

    ClusterWatch(ConnectionOptions connection, OperatorPage.Rhythm rhythm) {
        this.connection = connection;
        this.rhythm = rhythm;
        thread.setDaemon(true);
        thread.start();
    }

    EventStreams streams() {
        return streams;
    }

    boolean isAsking() {
        return isAsking;
    }

    Optional<SurveyedLoad> survey() {
        return Optional.ofNullable(survey);
    }

    void surveyed(SurveyedLoad load) {
        survey = load;
    }

    /** Publishes to all viewers, and completes the first check. */
    void publish(String kind, Map<String, ?> fields) {
        streams.publish(kind, CanonicalJson.write(fields));
        if (kind.equals(PARTITIONS) || kind.equals(TROUBLE)) {
            boolean unused = firstCheck.complete(true);
        }
    }

    /** Returns the latest events as JSON; waits briefly for the first check of the partitions. */
    String state() {
        wanted = Deadline.after(ticker, LINGER);
        called.release();
        waiter.awaitDone(firstCheck, Deadline.after(ticker, LONGEST_FIRST_CHECK));
        StringBuilder json = new StringBuilder();
        for (String kind : KINDS) {
            json.append(json.isEmpty() ? '{' : ',')
                    .append('"')
                    .append(kind)
                    .append("\":")
                    .append(streams.newest(kind).orElse("null"));
        }
        return json.append('}').toString();
    }

    private void rest(long millis) {
        try {
            if (called.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
                int unused = called.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            isClosed = true;
        }
    }

    private boolean isWanted() {
        Deadline until = wanted;
        return !isClosed && (streams.size() > 0 || (until != null && !until.isOver()));
    }

    private void run() {
        while (!isClosed) {
            if (isWanted()) {
                boolean isWell = look();
                firstCheck = new CompletableFuture<>();
                streams.forget();
                survey = null;
                restAfterTrouble(isWell);
            } else {
                rest(TimeUnit.MINUTES.toMillis(1));
            }
        }
    }

    /** Pauses after a failure, because the cause rarely disappears at once. */
    private void restAfterTrouble(boolean isWell) {
        Deadline again = Deadline.after(ticker, AFTER_TROUBLE);
        while (!isWell && !isClosed && !again.isOver()) {
            rest(CHECK_AGAIN_MILLIS);
        }
    }

    /** Reads while there are viewers; returns false if it could not start. */
    private boolean look() {
        isAsking = true;
        try (ClusterView view = ClusterView.open(connection.options(), rhythm, this)) {
            view.start();
            while (isWanted()) {
                rest(CHECK_AGAIN_MILLIS); // no wake-up when a viewer leaves
            }
            return true;
        } catch (RuntimeException e) {
            publish(TROUBLE, Map.of("problem", ErrorLine.of(e)));
            return false;
        } finally {
            isAsking = false;
        }
    }

    @Override
    public void close() {
        isClosed = true;
        called.release();
        streams.close();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
