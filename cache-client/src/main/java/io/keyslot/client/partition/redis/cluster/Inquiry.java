// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.ConnectFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One query to several nodes, of which one answer is enough. For one use. */
final class Inquiry {
    /** The time that one node has before the next one is asked in parallel. */
    static final Duration HEAD_START = Duration.ofMillis(200);

    private final List<ClusterHome.Address> asked;
    private final Function<ClusterHome.Address, CompletableFuture<ClusterOwners>> question;
    private final Timing timing;
    private final CompletableFuture<ClusterOwners> answer = new CompletableFuture<>();
    private int next; // guarded by this
    private int failed; // guarded by this
    private @Nullable ConnectFailure worst; // guarded by this

    Inquiry(
            List<ClusterHome.Address> asked,
            Function<ClusterHome.Address, CompletableFuture<ClusterOwners>> question,
            Timing timing) {
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
        ClusterHome.Address address;
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
                failed(ClusterHome.failureOf(failure));
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
