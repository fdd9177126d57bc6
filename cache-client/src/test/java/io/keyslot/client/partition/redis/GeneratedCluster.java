// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.slot.HashSlot;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster by chance: who owns what, and how its nodes say where they are. Every slot has one owner. Its answers are
 * those of servers, before they are on the wire.
 */
public final class GeneratedCluster {
    public static final int NONE = -1;

    /** The node that is asked. */
    public static final String ASKED = "10.9.9.9";

    private static final int FIRST_PORT = 7_000;

    /** What {@code cluster-preferred-endpoint-type} says, and whether nodes know their names. */
    public enum Names {
        ADDRESSES,
        HOST_NAMES,
        /** Set to tell names, and some have none: {@code ?}. */
        SOME_WITHOUT_A_NAME,
        /** A null, which means the host that was asked. */
        UNKNOWN,
        /** Nothing, as of a node that has not met another one: the same. */
        EMPTY
    }

    /** A node. */
    public record Node(String id, String ip, String name, int port, int tlsPort, int number) {
        /** Returns where clients reach it. */
        String host(Names names) {
            return switch (names) {
                case ADDRESSES -> ip;
                case HOST_NAMES -> name;
                case SOME_WITHOUT_A_NAME -> hasName() ? name : ip;
                case UNKNOWN, EMPTY -> ASKED;
            };
        }

        private boolean hasName() {
            return number % 2 == 0;
        }

        private @Nullable String endpoint(Names names) {
            return switch (names) {
                case ADDRESSES -> ip;
                case HOST_NAMES -> name;
                case SOME_WITHOUT_A_NAME -> hasName() ? name : "?";
                case UNKNOWN -> null;
                case EMPTY -> "";
            };
        }
    }

    private final Names names;
    private final List<Node> nodes;
    private final int[] owners;
    private final int replicas;

    /** @param owners of each slot, the number of a primary; {@link #NONE} for none */
    private GeneratedCluster(Names names, List<Node> nodes, int[] owners, int replicas) {
        this.names = names;
        this.nodes = nodes;
        this.owners = owners;
        this.replicas = replicas;
    }

    /** Draws a cluster in which each slot has an owner. Some primaries may own nothing. */
    public static GeneratedCluster of(Random random, Names names) {
        int count = 1 + random.nextInt(8);
        List<Node> nodes = IntStream.range(0, count)
                .mapToObj(number -> node(random, number))
                .toList();
        int[] owners = new int[HashSlot.COUNT];
        int change = 1 + random.nextInt(4_000);
        int owner = 0;
        for (int slot = 0; slot < owners.length; slot++) {
            owner = slot % change == 0 ? random.nextInt(count) : owner;
            owners[slot] = owner;
        }
        return new GeneratedCluster(names, nodes, owners, random.nextInt(3));
    }

    private static Node node(Random random, int number) {
        StringBuilder id = new StringBuilder();
        for (int digit = 0; digit < 40; digit++) {
            id.append(Character.forDigit(random.nextInt(16), 16));
        }
        boolean isIpv6 = random.nextInt(4) == 0;
        return new Node(
                id.toString(),
                isIpv6 ? "fd00::1:" + number : "10.0.0." + (1 + number),
                "node-%d.cluster.example".formatted(number),
                FIRST_PORT + number,
                FIRST_PORT + 1_000 + number,
                number);
    }

    /** Returns the same with another owner of a slot. */
    public GeneratedCluster withOwner(int slot, int owner) {
        int[] other = owners.clone();
        other[slot] = owner;
        return new GeneratedCluster(names, nodes, other, replicas);
    }

    /** Returns the same without replicas. */
    GeneratedCluster alone() {
        return new GeneratedCluster(names, nodes, owners, 0);
    }

    /** Returns how nodes say where they are. */
    Names names() {
        return names;
    }

    /** Returns the primary that owns a slot. */
    public Node ownerOf(int slot) {
        return nodes.get(owners[slot]);
    }

    /** Returns the primaries, by their numbers. */
    public List<Node> nodes() {
        return nodes;
    }

    public boolean ownsSlots(Node primary) {
        return !slotsOf(primary.number()).isEmpty();
    }

    /** Returns the ranges of a primary. */
    List<SlotRange> slotsOf(int number) {
        List<SlotRange> ranges = new ArrayList<>();
        int first = NONE;
        for (int slot = 0; slot <= owners.length; slot++) {
            boolean isOwned = slot < owners.length && owners[slot] == number;
            if (isOwned && first < 0) {
                first = slot;
            } else if (!isOwned && first >= 0) {
                ranges.add(new SlotRange(first, slot - 1));
                first = NONE;
            }
        }
        return ranges;
    }

    /** Returns what is to be read from the answer. */
    public ClusterOwners view(boolean isEncrypted) {
        return new ClusterOwners(nodes.stream()
                .filter(node -> !slotsOf(node.number()).isEmpty())
                .map(node -> new ClusterPrimary(
                        node.id(),
                        node.host(names),
                        isEncrypted ? node.tlsPort() : node.port(),
                        slotsOf(node.number()),
                        replicasOf(node, isEncrypted)))
                .toList());
    }

    private List<ClusterPrimary.Replica> replicasOf(Node node, boolean isEncrypted) {
        return IntStream.rangeClosed(1, replicas)
                .mapToObj(number -> replica(node, number))
                .map(replica -> new ClusterPrimary.Replica(
                        replica.id(), replica.host(names), isEncrypted ? replica.tlsPort() : replica.port()))
                .toList();
    }

    static Node replica(Node of, int number) {
        return new Node(
                of.id().substring(number) + "0".repeat(number),
                of.ip(),
                of.name(),
                of.port() + 100 * number,
                of.tlsPort() + 100 * number,
                of.number());
    }

    /** Returns the answer to {@code CLUSTER SLOTS}: ranges in an order by chance, each with its primary first. */
    public List<Object> slots(Random random, boolean isEncrypted) {
        List<Object> rows = new ArrayList<>();
        for (Node node : nodes) {
            for (SlotRange range : slotsOf(node.number())) {
                List<Object> row = new ArrayList<>(List.of((long) range.first(), (long) range.last()));
                for (int replica = 0; replica <= replicas; replica++) {
                    row.add(rowOf(replica == 0 ? node : replica(node, replica), isEncrypted));
                }
                rows.add(row);
            }
        }
        Collections.shuffle(rows, random);
        return rows;
    }

    private List<@Nullable Object> rowOf(Node node, boolean isEncrypted) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        if (names != Names.ADDRESSES) {
            metadata.put("ip", names == Names.EMPTY ? "" : node.ip());
        }
        if (names != Names.HOST_NAMES && node.hasName()) {
            metadata.put("hostname", node.name());
        }
        List<@Nullable Object> row = new ArrayList<>();
        row.add(node.endpoint(names));
        row.add((long) (isEncrypted ? node.tlsPort() : node.port()));
        row.add(node.id());
        row.add(metadata);
        return row;
    }
}
