// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether slots move now to balance the load. Pure: what is known and what was before in, a decision out.
 *
 * <p>Several autopilots keep to the limits together: the slots that moved are found by comparing maps, those of
 * other plans included, and a plan is refused for any map but the one it was made for.
 */
public final class Autopilot {
    private static final Duration HOUR = Duration.ofHours(1);

    private Autopilot() {}

    /**
     * What is known at a moment.
     *
     * @param silent partitions that do not answer
     * @param unknown partitions whose load is not known
     */
    public record Seen(
            Instant at, PartitionMap map, PlanFacts facts, Set<PartitionId> silent, List<PartitionId> unknown) {}

    /**
     * What earlier decisions leave to the next one.
     *
     * @param map the last map that was seen; null at the beginning
     * @param moved the slots that changed their owner within the last hour, and when that was seen
     * @param since since when a partition is above the limit; null if none is
     * @param notBefore the end of the hour after the last plan by a process that is not known
     * @param longestPause the longest pause of writes in a move
     */
    public record Past(
            @Nullable PartitionMap map,
            Map<Integer, Instant> moved,
            @Nullable Instant since,
            Instant notBefore,
            Duration longestPause) {
        public Past {
            moved = Map.copyOf(moved);
        }

        /** Returns the past of a process that starts; {@code lastPlan} is when a plan was last applied. */
        public static Past startingAfter(Instant lastPlan) {
            return new Past(null, Map.of(), null, lastPlan.plus(HOUR), Duration.ZERO);
        }

        public Past paused(Duration longest) {
            return new Past(map, moved, since, notBefore, longest);
        }

        private Past with(PartitionMap now, Map<Integer, Instant> changed, @Nullable Instant above) {
            return new Past(now, changed, above, notBefore, longestPause);
        }
    }

    public enum Kind {
        WAIT,
        MOVE,
        STOP
    }

    /** A decision; the plan is not null if it is to move. */
    public record Decision(
            Kind kind, String reason, @Nullable Plan plan, Past past) {}

    public static Decision decide(Seen now, AutopilotPolicy policy, Past past) {
        Map<Integer, Instant> moved = moved(now, past);
        BalanceLimits limits = new BalanceLimits(
                policy.above(),
                Math.max(1, policy.slotsPerHour() - moved.size()),
                false,
                SlotSet.of(moved.keySet().stream().mapToInt(Integer::intValue)));
        Optional<String> above = now.silent().isEmpty() && now.unknown().isEmpty()
                ? new LoadBalance(now.map().content(), now.facts(), policy.by(), limits).above()
                : Optional.empty();
        Instant since = above.isEmpty() || past.since() == null ? now.at() : past.since();
        Past next = past.with(now.map(), moved, above.isEmpty() ? null : since);
        String objection = objection(now, policy, next, above.isPresent());
        String advice = advice(now, policy);
        if (past.longestPause().compareTo(policy.longestPause()) > 0) {
            return new Decision(Kind.STOP, objection + advice, null, next);
        }
        if (above.isEmpty() || !objection.isEmpty()) {
            String state =
                    above.orElse("no partition is more than %.0f %% above its share".formatted(100 * policy.above()));
            boolean isKnown = now.silent().isEmpty() && now.unknown().isEmpty();
            return new Decision(Kind.WAIT, joined(isKnown ? state : "", objection) + advice, null, next);
        }
        return planned(now, policy, limits, above.get(), text(Duration.between(since, now.at())), advice, next);
    }

    private static Decision planned(
            Seen now,
            AutopilotPolicy policy,
            BalanceLimits limits,
            String above,
            String lasting,
            String advice,
            Past next) {
        try {
            Plan plan = new Planner(now.map(), now.facts()).rebalance(policy.by(), limits);
            if (plan.isEmpty()) {
                return new Decision(Kind.WAIT, joined(above, String.join("; ", plan.warnings())) + advice, null, next);
            }
            return new Decision(
                    Kind.MOVE,
                    "%s for %s: %d slots move".formatted(above, lasting, plan.movedSlots()) + advice,
                    plan.requested("autopilot: " + above),
                    next.with(now.map(), next.moved(), null));
        } catch (PlanRefusedException e) {
            return new Decision(Kind.WAIT, e.getMessage() + advice, null, next);
        }
    }

    /** Returns the slots whose owner changed within the last hour, as far as this process has seen it. */
    private static Map<Integer, Instant> moved(Seen now, Past past) {
        Map<Integer, Instant> moved = new HashMap<>(past.moved());
        moved.values().removeIf(at -> !at.plus(HOUR).isAfter(now.at()));
        PartitionMap before = past.map();
        if (before != null && !before.slots().equals(now.map().slots())) {
            now.map().slots().owned().and(before.slots().owned()).stream()
                    .filter(slot -> now.map().slots().ownershipOf(slot)
                            != before.slots().ownershipOf(slot))
                    .forEach(slot -> moved.put(slot, now.at()));
        }
        return moved;
    }

    /** Returns why slots must not move now; empty if they may. */
    private static String objection(Seen now, AutopilotPolicy policy, Past past, boolean isAbove) {
        if (past.longestPause().compareTo(policy.longestPause()) > 0) {
            return "writes have paused for %s in a move, more than %s: look for the cause, and start again"
                    .formatted(text(past.longestPause()), text(policy.longestPause()));
        }
        if (!now.silent().isEmpty()) {
            return "%s does not answer".formatted(names(now.silent()));
        }
        Optional<PartitionId> lost = now.map().partitions().stream()
                .filter(MappedPartition::isLost)
                .map(MappedPartition::name)
                .findFirst();
        if (lost.isPresent()) {
            return "%s is lost: keyslot plan remove %s".formatted(lost.get(), lost.get());
        }
        if (!now.unknown().isEmpty()) {
            return "the load of %s is not known".formatted(names(Set.copyOf(now.unknown())));
        }
        if (!now.map().moves().isEmpty()) {
            return "slots are moving (%s)".formatted(now.map().moves().get(0).id());
        }
        if (!isAbove) {
            return "";
        }
        Duration lasting = Duration.between(past.since() == null ? now.at() : past.since(), now.at());
        if (lasting.compareTo(policy.lasting()) < 0) {
            return "for %s, must be for %s".formatted(text(lasting), text(policy.lasting()));
        }
        if (!policy.mayMoveAt(now.at())) {
            return "outside of the window " + policy.window();
        }
        if (now.at().isBefore(past.notBefore())) {
            return "another process has applied a plan within the hour before the start: not before "
                    + past.notBefore();
        }
        return past.moved().size() >= policy.slotsPerHour()
                ? "%d slots have moved within an hour, at most %d"
                        .formatted(past.moved().size(), policy.slotsPerHour())
                : "";
    }

    private static String advice(Seen now, AutopilotPolicy policy) {
        List<String> full = new ArrayList<>();
        now.facts().memory().forEach((name, memory) -> {
            double used = memory.limit() == 0 ? 0 : (double) memory.used() / memory.limit();
            if (used >= policy.memory()) {
                full.add(String.format(Locale.ROOT, "%s is at %.0f %%, add a server", name, 100 * used));
            }
        });
        full.sort(null);
        return full.isEmpty() ? "" : "; " + String.join("; ", full);
    }

    private static String names(Set<PartitionId> partitions) {
        return String.join(
                ", ", partitions.stream().map(PartitionId::name).sorted().toList());
    }

    private static String joined(String first, String second) {
        return first.isEmpty() || second.isEmpty() ? first + second : first + "; " + second;
    }

    private static String text(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
