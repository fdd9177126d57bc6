// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.layout.ValueLayout;
import java.util.List;

public final class ReplicaRules {
    private ReplicaRules() {}

    /** Returns the settings that conflict with reads from replicas, if these are configured. */
    public static List<String> problems(PartitionedConfiguration<?, ?> configuration) {
        String other = configuration.getReads() == null ? "" : objection(configuration);
        return other.isEmpty()
                ? List.of()
                : List.of("it is to be read from replicas, but " + other + "; leave reads out");
    }

    private static String objection(PartitionedConfiguration<?, ?> configuration) {
        if (configuration.getGroupedBy() != null || Boolean.TRUE.equals(configuration.getIndexed())) {
            return "is in a group, which transactions change";
        }
        if (configuration.getNear() != null) {
            return "has a near cache, which only the primary tells of changes";
        }
        return configuration.getLayout() == ValueLayout.RAW
                ? "has raw values, which do not say of which epoch they are"
                : "";
    }
}
