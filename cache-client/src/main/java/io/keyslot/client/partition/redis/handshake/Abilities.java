// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.lettuce.core.KillArgs;
import io.lettuce.core.TrackingArgs;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server keeps to itself. It is found out only if the greeting has met a refusal, as one that does everything costs
 * nothing then: three harmless questions in one round trip.
 */
final class Abilities {
    private static final Logger LOG = LoggerFactory.getLogger(Abilities.class);

    /** No connection has this number. */
    private static final long NOBODY = Long.MAX_VALUE;

    private Abilities() {}

    /** Returns what is hidden, and says so the first time. */
    static CompletableFuture<List<String>> weaker(
            HandshakeCommands commands, Greeting greeting, Predecessors predecessors) {
        Set<Hidden> hidden = EnumSet.noneOf(Hidden.class);
        if (greeting.server().isNameless()) {
            hidden.add(Hidden.LIFE);
        } else if (!greeting.server().tellsRunId()) {
            hidden.add(Hidden.RUN);
        }
        if (hidden.isEmpty() && !greeting.metRefusal()) {
            return CompletableFuture.completedFuture(List.of());
        }
        CompletableFuture<Boolean> list = isRefused(commands.redis().clientList());
        CompletableFuture<Boolean> kill = isRefused(commands.redis().clientKill(KillArgs.Builder.id(NOBODY)));
        CompletableFuture<Boolean> tracking =
                isRefused(commands.redis().clientTracking(TrackingArgs.Builder.enabled(false)));
        return CompletableFuture.allOf(list, kill, tracking).thenApply(all -> {
            add(hidden, Hidden.LIST, list);
            add(hidden, Hidden.KILL, kill);
            add(hidden, Hidden.TRACKING, tracking);
            List<String> weaker = hidden.stream().map(Hidden::text).toList();
            if (!weaker.isEmpty() && predecessors.isFirstListOfWhatIsHidden()) {
                LOG.info(
                        "{}: this server keeps things to itself, and some is weaker for that. {}. See managed services in"
                                + " the manual",
                        commands.address(),
                        weaker.stream().collect(Collectors.joining(". ")));
            }
            return weaker;
        });
    }

    private static void add(Set<Hidden> hidden, Hidden one, CompletableFuture<Boolean> isRefused) {
        if (isRefused.join()) {
            hidden.add(one);
        }
    }

    /** Whatever else goes wrong is found out by whoever needs it. */
    private static CompletableFuture<Boolean> isRefused(CompletionStage<?> answer) {
        return answer.handle((done, failure) -> failure != null && Predecessors.isForbidden(failure))
                .toCompletableFuture();
    }
}
