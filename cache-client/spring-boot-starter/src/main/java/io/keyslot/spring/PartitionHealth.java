// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.cache.Cache;

/**
 * The health of one partition. A missing partition is {@value #MISSING}, which does not change the health of the
 * application, because it can continue. It is {@value #DOWN} if no partition answers, or if a cache is configured to
 * fail without its partition. Details contain no keys and credentials.
 */
record PartitionHealth(String name, String code, Map<String, Object> details) {
    static final String UP = "UP";
    static final String DOWN = "DOWN";
    static final String MISSING = "MISSING";

    static List<PartitionHealth> of(PartitionedCacheManager manager) {
        List<PartitionStatus> partitions = manager.partitions();
        boolean isAnyUp = partitions.stream().anyMatch(PartitionHealth::answers);
        String missing = isAnyUp && !isAnyToFail(manager) ? MISSING : DOWN;
        return partitions.stream().map(status -> of(status, missing)).toList();
    }

    static Optional<PartitionHealth> of(PartitionedCacheManager manager, String name) {
        return of(manager).stream().filter(health -> health.name.equals(name)).findFirst();
    }

    private static boolean answers(PartitionStatus status) {
        return status.state() == PartitionState.HEALTHY || status.state() == PartitionState.SUSPECT;
    }

    private static PartitionHealth of(PartitionStatus status, String missing) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("address", status.address());
        details.put("state", status.state().name().toLowerCase(Locale.ROOT));
        details.put("since", status.since().toString());
        details.put("slots", status.slots());
        if (status.journal() > 0) {
            details.put("journal", status.journal());
        }
        String problem = status.problem();
        if (problem != null) {
            details.put("problem", problem);
        }
        return new PartitionHealth(status.id().name(), answers(status) ? UP : missing, details);
    }

    @SuppressWarnings("unchecked") // the types of a cache are not known here
    private static boolean isAnyToFail(PartitionedCacheManager manager) {
        for (String name : manager.getCacheNames()) {
            Cache<?, ?> cache = manager.getCache(name);
            if (cache != null && isToFail(cache.getConfiguration(PartitionedConfiguration.class))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isToFail(PartitionedConfiguration<?, ?> configuration) {
        return configuration.getMissingPartition() == MissingPartitionPolicy.FAIL
                || configuration.getMissingPartitionWrites() == MissingPartitionWritePolicy.FAIL;
    }
}
