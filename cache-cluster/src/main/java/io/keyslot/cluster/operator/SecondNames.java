// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.partition.Sign;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Whether partitions are one instance under several names or addresses. What they have recorded does not tell: an instance that
 * nobody has used yet has recorded nothing. For one thread.
 *
 * <p>Run ids that differ tell two servers apart. For all others, such as servers that hide it and databases of one server, a sign
 * decides: it is left at the one, looked for at the others, and removed. What it is left at is to be added, and is empty or shared.
 */
final class SecondNames {
    private final Instances instances;
    private final Map<MappedPartition, Sign.Sighting> seen = new LinkedHashMap<>();

    SecondNames(Instances instances) {
        this.instances = instances;
    }

    /**
     * Looks at a partition that there is.
     *
     * @throws SilentException if it does not answer
     */
    void know(MappedPartition partition) {
        seen.put(partition, instances.look(partition, newSign()));
    }

    /**
     * Returns the partition, of all that are known, that a new one is under another name; empty if it is none of them, and then
     * it is known from now on.
     *
     * @throws SilentException if one of them does not answer, or does not allow that it is found out
     */
    Optional<MappedPartition> add(MappedPartition partition) {
        Sign.Sighting own = instances.look(partition, newSign());
        List<MappedPartition> alike = seen.entrySet().stream()
                .filter(other -> !other.getValue().isOfAnotherServerThan(own))
                .map(Map.Entry::getKey)
                .toList();
        Optional<MappedPartition> same = alike.isEmpty() ? Optional.empty() : sameAs(partition, alike);
        if (same.isEmpty()) {
            seen.put(partition, own);
        }
        return same;
    }

    private Optional<MappedPartition> sameAs(MappedPartition partition, List<MappedPartition> alike) {
        Sign sign = newSign();
        Sign.Sighting unused = instances.look(partition, sign.to(Sign.Step.LEAVE));
        try {
            Optional<MappedPartition> same = alike.stream()
                    .filter(other -> instances.look(other, sign).isThere())
                    .findFirst();
            if (same.isEmpty() && !instances.look(partition, sign).isThere()) {
                throw new SilentException(
                        partition.name() + ": what was left there was gone before all others had been asked");
            }
            return same;
        } finally {
            remove(partition, sign);
        }
    }

    /** What cannot be removed is soon gone by itself. */
    private void remove(MappedPartition partition, Sign sign) {
        try {
            Sign.Sighting unused = instances.look(partition, sign.to(Sign.Step.REMOVE));
        } catch (SilentException e) {
            // nobody needs it
        }
    }

    private static Sign newSign() {
        return new Sign(UUID.randomUUID().getMostSignificantBits(), Sign.Step.LOOK);
    }
}
