// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.stored.EncodedKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The record of an instance's users: the hash {@code keyslot:meta}; empty for an unused instance. Free of I/O.
 *
 * <p>The field {@code format} is the version of the format. For each namespace, {@code map:<namespace>} holds the map
 * of its first client: version, partition and slots, then the whole map for messages:
 * {@code v1 p1 0-8191 | v1 p1=0-8191 p2=8192-16383}; and {@code min:<namespace>} the minimal version for clients, once
 * slots have moved. The {@link Incarnation} is in a field of its own, shared by all namespaces. {@code strangers}
 * exists if the instance held possibly foreign keys when it was adopted.
 */
record InstanceRecord(Map<String, String> fields) {
    /** The key of the hash, which is no entry and not listed. */
    static final EncodedKey KEY = EncodedKey.of("keyslot:meta");

    private static final String FORMAT = "format";
    private static final String OUR_FORMAT = "2";

    private static final String MAP = "map:";
    private static final String MIN_VERSION = "min:";
    private static final String FOREIGN = "strangers";
    private static final String POSSIBLE = "possible";
    private static final String NO_SLOTS = "none";
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Pattern VERSION = Pattern.compile("v\\d{1,18}");
    private static final String SEPARATOR = " | ";

    boolean isBlankFor(PartitionIdentity identity) {
        return !fields.containsKey(MAP + identity.namespace());
    }

    boolean isAny() {
        return !fields.isEmpty();
    }

    boolean isGuarded() {
        return fields.containsKey(FOREIGN);
    }

    private boolean isOurs() {
        return fields.keySet().stream()
                .anyMatch(field -> field.equals(FORMAT)
                        || field.equals(Incarnation.FIELD)
                        || field.startsWith(MIN_VERSION)
                        || field.startsWith(MAP));
    }

    private String format() {
        return fields.getOrDefault(FORMAT, OUR_FORMAT);
    }

    private String map(PartitionIdentity identity) {
        return fields.getOrDefault(MAP + identity.namespace(), "");
    }

    private List<String> namespaces() {
        return fields.keySet().stream()
                .filter(field -> field.startsWith(MAP))
                .map(field -> field.substring(MAP.length()))
                .sorted()
                .toList();
    }

    String incarnation() {
        return fields.getOrDefault(Incarnation.FIELD, Incarnation.NONE);
    }

    /** Returns the fields of a first client, in an order in which a partial record is safe. */
    static Map<String, String> adoption(PartitionIdentity identity, boolean isGuarded) {
        Map<String, String> fields = new LinkedHashMap<>();
        if (isGuarded) {
            fields.put(FOREIGN, POSSIBLE);
        }
        fields.put(FORMAT, OUR_FORMAT);
        Map.Entry<String, String> map = mapOf(identity);
        fields.put(map.getKey(), map.getValue());
        return fields;
    }

    static Map.Entry<String, String> mapOf(PartitionIdentity identity) {
        return Map.entry(
                MAP + identity.namespace(),
                "v%d %s %s%s%s"
                        .formatted(
                                identity.slotMap().version(),
                                identity.partition(),
                                slots(identity),
                                SEPARATOR,
                                identity.slotMap()));
    }

    /** Returns whether this client's map has replaced the recorded one. */
    boolean isOutdatedFor(PartitionIdentity identity) {
        return isOutdated(map(identity).split(" ", 2)[0], identity);
    }

    /** A map of the same version with other slots is not older but different. */
    private static boolean isOutdated(String version, PartitionIdentity identity) {
        return VERSION.matcher(version).matches()
                && Long.parseLong(version.substring(1)) < identity.slotMap().version();
    }

    private static String slots(PartitionIdentity identity) {
        String slots = identity.slotMap().describe(identity.partition());
        return slots.isEmpty() ? NO_SLOTS : slots;
    }

    static String minVersionField(String namespace) {
        return MIN_VERSION + namespace;
    }

    static long minVersion(String field) {
        return NUMBER.matcher(field).matches() ? Long.parseLong(field) : 0;
    }

