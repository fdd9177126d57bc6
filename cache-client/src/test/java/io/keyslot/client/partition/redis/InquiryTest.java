// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualScheduler;
import io.keyslot.client.concurrent.ManualTicker;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class InquiryTest {
    private static final ClusterOwners VIEW = new ClusterOwners(List.of());

    private final ManualTicker ticker = new ManualTicker();
    private final ManualScheduler scheduler = new ManualScheduler(ticker);
    private final Timing timing = new Timing(ticker, scheduler, new Random(1));
    private final List<Integer> asked = new ArrayList<>();
    private final Map<Integer, CompletableFuture<ClusterOwners>> answers = new HashMap<>();

    private CompletableFuture<ClusterOwners> ask(int nodes) {
        List<ClusterHome.Address> addresses = IntStream.range(0, nodes)
                .mapToObj(i -> new ClusterHome.Address("node", i))
                .toList();
        return new ClusterHome.Inquiry(addresses, this::answerOf, timing).run();
    }

    private CompletableFuture<ClusterOwners> answerOf(ClusterHome.Address node) {
        asked.add(node.port());
        return answers.computeIfAbsent(node.port(), port -> new CompletableFuture<>());
    }

    @Test
    void nodeThatIsSilent_getsAnotherOneBesideIt() {
        CompletableFuture<ClusterOwners> answer = ask(3);

        scheduler.advance(ClusterHome.Inquiry.HEAD_START.minusNanos(1));
        assertThat(asked).containsExactly(0);
        scheduler.advance(Duration.ofNanos(1));
        assertThat(asked).containsExactly(0, 1);
        answerOf(new ClusterHome.Address("node", 0)).complete(VIEW);

        assertThat(answer).isCompletedWithValue(VIEW);
    }

    private static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    /**
     * Each node answers, fails, or says nothing for long: who answers is heard, no later than if all before were
     * silent.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void anyAnswer_isTheAnswer(long seed) {
        Random random = new Random(seed);
        int nodes = 1 + random.nextInt(7);
        long latest = Long.MAX_VALUE;
        CompletableFuture<Long> over = new CompletableFuture<>();
        for (int node = 0; node < nodes; node++) {
            CompletableFuture<ClusterOwners> answer = new CompletableFuture<>();
            answers.put(node, answer);
            long after = random.nextLong(Duration.ofSeconds(2).toNanos());
            if (random.nextInt(3) == 0) {
                latest = Math.min(latest, Math.max(after, node * ClusterHome.Inquiry.HEAD_START.toNanos()));
                timing.schedule(() -> answer.complete(VIEW), after);
            } else {
                Kind kind = List.of(Kind.values()).get(random.nextInt(Kind.values().length));
                timing.schedule(() -> answer.completeExceptionally(new ConnectFailure(kind, "failed", null)), after);
            }
        }
        CompletableFuture<ClusterOwners> answer = ask(nodes);
        CompletableFuture<ClusterOwners> unused = answer.whenComplete((view, failure) -> over.complete(ticker.nanos()));
        long began = ticker.nanos();

        scheduler.advance(Duration.ofSeconds(5));

        assertThat(asked).doesNotHaveDuplicates();
        assertThat(over).isCompleted();
        if (latest == Long.MAX_VALUE) {
            assertThat(answer).isCompletedExceptionally();
            assertThat(asked).hasSize(nodes);
        } else {
            assertThat(answer).isCompletedWithValue(VIEW);
            assertThat(over.join() - began).isLessThanOrEqualTo(latest);
        }
    }
}
