// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.slot.HashSlot;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses the reply to {@code CLUSTER SLOTS}, which omits primaries without slots. One malformed part makes the whole reply
 * unreadable, because an incomplete map is useless. Free of I/O. {@code CLUSTER SHARDS} is not used: servers before
 * version 7 do not have it, and some omit slots whose primary has failed (valkey-io/valkey#790).
 *
 * @param host of the queried node, which an empty host in the reply stands for; {@code ?} is the host of another node
 *     without a name, although the cluster is set to report names
 */
record ClusterAnswers(String host) {
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z]{1,64}");
    private static final Pattern HOST = Pattern.compile("[0-9A-Za-z._:%-]{1,255}");
    private static final int MOST_PORT = 65_535;
    private static final String UNKNOWN_HOST = "?";

    private static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unreadable(String what) {
            super(what, null, false, false);
        }
    }

    /** Parses the reply; empty if it is unreadable. */
    Optional<ClusterOwners> slots(List<?> answer) {
        try {
            Map<String, ClusterPrimary> byId = new LinkedHashMap<>();
            Map<String, List<SlotRange>> owned = new HashMap<>();
            for (Object part : answer) {
                List<?> row = list(part);
                ClusterPrimary node = node(at(row, 2)).followedBy(replicas(row));
                ClusterPrimary known = byId.putIfAbsent(node.id(), node);
                if (known != null && !known.equals(node)) {
                    throw new Unreadable("a node with two addresses");
                }
                owned.computeIfAbsent(node.id(), id -> new ArrayList<>()).add(range(at(row, 0), at(row, 1)));
            }
            return Optional.of(new ClusterOwners(byId.values().stream()
                    .map(node -> node.with(ClusterOwners.joined(owned.getOrDefault(node.id(), List.of()))))
                    .toList()));
        } catch (Unreadable e) {
            return Optional.empty();
        }
    }

    /** Returns the replicas of a range, which follow its primary, without those that have no address yet. */
    private List<ClusterPrimary.Replica> replicas(List<?> row) {
        List<ClusterPrimary.Replica> replicas = new ArrayList<>();
        for (Object reported : row.subList(Math.min(3, row.size()), row.size())) {
            try {
                ClusterPrimary node = node(reported);
                replicas.add(new ClusterPrimary.Replica(node.id(), node.host(), node.port()));
            } catch (Unreadable e) {
                // It will be in a later view.
            }
        }
        return replicas;
    }

    /** Parses host, port, id and further fields of a node. */
    private ClusterPrimary node(@Nullable Object reported) {
        List<?> node = list(reported);
        String id = text(at(node, 2));
        String reached = reached(at(node, 0), at(node, 3) instanceof List<?> fields ? fields : List.of());
        if (!(at(node, 1) instanceof Long port)
                || port < 1
                || port > MOST_PORT
                || !ID.matcher(id).matches()
                || !HOST.matcher(reached).matches()) {
            throw new Unreadable("a node without a name or an address");
        }
        return new ClusterPrimary(id, reached, port.intValue(), List.of());
    }

    /** Returns the host of a node: the queried host if it is empty, the IP address if the node has no name. */
    private String reached(@Nullable Object endpoint, List<?> fields) {
        String known = endpoint == null ? "" : text(endpoint);
        for (int i = 0; known.equals(UNKNOWN_HOST) && i + 1 < fields.size(); i += 2) {
            known = text(fields.get(i)).equals("ip") ? text(fields.get(i + 1)) : known;
        }
        return known.isEmpty() ? host : known;
    }

    private static SlotRange range(@Nullable Object from, @Nullable Object to) {
        if (from instanceof Long first
                && to instanceof Long last
                && first >= 0
                && first <= last
                && last < HashSlot.COUNT) {
            return new SlotRange(first.intValue(), last.intValue());
        }
        throw new Unreadable("no slots");
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

    private static String text(@Nullable Object answer) {
        if (answer instanceof byte[] bytes) {
            return Resp.text(bytes);
        }
        throw new Unreadable("no text");
    }
}
