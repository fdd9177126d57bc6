// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.nodes;

import io.keyslot.client.OperatorAssembly;
import io.keyslot.client.OperatorNodes;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.redis.cluster.ClusterHome.Address;
import io.keyslot.client.partition.redis.cluster.ClusterOwners;
import io.keyslot.client.partition.redis.cluster.ClusterPrimary;
import io.keyslot.client.partition.redis.cluster.KnownNode;
import io.keyslot.client.partition.redis.cluster.NodeReport;
import io.keyslot.client.partition.redis.handshake.Life;
import io.keyslot.client.time.Deadline;
import io.keyslot.cluster.copy.MoveTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Looks at the nodes of a cluster, as often as it is asked; changes nothing. For one thread. */
public final class NodesSurvey implements AutoCloseable {
    private final OperatorNodes client;
    private final MoveTime time;

    private NodesSurvey(OperatorNodes client) {
        this.client = client;
        this.time = new MoveTime(client.timing().ticker(), client.waiter());
    }

    /** Opens a survey of the cluster that these options say. Nobody is asked yet. */
    public static NodesSurvey of(ClientOptions options) {
        return new NodesSurvey(new OperatorAssembly().nodes(options));
    }

    public MoveTime time() {
        return time;
    }

    /**
     * What was asked, and what came of it.
     *
     * @param value null if nothing came
     * @param problem why; empty otherwise
     */
    private record Answer<T>(@Nullable T value, String problem, Duration took) {}

    /**
     * Asks the nodes of the configuration, and all that own slots.
     *
     * @throws CacheException if no node says who owns all slots
     */
    public SeenNodes look() {
        List<AskedSeed> seeds = new ArrayList<>();
        Map<Address, Answer<NodeReport>> asked = new HashMap<>();
        for (Address seed : client.home().seeds()) {
            Answer<NodeReport> answer = ask(client.home().report(seed));
            asked.put(seed, answer);
            seeds.add(new AskedSeed(text(seed), answer.problem()));
        }
        Answer<ClusterOwners> view = ask(client.home().look(client.timing()));
        ClusterOwners owners = view.value();
        if (owners == null) {
            throw new CacheException("No node of the cluster says who owns all slots: " + view.problem());
        }
        client.home().adopt(owners);
        List<SeenNode> nodes = nodes(owners, asked);
        Answer<Optional<Life>> life = ask(client.home().life());
        Optional<Life> known = life.value();
        return new SeenNodes(
                seeds, nodes, known == null ? Optional.empty() : known, life.problem(), NodeFindings.of(nodes));
    }

    private List<SeenNode> nodes(ClusterOwners owners, Map<Address, Answer<NodeReport>> asked) {
        Map<String, KnownNode> known = new LinkedHashMap<>();
        List<SeenNode> nodes = new ArrayList<>();
        Map<ClusterPrimary, Answer<NodeReport>> answers = new LinkedHashMap<>();
        for (ClusterPrimary primary : owners.primaries()) {
            Address address = new Address(primary.host(), primary.port());
            Answer<NodeReport> before = asked.get(address);
            answers.put(primary, before == null ? ask(client.home().report(address)) : before);
        }
        answers.values().forEach(answer -> learn(known, answer));
        asked.values().forEach(answer -> learn(known, answer));
        answers.forEach((primary, answer) -> nodes.add(seen(primary, known.remove(primary.id()), answer)));
        known.values().stream()
                .filter(node -> !node.isStranger())
                .forEach(node -> nodes.add(new SeenNode(
                        ClusterPrimary.partition(node.id()).name(), node.address(), node, 0, Duration.ZERO, null, "")));
        return nodes;
    }

    /** The first one that names a node is believed about it. */
    private static void learn(Map<String, KnownNode> known, Answer<NodeReport> answer) {
        NodeReport report = answer.value();
        if (report != null) {
            report.nodes().forEach(node -> known.putIfAbsent(node.id(), node));
        }
    }

    private static SeenNode seen(ClusterPrimary primary, @Nullable KnownNode known, Answer<NodeReport> answer) {
        String address = text(new Address(primary.host(), primary.port()));
        KnownNode node = known == null ? KnownNode.primary(primary.id(), address, primary.slots()) : known;
        int owned = primary.slots().stream().mapToInt(range -> range.size()).sum();
        return new SeenNode(
                primary.partition().name(), address, node, owned, answer.took(), answer.value(), answer.problem());
    }

    private <T> Answer<T> ask(CompletableFuture<T> question) {
        long began = time.nanos();
        CompletableFuture<Answer<T>> answer = question.handle(
                (value, failure) -> new Answer<>(value, failure == null ? "" : reason(failure), time.since(began)));
        return client.waiter()
                .await(
                        answer,
                        Deadline.after(time.ticker(), client.atMost()),
                        () -> new Answer<>(null, "no answer within " + client.atMost(), client.atMost()));
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && !(cause instanceof ConnectFailure)) {
            cause = cause.getCause();
        }
        return cause instanceof ConnectFailure known ? known.reason() : String.valueOf(cause.getMessage());
    }

    private static String text(Address address) {
        return (address.host().indexOf(':') < 0 ? address.host() : "[" + address.host() + "]") + ":" + address.port();
    }

    @Override
    public void close() {
        client.close();
    }
}
