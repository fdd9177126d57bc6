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
 * Detects partitions that are one instance under several names or addresses. Different run ids prove different servers.
 * For all others, such as databases of one server, a sign decides: it is left at one partition, looked for at the
 * others, and removed. It is left only at a partition that is to be added. For one thread.
 */
final class SecondNames {
    private final Instances instances;
    private final Map<MappedPartition, Sign.Sighting> seen = new LinkedHashMap<>();

    SecondNames(Instances instances) {
        this.instances = instances;
    }

    void know(MappedPartition partition) {
        seen.put(partition, instances.look(partition, newSign()));
    }

    /**
     * Returns the known partition that is the same instance as a new one; if there is none, adds the new one. Throws
     * {@link SilentException} if one of them does not answer, or does not allow the check.
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

    /** A sign that cannot be removed expires soon. */
    private void remove(MappedPartition partition, Sign sign) {
        try {
            Sign.Sighting unused = instances.look(partition, sign.to(Sign.Step.REMOVE));
        } catch (SilentException e) {
            // it expires
        }
    }

    private static Sign newSign() {
        return new Sign(UUID.randomUUID().getMostSignificantBits(), Sign.Step.LOOK);
    }
}
