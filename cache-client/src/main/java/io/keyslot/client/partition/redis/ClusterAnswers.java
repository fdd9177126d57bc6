// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses the replies to {@code CLUSTER SHARDS} and {@code CLUSTER SLOTS}. One malformed part makes the whole reply
 * unreadable, because an incomplete map is useless. Free of I/O.
 *
 * @param host of the queried node, which an empty host in the reply stands for; {@code ?} is the host of another node
 *     without a name, although the cluster is set to report names
 * @param isEncrypted whether the TLS port of a node is used
 */
record ClusterAnswers(String host, boolean isEncrypted) {
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z]{1,64}");
    private static final Pattern HOST = Pattern.compile("[0-9A-Za-z._:%-]{1,255}");
    private static final int MOST_PORT = 65_535;
    private static final String ONLINE = "online";

    /** "fail" in the replies of servers, "failed" in the documentation. */
    private static final Set<String> FAILED = Set.of("fail", "failed");

    private static final String UNKNOWN_HOST = "?";

    private static final int METADATA = 3;

    private static final int FIRST_REPLICA = 3;

    private static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unreadable(String what) {
            super(what, null, false, false);
        }
    }

    /** Parses {@code CLUSTER SHARDS}; empty if it is unreadable. */
    public Optional<ClusterOwners> shards(List<?> answer) {
        try {
            List<ClusterPrimary> primaries = new ArrayList<>();
            for (Object shard : answer) {
                Map<String, @Nullable Object> fields = fields(list(shard));
                primary(list(fields.get("nodes")), ranges(list(fields.get("slots"))))
                        .ifPresent(primaries::add);
            }
            return Optional.of(new ClusterOwners(primaries));
        } catch (Unreadable e) {
            return Optional.empty();
        }
    }

    private record Candidate(ClusterPrimary node, boolean isOnline, long offset) {}

    /** Returns the replicas of a shard, loading ones included, without those that have no address yet. */
    private List<ClusterPrimary.Replica> replicas(List<?> nodes) {
        List<ClusterPrimary.Replica> replicas = new ArrayList<>();
        for (Object node : nodes) {
            Map<String, @Nullable Object> fields = fields(list(node));
            boolean hasFailed =
                    fields.get("health") instanceof byte[] health && FAILED.contains(RespAnswers.text(health));
            if (!text(fields.get("role")).equals("master") && !hasFailed) {
                replica(() -> node(fields, List.of())).ifPresent(replicas::add);
            }
        }
        return replicas;
    }

    private static Optional<ClusterPrimary.Replica> replica(Supplier<ClusterPrimary> node) {
        try {
            ClusterPrimary found = node.get();
            return Optional.of(new ClusterPrimary.Replica(found.id(), found.host(), found.port()));
        } catch (Unreadable e) {
            return Optional.empty();
        }
    }

    /** Returns the primary. After a failover, an online one wins, then the one with the higher offset. */
    private Optional<ClusterPrimary> primary(List<?> nodes, List<SlotRange> slots) {
        List<Candidate> primaries = new ArrayList<>();
        for (Object node : nodes) {
            Map<String, @Nullable Object> fields = fields(list(node));
            if (text(fields.get("role")).equals("master")) {
                boolean isOnline = text(fields.get("health")).equals(ONLINE);
                long offset = fields.get("replication-offset") instanceof Long number ? number : 0;
                primaries.add(new Candidate(node(fields, slots), isOnline, offset));
            }
        }
        if (primaries.isEmpty() && !slots.isEmpty()) {
            throw new Unreadable("slots without a primary");
        }
        return primaries.stream()
                .filter(candidate -> candidate.isOnline() || !slots.isEmpty())
                .max(Comparator.comparing(Candidate::isOnline).thenComparingLong(Candidate::offset))
                .map(candidate -> candidate.node().followedBy(replicas(nodes)));
    }

    private ClusterPrimary node(Map<String, @Nullable Object> fields, List<SlotRange> slots) {
        Object port = isEncrypted ? fields.get("tls-port") : fields.get("port");
        Object endpoint = fields.containsKey("endpoint") ? fields.get("endpoint") : fields.get("ip");
        return node(text(fields.get("id")), reached(endpoint, fields.get("ip")), port, slots);
    }

    /** Returns the host of a node: the queried host if it is empty, the IP address if the node has no name. */
    private String reached(@Nullable Object endpoint, @Nullable Object ip) {
        String reported = endpoint == null ? "" : text(endpoint);
        String known = reported.equals(UNKNOWN_HOST) ? text(ip) : reported;
        return known.isEmpty() ? host : known;
    }

    private ClusterPrimary node(String id, String reached, @Nullable Object port, List<SlotRange> slots) {
        if (!(port instanceof Long number)
                || number < 1
                || number > MOST_PORT
                || !ID.matcher(id).matches()
                || !HOST.matcher(reached).matches()) {
            throw new Unreadable("a node without a name or an address");
        }
        return new ClusterPrimary(id, reached, number.intValue(), slots);
    }

    /** Parses {@code CLUSTER SLOTS}, which omits primaries without slots; empty if it is unreadable. */
    public Optional<ClusterOwners> slots(List<?> answer) {
        try {
            Map<String, ClusterPrimary> byId = new LinkedHashMap<>();
            Map<String, List<SlotRange>> owned = new HashMap<>();
            for (Object part : answer) {
                List<?> row = list(part);
                List<?> first = list(at(row, 2));
                String reached = reached(at(first, 0), metadata(first).get("ip"));
                ClusterPrimary node = node(text(at(first, 2)), reached, at(first, 1), List.of())
                        .followedBy(replicasOf(row));
                ClusterPrimary known = byId.putIfAbsent(node.id(), node);
                if (known != null && !known.equals(node)) {
                    throw new Unreadable("a node with two addresses");
                }
                owned.computeIfAbsent(node.id(), id -> new ArrayList<>())
                        .add(range(number(at(row, 0)), number(at(row, 1))));
            }
            return Optional.of(new ClusterOwners(byId.values().stream()
                    .map(node -> node.with(ClusterOwners.joined(owned.getOrDefault(node.id(), List.of()))))
                    .toList()));
        } catch (Unreadable e) {
            return Optional.empty();
        }
    }

    /** Returns the replicas of a range, which follow its primary; failed ones are not listed. */
    private List<ClusterPrimary.Replica> replicasOf(List<?> row) {
        List<ClusterPrimary.Replica> replicas = new ArrayList<>();
        for (int i = FIRST_REPLICA; i < row.size(); i++) {
            List<?> reported = list(row.get(i));
            replica(() -> node(
                            text(at(reported, 2)),
                            reached(at(reported, 0), metadata(reported).get("ip")),
                            at(reported, 1),
                            List.of()))
                    .ifPresent(replicas::add);
        }
        return replicas;
    }

    private static Map<String, @Nullable Object> metadata(List<?> node) {
        return at(node, METADATA) instanceof List<?> known ? fields(known) : Map.of();
    }

    private static List<SlotRange> ranges(List<?> bounds) {
        if (bounds.size() % 2 != 0) {
            throw new Unreadable("a range without an end");
        }
        List<SlotRange> ranges = new ArrayList<>();
        for (int i = 0; i < bounds.size(); i += 2) {
            ranges.add(range(number(bounds.get(i)), number(bounds.get(i + 1))));
        }
        return ClusterOwners.joined(ranges);
    }

    private static SlotRange range(long first, long last) {
        if (first < 0 || last < first || last >= HashSlot.COUNT) {
            throw new Unreadable("no slots");
        }
        return new SlotRange((int) first, (int) last);
    }

    private static Map<String, @Nullable Object> fields(List<?> pairs) {
        if (pairs.size() % 2 != 0) {
            throw new Unreadable("a field without a value");
        }
        Map<String, @Nullable Object> fields = new HashMap<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            fields.put(text(pairs.get(i)), pairs.get(i + 1));
        }
        return fields;
    }

    private static @Nullable Object at(List<?> row, int index) {
        return index < row.size() ? row.get(index) : null;
    }

    private static List<?> list(@Nullable Object answer) {
        if (answer instanceof List<?> list) {
            return list;
        }
        throw new Unreadable("no list");
    }

    private static long number(@Nullable Object answer) {
        if (answer instanceof Long number) {
            return number;
        }
        throw new Unreadable("no number");
    }

    private static String text(@Nullable Object answer) {
        if (answer instanceof byte[] bytes) {
            return RespAnswers.text(bytes);
        }
        throw new Unreadable("no text");
    }
}
