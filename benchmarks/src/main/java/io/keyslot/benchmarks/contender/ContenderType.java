// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Operation;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A kind of contender, with its name in tables and on the command line. Immutable. */
public record ContenderType(
        String label,
        Place place,
        boolean isUsual,
        Set<Operation> operations,
        Function<Conditions, Contender> opening) {
    private static final Set<Operation> ALL_OPERATIONS = EnumSet.allOf(Operation.class);
    private static final Set<Operation> NO_TRANSACTION = EnumSet.complementOf(EnumSet.of(Operation.TRANSACTION));
    private static final Set<Operation> ONE_ENTRY = EnumSet.of(Operation.GET, Operation.PUT, Operation.MIXED);

    private static final List<ContenderType> ALL = List.of(
            usual(
                    "lettuce-sync",
                    Place.SERVERS,
                    ALL_OPERATIONS,
                    conditions -> new LettuceContender(conditions, ValueForm.RAW)),
            usual(
                    "lettuce-kryo",
                    Place.SERVERS,
                    ALL_OPERATIONS,
                    conditions -> new LettuceContender(conditions, ValueForm.KRYO)),
            usual("keyslot", Place.SERVERS, ALL_OPERATIONS, KeyslotContenders::instances),
            usual("keyslot-default", Place.SERVERS, ALL_OPERATIONS, KeyslotContenders::byDefault),
            new ContenderType("keyslot-typed", Place.SERVERS, false, ALL_OPERATIONS, KeyslotContenders::typed),
            usual("jedis", Place.SERVERS, NO_TRANSACTION, JedisContender::new),
            usual("redisson-jcache", Place.SERVERS, NO_TRANSACTION, RedissonContenders::jcache),
            usual("spring-rediscache", Place.SERVERS, ONE_ENTRY, SpringContender::new),
            new ContenderType("lettuce-cluster", Place.CLUSTER, false, ONE_ENTRY, LettuceClusterContender::new),
            new ContenderType("keyslot-cluster", Place.CLUSTER, false, ALL_OPERATIONS, KeyslotContenders::cluster),
            usual("keyslot-near", Place.SERVERS_AND_PROCESS, ALL_OPERATIONS, KeyslotContenders::near),
            usual("keyslot-embedded", Place.PROCESS, ALL_OPERATIONS, KeyslotContenders::embedded),
            usual("caffeine", Place.PROCESS, NO_TRANSACTION, CaffeineContender::new));

    public enum Place {
        /** On the servers that contenders share, one after the other. */
        SERVERS,
        /** On a cluster that the contender starts. */
        CLUSTER,
        /** In the calling process. */
        PROCESS,
        /** On the shared servers, with near entries in the calling process. */
        SERVERS_AND_PROCESS
    }

    public ContenderType {
        operations = Set.copyOf(operations);
    }

    private static ContenderType usual(
            String label, Place place, Set<Operation> operations, Function<Conditions, Contender> opening) {
        return new ContenderType(label, place, true, operations, opening);
    }

    /** Returns all types, the reference first. */
    public static List<ContenderType> all() {
        return ALL;
    }

    /** Throws {@code IllegalArgumentException} if there is none. */
    public static ContenderType of(String label) {
        return ALL.stream()
                .filter(type -> type.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("contender is \"%s\", must be one of %s"
                        .formatted(
                                label,
                                String.join(
                                        ", ",
                                        ALL.stream().map(ContenderType::label).toList()))));
    }

    public boolean isLocal() {
        return place == Place.PROCESS;
    }

    public boolean usesServers() {
        return place == Place.SERVERS || place == Place.SERVERS_AND_PROCESS;
    }

    public boolean isNear() {
        return place == Place.SERVERS_AND_PROCESS;
    }

    public Contender open(Conditions conditions) {
        return opening.apply(conditions);
    }

    @Override
    public String toString() {
        return label;
    }
}
