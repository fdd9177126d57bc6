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

/** Finds out what a server refuses or hides, by three harmless commands; only needed if the greeting met a refusal. */
final class Abilities {
    private static final Logger LOG = LoggerFactory.getLogger(Abilities.class);

    private static final long NONE = Long.MAX_VALUE;

    private Abilities() {}

    /** Returns what is weaker at this server, and logs it the first time. */
    static CompletableFuture<List<String>> weaker(
            HandshakeCommands commands, Greeting greeting, Predecessors predecessors) {
        Set<Hidden> hidden = EnumSet.noneOf(Hidden.class);
        if (greeting.server().isNameless()) {
            hidden.add(Hidden.INCARNATION);
        } else if (!greeting.server().reportsRunId()) {
            hidden.add(Hidden.RUN);
        }
        if (hidden.isEmpty() && !greeting.metRefusal()) {
            return CompletableFuture.completedFuture(List.of());
        }
        CompletableFuture<Set<Hidden>> list =
                ifRefused(Hidden.LIST, commands.redis().clientList());
        CompletableFuture<Set<Hidden>> kill =
                ifRefused(Hidden.KILL, commands.redis().clientKill(KillArgs.Builder.id(NONE)));
        CompletableFuture<Set<Hidden>> tracking =
                ifRefused(Hidden.TRACKING, commands.redis().clientTracking(TrackingArgs.Builder.enabled(false)));
        return CompletableFuture.completedFuture(hidden)
                .thenCombine(list, Abilities::both)
                .thenCombine(kill, Abilities::both)
                .thenCombine(tracking, Abilities::both)
                .thenApply(found -> told(found, commands, predecessors));
    }

    private static List<String> told(Set<Hidden> found, HandshakeCommands commands, Predecessors predecessors) {
        List<String> weaker = found.stream().map(Hidden::text).toList();
        if (!weaker.isEmpty() && predecessors.isFirstListOfWhatIsHidden()) {
            LOG.info(
                    "{}: this server keeps things to itself, and some is weaker for that. {}. See managed services in"
                            + " the manual",
                    commands.address(),
                    weaker.stream().collect(Collectors.joining(". ")));
        }
        return weaker;
    }

    private static Set<Hidden> both(Set<Hidden> some, Set<Hidden> others) {
        Set<Hidden> all = EnumSet.noneOf(Hidden.class);
        all.addAll(some);
        all.addAll(others);
        return all;
    }

    /** Other failures are reported where the ability is needed. */
    private static CompletableFuture<Set<Hidden>> ifRefused(Hidden one, CompletionStage<?> answer) {
        return answer.handle((done, failure) ->
                        failure != null && Predecessors.isForbidden(failure) ? Set.of(one) : Set.<Hidden>of())
                .toCompletableFuture();
    }
}
