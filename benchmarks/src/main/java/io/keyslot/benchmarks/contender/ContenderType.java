// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Operation;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A kind of contender, by the name that it has in tables and on the command line. Immutable. */
public final class ContenderType {
    private static final Set<Operation> ALL_OPERATIONS = EnumSet.allOf(Operation.class);
    private static final Set<Operation> NO_TRANSACTION = EnumSet.complementOf(EnumSet.of(Operation.TRANSACTION));
    private static final Set<Operation> NOT_ATOMIC =
            EnumSet.complementOf(EnumSet.of(Operation.INVOKE, Operation.TRANSACTION));
    private static final Set<Operation> ONE_ENTRY = EnumSet.of(Operation.GET, Operation.PUT, Operation.MIXED);

    private static final List<ContenderType> ALL = List.of(
            remote("lettuce-sync", ALL_OPERATIONS, conditions -> new LettuceContender(conditions, ValueForm.RAW)),
            remote("lettuce-kryo", ALL_OPERATIONS, conditions -> new LettuceContender(conditions, ValueForm.KRYO)),
            remote("keyslot", ALL_OPERATIONS, KeyslotContenders::instances),
            remote("keyslot-default", ALL_OPERATIONS, KeyslotContenders::byDefault),
            remote("keyslot-typed", ALL_OPERATIONS, KeyslotContenders::typed).onlyIfNamed(),
            remote("jedis", NO_TRANSACTION, JedisContender::new),
            remote("redisson-jcache", NO_TRANSACTION, RedissonContenders::jcache),
            member("hazelcast-client", NO_TRANSACTION, HazelcastContenders::client),
            remote("spring-rediscache", ONE_ENTRY, SpringContender::new),
            cluster("lettuce-cluster", ONE_ENTRY, ClusterContenders::lettuce),
            cluster("keyslot-cluster", ALL_OPERATIONS, ClusterContenders::keyslot),
            cluster("jedis-cluster", ONE_ENTRY, ClusterContenders::jedis),
            cluster("redisson-cluster", ONE_ENTRY, ClusterContenders::redisson),
            near("keyslot-near", ALL_OPERATIONS, KeyslotContenders::near),
            nearMember("hazelcast-near", NO_TRANSACTION, HazelcastContenders::near),
            near("redisson-local", NOT_ATOMIC, RedissonLocalContender::new),
            local("keyslot-embedded", ALL_OPERATIONS, KeyslotContenders::embedded),
            local("hazelcast-embedded", NO_TRANSACTION, HazelcastContenders::embedded),
            local("caffeine-jcache-byvalue", NO_TRANSACTION, CaffeineContenders::byValue),
            local("caffeine-jcache", NO_TRANSACTION, CaffeineContenders::byReference)
                    .onlyIfNamed(),
            local("caffeine", NO_TRANSACTION, CaffeineContender::new));

    private final String label;
    private final Place place;
    private final Set<Operation> operations;
    private final Function<Conditions, Contender> opening;
    private final boolean usual;

    private ContenderType(
            String label,
            Place place,
            Set<Operation> operations,
            Function<Conditions, Contender> opening,
            boolean usual) {
        this.label = label;
        this.place = place;
        this.operations = Set.copyOf(operations);
        this.opening = opening;
        this.usual = usual;
    }

    private static ContenderType remote(
            String label, Set<Operation> operations, Function<Conditions, Contender> opening) {
        return new ContenderType(label, Place.SERVERS, operations, opening, true);
    }

    private static ContenderType member(
            String label, Set<Operation> operations, Function<Conditions, Contender> opening) {
        return new ContenderType(label, Place.MEMBERS, operations, opening, true);
    }

    private static ContenderType cluster(
            String label, Set<Operation> operations, Function<Conditions, Contender> opening) {
        return new ContenderType(label, Place.CLUSTER, operations, opening, false);
    }

    private static ContenderType near(
            String label, Set<Operation> operations, Function<Conditions, Contender> opening) {
        return new ContenderType(label, Place.SERVERS_AND_PROCESS, operations, opening, true);
    }

    private static ContenderType nearMember(
            String label, Set<Operation> operations, Function<Conditions, Contender> opening) {
        return new ContenderType(label, Place.MEMBERS_AND_PROCESS, operations, opening, true);
    }

    private static ContenderType local(
            String label, Set<Operation> operations, Function<Conditions, Contender> opening) {
        return new ContenderType(label, Place.PROCESS, operations, opening, true);
    }

    private ContenderType onlyIfNamed() {
        return new ContenderType(label, place, operations, opening, false);
    }

    /** Returns all that are compared, first the one that the others are compared to. */
    public static List<ContenderType> all() {
        return ALL;
    }

    /**
     * Returns the contender of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static ContenderType of(String label) {
        return ALL.stream()
                .filter(type -> type.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("contender is \"%s\", must be one of %s"
                        .formatted(
                                label,
                                String.join(
                                        ", ",
                                        ALL.stream().map(ContenderType::label).toList()))));
    }

    /** Returns the name. */
    public String label() {
        return label;
    }

    /** Returns whether its entries are in the process that asks for them, and nowhere else. */
    public boolean isLocal() {
        return place == Place.PROCESS;
    }

    /** Returns whether it is measured if nobody says which ones are. */
    public boolean isUsual() {
        return usual;
    }

    /** Returns whether it needs the servers that several contenders have, one after the other. */
    public boolean usesServers() {
        return place == Place.SERVERS || place == Place.SERVERS_AND_PROCESS;
    }

    /** Returns whether the process that asks keeps copies of entries that are elsewhere. */
    public boolean isNear() {
        return place == Place.SERVERS_AND_PROCESS || place == Place.MEMBERS_AND_PROCESS;
    }

    /** Returns what it can do. */
    public Set<Operation> operations() {
        return operations;
    }

    /** Opens a contender without entries. */
    public Contender open(Conditions conditions) {
        return opening.apply(conditions);
    }

    @Override
    public String toString() {
        return label;
    }

    /** Where entries are that are read. */
    private enum Place {
        /** On the servers that several contenders have. */
        SERVERS,
        /** On members of a grid, which the contender starts. */
        MEMBERS,
        /** On a cluster, which the contender starts. */
        CLUSTER,
        PROCESS,
        SERVERS_AND_PROCESS,
        MEMBERS_AND_PROCESS
    }
}
