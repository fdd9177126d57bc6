// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.OperatorClient;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.partition.redis.ClusterHome.Address;
import io.keyslot.client.partition.redis.ClusterOwners;
import io.keyslot.client.partition.redis.ClusterPrimary;
import io.keyslot.client.partition.redis.Incarnation;
import io.keyslot.client.partition.redis.KnownNode;
import io.keyslot.client.partition.redis.NodeReport;
import io.keyslot.cluster.move.Answers;
import io.keyslot.cluster.move.MoveTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Reads the state of a cluster's nodes on request. Changes nothing. For one thread. */
public final class NodesSurvey implements AutoCloseable {
    private final OperatorClient.Nodes client;
    private final MoveTime time;

    private NodesSurvey(OperatorClient.Nodes client) {
        this.client = client;
        this.time = new MoveTime(client.timing().ticker(), client.waiter());
    }

    public static NodesSurvey of(ClientOptions options) {
        return new NodesSurvey(OperatorClient.openNodes(options));
    }

    public MoveTime time() {
        return time;
    }

    /** An answer, or the problem. */
    private record Answer<T>(@Nullable T value, String problem, Duration took) {}

    /** Asks the configured nodes and all owners of slots; throws CacheException if no node knows all owners. */
    public SeenNodes look() {
        Map<Address, Answer<NodeReport>> asked = new LinkedHashMap<>();
        client.home().seeds().forEach(seed -> asked.put(seed, ask(client.home().report(seed))));
        Answer<ClusterOwners> view = ask(client.home().look(client.timing()));
        ClusterOwners owners = view.value();
        if (owners == null) {
            throw new CacheException("No node of the cluster says who owns all slots: " + view.problem());
        }
        client.home().adopt(owners);
        Map<ClusterPrimary, Answer<NodeReport>> primaries = new LinkedHashMap<>();
        for (ClusterPrimary primary : owners.primaries()) {
            Address address = new Address(primary.host(), primary.port());
            Answer<NodeReport> before = asked.get(address);
            primaries.put(primary, before == null ? ask(client.home().report(address)) : before);
        }
        Map<String, KnownNode> known = new LinkedHashMap<>();
        primaries.values().forEach(answer -> learn(known, answer));
        List<AskedSeed> seeds = new ArrayList<>();
        asked.forEach((seed, answer) -> seeds.add(new AskedSeed(text(seed), problem(answer, known))));
        List<SeenNode> nodes = nodes(primaries, known);
        Answer<Optional<Incarnation>> incarnation = ask(client.home().incarnation());
        Optional<Incarnation> agreed = incarnation.value();
        return new SeenNodes(
                seeds,
                nodes,
                agreed == null ? Optional.empty() : agreed,
                incarnation.problem(),
                NodeFindings.of(nodes));
    }

    /** Returns why a configured node is unusable, or empty. If no primary answers, the nodes are not known. */
    private static String problem(Answer<NodeReport> seed, Map<String, KnownNode> known) {
        NodeReport report = seed.value();
        boolean isForeign = report != null
                && !known.isEmpty()
                && !known.containsKey(report.itself().id());
        return isForeign ? "it is a node of another cluster: no primary knows it" : seed.problem();
    }

    /** The first report about a node wins. */
    private static void learn(Map<String, KnownNode> known, Answer<NodeReport> answer) {
        NodeReport report = answer.value();
        if (report != null) {
            report.nodes().forEach(node -> known.putIfAbsent(node.id(), node));
        }
    }

    private static List<SeenNode> nodes(
            Map<ClusterPrimary, Answer<NodeReport>> primaries, Map<String, KnownNode> known) {
        List<SeenNode> nodes = new ArrayList<>();
        Map<String, KnownNode> others = new LinkedHashMap<>(known);
        primaries.forEach((primary, answer) -> nodes.add(seen(primary, others.remove(primary.id()), answer)));
        others.values().stream()
                .filter(node -> !node.isForeign())
                .forEach(node -> nodes.add(new SeenNode(
                        ClusterPrimary.partition(node.id()).name(), node.address(), node, 0, Duration.ZERO, null, "")));
        return nodes;
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
        CompletableFuture<Answer<T>> answer = question.handle((value, failure) ->
                new Answer<>(value, failure == null ? "" : Answers.reasonOf(failure), time.since(began)));
        return time.await(
                answer,
                client.atMost(),
                () -> new Answer<>(null, "no answer within " + client.atMost(), client.atMost()));
    }

    private static String text(Address address) {
        return (address.host().indexOf(':') < 0 ? address.host() : "[" + address.host() + "]") + ":" + address.port();
    }

    @Override
    public void close() {
        client.close();
    }
}
