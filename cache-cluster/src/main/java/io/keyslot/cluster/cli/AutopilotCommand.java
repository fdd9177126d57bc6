// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.KeyslotAdmin;
import io.keyslot.cluster.inspect.SeenCluster;
import io.keyslot.cluster.inspect.SeenPartition;
import io.keyslot.cluster.inspect.SurveyedLoad;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.operator.MovePlayer;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.cluster.plan.Autopilot;
import io.keyslot.cluster.plan.AutopilotPolicy;
import io.keyslot.cluster.plan.Measure;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.slot.PartitionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "autopilot",
        description = "Balances the load by a policy until Ctrl-C, and prints each decision with its reason.",
        footer = {
            "Exits with 1 if a move has paused writes for longer than the policy allows, or was not finished.",
            "  keyslot autopilot --policy policy.yaml --dry-run --config keyslot.yaml"
        })
final class AutopilotCommand extends OperatorCommand {
    @Option(names = "--policy", required = true, paramLabel = "<file>", description = "When to move how many slots.")
    private Path file = Path.of("");

    @Option(names = "--dry-run", description = "Only print the decisions.")
    private boolean isDryRun;

    @Option(names = "--looks", paramLabel = "<n>", description = "Stop after this many decisions.")
    private int looks;

    @Option(
            names = "--sample",
            paramLabel = "<n>",
            defaultValue = "10000",
            description = "By memory: how many keys of each partition are sampled, approximately; 10000 by default.")
    private long keys;

    @Override
    public Integer call() throws Exception {
        try (OpenCatalogue catalogue = openChangeable()) {
            AutopilotPolicy policy = policy();
            KeyslotAdmin admin = new KeyslotAdmin(catalogue);
            Autopilot.Past past = Autopilot.Past.startingAfter(lastPlan(admin));
            for (int look = 1; ; look++) {
                Autopilot.Decision decision =
                        Autopilot.decide(seen(admin, policy, catalogue.time().now()), policy, past);
                say(decision, catalogue.time().now());
                past = decision.past();
                Plan plan = decision.plan();
                if (plan != null && !isDryRun) {
                    past = past.paused(move(admin, plan));
                }
                if (decision.kind() == Autopilot.Kind.STOP) {
                    return ExitCode.FAILED;
                }
                if (look == looks || Thread.currentThread().isInterrupted()) {
                    return ExitCode.OK;
                }
                catalogue.time().waiter().pause(policy.every());
            }
        }
    }

    private AutopilotPolicy policy() throws IOException {
        if (!Files.isReadable(file)) {
            throw new IOException("%s is not a file that can be read".formatted(file));
        }
        try {
            return AutopilotPolicy.read(Files.readString(file));
        } catch (IllegalArgumentException e) {
            throw new IOException("%s: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** Which slots another process has moved is not known, only when. */
    private static Instant lastPlan(KeyslotAdmin admin) {
        return admin.history().stream()
                .filter(change -> !change.plan().isEmpty())
                .map(Catalogue.MapChange::at)
                .map(Instant::parse)
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }

    private Autopilot.Seen seen(KeyslotAdmin admin, AutopilotPolicy policy, Instant now) {
        SeenCluster cluster = admin.status();
        SurveyedLoad load = admin.load(policy.by() == Measure.CALLS ? 0 : keys);
        Map<PartitionId, PlanFacts.Memory> memory = new HashMap<>();
        for (SeenPartition partition : cluster.partitions()) {
            if (partition.memory() != null) {
                memory.put(
                        partition.partition().name(),
                        new PlanFacts.Memory(
                                partition.memory().usedBytes(),
                                partition.memory().mostBytes()));
            }
        }
        PartitionMap map = load.map();
        Set<PartitionId> silent = cluster.partitions().stream()
                .filter(partition -> partition.partition().isAsked() && !partition.answers())
                .map(partition -> partition.partition().name())
                .collect(Collectors.toSet());
        return new Autopilot.Seen(
                now, map, new PlanFacts(memory, load.slots(), load.facts().most()), silent, load.unknown(policy.by()));
    }

    private void say(Autopilot.Decision decision, Instant now) {
        String word = ConstantText.of(decision.kind()) + (isDryRun && decision.plan() != null ? " (dry run)" : "");
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("at", now.toString());
        fields.put("decision", ConstantText.of(decision.kind()));
        fields.put("reason", decision.reason());
        fields.put("plan", decision.plan() == null ? null : decision.plan().id());
        print(() -> fields, () -> List.of("%s %s: %s".formatted(now, word, decision.reason())));
        terminal().out().flush();
    }

    /** Returns the longest pause of writes. If another process changes the map first, nothing is done. */
    private Duration move(KeyslotAdmin admin, Plan plan) {
        try (PlayedMoves.Detaching listener = new PlayedMoves.Detaching(terminal(), plan.id())) {
            MovePlayer.Played played = admin.apply(plan, MovePace.MODEST, listener);
            played.requireFinished();
            return played.progress().stream()
                    .map(MoveProgress::pauses)
                    .map(MoveProgress.Pauses::longest)
                    .max(Comparator.naturalOrder())
                    .orElse(Duration.ZERO);
        } catch (RefusedException | MapStore.UnavailableException e) {
            progress(ErrorLine.of(e));
            return Duration.ZERO;
        }
    }
}
