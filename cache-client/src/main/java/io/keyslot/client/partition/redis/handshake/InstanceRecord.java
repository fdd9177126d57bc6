// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.stored.EncodedKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What an instance says about who uses it: the hash {@code keyslot:meta}. Pure.
 *
 * <p>Its fields are {@code format}, and for each namespace {@code map:<namespace>} with what its first client believed:
 * version, partition and slots, and the whole map for messages: {@code v1 p1 0-8191 | v1 p1=0-8191 p2=8192-16383}.
 * {@code min:<namespace>} is the version that a client must have at least, once slots have moved. {@link Incarnation} has the field {@code incarnation}, which belongs to all of them. {@code foreign} is there if the instance held
 * something when it was adopted that may be somebody else's.
 *
 * @param fields none of them if nobody has used the instance
 */
public record InstanceRecord(Map<String, String> fields) {
    /** The key of the hash. It is no entry, and not listed among them. */
    public static final EncodedKey KEY = EncodedKey.of("keyslot:meta");

    private static final String FORMAT = "format";
    static final String OUR_FORMAT = "2";

    /** In which no client knew of lives. The first one that does writes the next format. */
    static final String FORMAT_BEFORE = "1";

    private static final String MAP = "map:";
    private static final String MIN_VERSION = "min:";
    private static final String FOREIGN = "strangers";
    private static final String POSSIBLE = "possible";
    private static final String LIVES_BEFORE = "lives";
    private static final String NO_SLOTS = "none";
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Pattern VERSION = Pattern.compile("v\\d{1,18}");
    static final String SEPARATOR = " | ";

    /** Returns whether the namespace of this client is not recorded yet. */
    boolean isBlankFor(PartitionIdentity identity) {
        return !fields.containsKey(MAP + identity.namespace());
    }

    /** Returns whether there is a hash at all. */
    boolean isAny() {
        return !fields.isEmpty();
    }

    /** Returns whether the instance may have data of strangers, which is to be left alone. */
    boolean isGuarded() {
        return fields.containsKey(FOREIGN);
    }

    /** Returns whether Keyslot has written one of the fields. */
    boolean isOurs() {
        return fields.keySet().stream()
                .anyMatch(field -> field.equals(FORMAT)
                        || field.equals(Incarnation.FIELD)
                        || field.equals(LIVES_BEFORE)
                        || field.startsWith(MIN_VERSION)
                        || field.startsWith(MAP));
    }

    /** Returns the version of the format in which the fields are. */
    String format() {
        return fields.getOrDefault(FORMAT, OUR_FORMAT);
    }

    /** Returns what is recorded of the map of this client's namespace; empty if nothing is. */
    String map(PartitionIdentity identity) {
        return fields.getOrDefault(MAP + identity.namespace(), "");
    }

    /** Returns the namespaces that are recorded. */
    List<String> namespaces() {
        return fields.keySet().stream()
                .filter(field -> field.startsWith(MAP))
                .map(field -> field.substring(MAP.length()))
                .sorted()
                .toList();
    }

    /** Returns the field about the life of the partition, as it is. */
    String incarnation() {
        return fields.getOrDefault(Incarnation.FIELD, Incarnation.NONE);
    }

    /**
     * Returns the fields that the first client of a namespace writes, in this order: who ends in between leaves no record
     * that says too little.
     */
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

    /** Returns the field that says which map this client knows. */
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

    /** Returns whether the map that is recorded has been replaced by this client's. */
    boolean isOutdatedFor(PartitionIdentity identity) {
        return isOutdated(map(identity).split(" ", 2)[0], identity);
    }

    /** A map of the same version and other slots is no older map, but another one. */
    private static boolean isOutdated(String version, PartitionIdentity identity) {
        return VERSION.matcher(version).matches()
                && Long.parseLong(version.substring(1)) < identity.slotMap().version();
    }

    static String slots(PartitionIdentity identity) {
        String slots = identity.slotMap().describe(identity.partition());
        return slots.isEmpty() ? NO_SLOTS : slots;
    }

    /** Returns the field with the version of the slot map that clients of a namespace must have. */
    public static String minVersionField(String namespace) {
        return MIN_VERSION + namespace;
    }

    /** Reads what is in that field; 0 if nothing is. */
    static long minVersion(String field) {
        return NUMBER.matcher(field).matches() ? Long.parseLong(field) : 0;
    }

    /** Returns the version of the slot map that this client needs here, if it is newer than its own; else 0. */
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
}
