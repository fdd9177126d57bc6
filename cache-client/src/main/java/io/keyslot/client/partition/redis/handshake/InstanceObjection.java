// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.PartitionIdentity;
import java.util.List;
import java.util.Optional;

/** Finds reasons in an instance's record why a client must not use the instance. Free of I/O. */
final class InstanceObjection {
    private final InstanceRecord instance;
    private final PartitionIdentity identity;

    private InstanceObjection(InstanceRecord instance, PartitionIdentity identity) {
        this.instance = instance;
        this.identity = identity;
    }

    /** Returns the reason and a remedy; empty if the client may use the instance. */
    static Optional<String> of(InstanceRecord instance, PartitionIdentity identity) {
        if (instance.isAny() && !instance.isOurs()) {
            return Optional.of(
                    "the hash keyslot:meta is somebody else's; give Keyslot a database or an instance of its own");
        }
        InstanceObjection objection = new InstanceObjection(instance, identity);
        return objection.toFormat().or(objection::toNamespaces).or(objection::toSlots);
    }

    private Optional<String> toFormat() {
        String format = instance.format();
        return format.equals(InstanceRecord.OUR_FORMAT) || format.equals(InstanceRecord.FORMAT_BEFORE)
                ? Optional.empty()
                : Optional.of(("the instance is used by a newer version of Keyslot (format %s of keyslot:meta,"
                                + " this version knows %s). Update this client")
                        .formatted(format, InstanceRecord.OUR_FORMAT));
    }

    private Optional<String> toNamespaces() {
        List<String> others = instance.namespaces().stream()
                .filter(namespace -> !namespace.equals(identity.namespace()))
                .map(InstanceObjection::name)
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

    private Optional<String> toSlots() {
        String[] parts = instance.map(identity).split(" ", 4);
        String recorded = parts.length < 3 ? "" : parts[2];
        String ours = InstanceRecord.slots(identity);
        if (parts.length > 2 && isOfAnother(parts[1])) {
            return Optional.of(toSlots(recorded, ours));
        }
        return instance.isBlankFor(identity) || recorded.equals(ours) || instance.isOutdatedFor(identity)
                ? Optional.empty()
                : Optional.of(toSlots(recorded, ours));
    }

    /**
     * Returns whether a partition without slots is another partition of the map under a second name or address. The
     * record may be old, because that partition may lack the newest map.
     */
    private boolean isOfAnother(String recordedName) {
        return identity.slotMap().slotsOf(identity.partition()) == 0
                && !recordedName.equals(identity.partition().name())
                && identity.slotMap().partitions().stream()
                        .anyMatch(known -> known.name().equals(recordedName));
    }

    private String toSlots(String recorded, String ours) {
        String map = instance.map(identity);
        int messages = map.indexOf(InstanceRecord.SEPARATOR);
        if (identity.slotMap().slotsOf(identity.partition()) == 0) {
            return ("the instance is a partition already, that of slots %s. An instance may have several names and addresses,"
                            + " and is one partition under all of them: give %s an instance of its own")
                    .formatted(recorded.isEmpty() ? "that nobody can read" : recorded, identity.partition());
        }
        return ("the instance belongs to another slot map: recorded are slots %s (%s), ours are %s as partition"
                        + " %s (%s). Give all clients the same instances in the same order with the same"
                        + " weights. If nobody uses the recorded map any more, give this client other databases or"
                        + " instances; or stop all clients and FLUSHDB these databases, which deletes all that is"
                        + " in them. With the record alone gone, old entries might be served again")
                .formatted(
                        recorded.isEmpty() ? "nobody can read" : recorded,
                        messages < 0 ? map : map.substring(messages + InstanceRecord.SEPARATOR.length()),
                        ours,
                        identity.partition(),
                        identity.slotMap());
    }
}
