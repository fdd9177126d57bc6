// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.config.Access;
import io.keyslot.client.config.Access.Login;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionOptions.ReplicaOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.routing.Layout;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts maps to layouts, based on the configuration. Pure.
 *
 * <p>A map holds no secrets. A partition that is configured with the same name and address is used as configured;
 * another one with the login of the configuration, else with the login common to all configured partitions.
 *
 * <p>A map must not lower the protection, because a client that can write to an instance can change the map there. So
 * no map leads away from TLS, and a login is sent only to configured hosts and those matching {@code hosts}.
 */
public record MapLayouts(List<PartitionOptions> configured, Access others, List<String> hosts)
        implements Function<PartitionMap, Layout> {
    public MapLayouts {
        configured = List.copyOf(configured);
        hosts = List.copyOf(hosts);
    }

    public static MapLayouts of(ClientOptions options) {
        return new MapLayouts(
                options.partitions(), options.access(), options.catalogue().hosts());
    }

    public List<String> objections(PartitionMap map) {
        List<String> objections = new ArrayList<>();
        boolean isEncrypted = !configured.isEmpty()
                && configured.stream()
                        .allMatch(known -> known.uri() != null && known.uri().tls());
        for (MappedPartition partition : map.askedPartitions()) {
            PartitionUri address = partition.address();
            if (address == null || configuredAs(partition) != null) {
                continue;
            }
            if (isEncrypted && !address.tls()) {
                objections.add("%s is at %s, without encryption, and all configured partitions are encrypted"
                        .formatted(partition.name(), address));
            }
            if (!isLoginAllowedAt(address)) {
                objections.add(
                        "%s is at host %s, to which the login would go: the configuration does not name this host; allow it by connection.hosts"
                                .formatted(partition.name(), address.host()));
            }
        }
        return objections;
    }

    private boolean isLoginAllowedAt(PartitionUri address) {
        return login().equals(Login.NONE)
                || configured.stream()
                        .map(PartitionOptions::uri)
                        .anyMatch(uri -> uri != null && uri.host().equalsIgnoreCase(address.host()))
                || hosts.stream().anyMatch(pattern -> matches(pattern, address.host()));
    }

    private static boolean matches(String pattern, String host) {
        String regex = Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(regex, Pattern.CASE_INSENSITIVE).matcher(host).matches();
    }

    @Override
    public Layout apply(PartitionMap map) {
        return new Layout(
                map.slotMap(),
                map.askedPartitions().stream().map(this::options).toList(),
                onTheirWay(map),
                map.content().placements().forRouting(),
                false,
                cold(map));
    }

    /** Returns the options of a partition. Configured weights and slots apply only to the first map. */
    public PartitionOptions options(MappedPartition partition) {
        PartitionUri address = partition.address();
        PartitionOptions known = configuredAs(partition);
        if (known != null) {
            return new PartitionOptions(
                    partition.name(),
                    known.uri(),
                    1,
                    known.access(),
                    // The map takes precedence, because it is the same for all clients.
                    partition.labels().getOrDefault(MappedPartition.ZONE, known.zone()),
                    replicas(partition, known.replicas(), known.access().login()));
        }
        if (address == null || !isLoginAllowedAt(address)) {
            return new PartitionOptions(partition.name(), address, Access.NONE);
        }
        return new PartitionOptions(
                partition.name(),
                address.withDefault(login()),
                1,
                others,
                partition.labels().getOrDefault(MappedPartition.ZONE, ""),
                replicas(partition, List.of(), login()));
    }

    /** Returns the configured replicas and those of the map, except where TLS or the login of the client would get lost. */
    private List<ReplicaOptions> replicas(MappedPartition partition, List<ReplicaOptions> known, Login login) {
        PartitionUri primary = partition.address();
        List<ReplicaOptions> all = new ArrayList<>(known);
        partition.replicas().stream()
                .filter(replica -> known.stream().noneMatch(each -> isAt(each.uri(), replica.address())))
                .filter(replica -> primary != null && replica.address().tls() == primary.tls())
                .filter(replica -> isLoginAllowedAt(replica.address()))
                .forEach(replica -> all.add(new ReplicaOptions(replica.address().withDefault(login), replica.zone())));
        return all;
    }

    private @Nullable PartitionOptions configuredAs(MappedPartition partition) {
        PartitionUri address = partition.address();
        for (PartitionOptions known : configured) {
            PartitionUri uri = known.uri();
            if (known.name().equals(partition.name()) && uri != null && address != null && isAt(uri, address)) {
                return known;
            }
        }
        return null;
    }

    private Login login() {
        return others.login().equals(Login.NONE) ? commonLogin() : others.login();
    }

    private static boolean isAt(PartitionUri one, PartitionUri other) {
        return one.withoutLogin().equals(other.withoutLogin());
    }

    private Login commonLogin() {
        PartitionUri first = configured.isEmpty() ? null : configured.get(0).uri();
        if (first == null) {
            return Login.NONE;
        }
        Login login = new Login(first.username(), first.password());
        boolean isCommon = configured.stream()
                .map(PartitionOptions::uri)
                .allMatch(uri -> uri != null && login.equals(new Login(uri.username(), uri.password())));
        return isCommon ? login : Login.NONE;
    }

    /** Each slot that is moving or settling, with the partition of the two that does not own it. */
    private static Map<Integer, PartitionId> onTheirWay(PartitionMap map) {
        Map<Integer, PartitionId> others = new HashMap<>();
        for (Move move : map.moves()) {
            move.fenced().stream()
                    .forEach(slot -> others.put(slot, move.committed().contains(slot) ? move.from() : move.to()));
        }
        return others;
    }

    /** Returns the move of each slot that a cold move has given to its target. */
    public static Map<Integer, String> cold(PartitionMap map) {
        Map<Integer, String> moves = new HashMap<>();
        map.moves().stream()
                .filter(move -> move.drain() != null)
                .forEach(move ->
                        move.fenced().and(move.committed()).stream().forEach(slot -> moves.put(slot, move.id())));
        return moves;
    }
}