    /** Returns the version of the slot map that this client needs here if it is newer than its own; otherwise 0. */
    long neededBy(PartitionIdentity identity) {
        long own = identity.slotMap().version();
        long min = minVersion(fields.getOrDefault(minVersionField(identity.namespace()), ""));
        String[] recorded = map(identity).split(" ", 4);
        boolean hasOtherSlots = recorded.length > 2 && !recorded[2].equals(slots(identity));
        long map =
                hasOtherSlots && VERSION.matcher(recorded[0]).matches() ? Long.parseLong(recorded[0].substring(1)) : 0;
        long needed = Math.max(min, map);
        return needed > own ? needed : 0;
    }

    /** Returns why a client of this identity must not use the instance, and a remedy; empty if it may. */
    Optional<String> objectionTo(PartitionIdentity identity) {
        if (isAny() && !isOurs()) {
            return Optional.of(
                    "the hash keyslot:meta was not written by Keyslot; give Keyslot a database or an instance of its own");
        }
        return objectionToFormat().or(() -> objectionToNamespaces(identity)).or(() -> objectionToSlots(identity));
    }

    private Optional<String> objectionToFormat() {
        return format().equals(OUR_FORMAT)
                ? Optional.empty()
                : Optional.of(("the instance is used by a newer version of Keyslot (format %s of keyslot:meta,"
                                + " this version knows %s). Update this client")
                        .formatted(format(), OUR_FORMAT));
    }

    private Optional<String> objectionToNamespaces(PartitionIdentity identity) {
        List<String> others = namespaces().stream()
                .filter(namespace -> !namespace.equals(identity.namespace()))
                .map(InstanceRecord::name)
                .toList();
        return others.isEmpty() || identity.otherNamespacesAllowed()
                ? Optional.empty()
                : Optional.of(("the instance is used under %s, this client uses %s. If they are to share it,"
                                + " set sharedInstances: true in both; otherwise give this client instances of its own")
                        .formatted(String.join(" and ", others), name(identity.namespace())));
    }

    private static String name(String namespace) {
        return namespace.isEmpty() ? "no namespace" : "namespace '" + namespace + "'";
    }

    private Optional<String> objectionToSlots(PartitionIdentity identity) {
        String[] parts = map(identity).split(" ", 4);
        String recorded = parts.length < 3 ? "" : parts[2];
        String ours = slots(identity);
        if (parts.length > 2 && isOfAnother(parts[1], identity)) {
            return Optional.of(objectionToSlots(recorded, ours, identity));
        }
        return isBlankFor(identity) || recorded.equals(ours) || isOutdatedFor(identity)
                ? Optional.empty()
                : Optional.of(objectionToSlots(recorded, ours, identity));
    }

    /**
     * Returns whether a partition without slots is another partition of the map under a second name or address. The
     * record may be old, because that partition may lack the newest map.
     */
    private static boolean isOfAnother(String recordedName, PartitionIdentity identity) {
        return identity.slotMap().slotsOf(identity.partition()) == 0
                && !recordedName.equals(identity.partition().name())
                && identity.slotMap().partitions().stream()
                        .anyMatch(known -> known.name().equals(recordedName));
    }

    private String objectionToSlots(String recorded, String ours, PartitionIdentity identity) {
        String recordedMap = map(identity);
        int messages = recordedMap.indexOf(SEPARATOR);
        if (identity.slotMap().slotsOf(identity.partition()) == 0) {
            return ("the instance is a partition already, that of slots %s. An instance may have several names and addresses,"
                            + " and is one partition under all of them: give %s an instance of its own")
                    .formatted(recorded.isEmpty() ? "that cannot be read" : recorded, identity.partition());
        }
        return ("the instance belongs to another slot map: recorded are slots %s (%s), ours are %s as partition"
                        + " %s (%s). Give all clients the same instances in the same order with the same"
                        + " weights. If no client uses the recorded map any more, give this client other databases or"
                        + " instances; or stop all clients and FLUSHDB these databases, which deletes all that is"
                        + " in them. With the record alone gone, old entries might be served again")
                .formatted(
                        recorded.isEmpty() ? "that cannot be read" : recorded,
                        messages < 0 ? recordedMap : recordedMap.substring(messages + SEPARATOR.length()),
                        ours,
                        identity.partition(),
                        identity.slotMap());
    }
}
