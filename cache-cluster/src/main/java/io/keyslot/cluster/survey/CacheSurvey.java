// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.survey;

import io.keyslot.client.config.CacheOptions;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.SilentException;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts and weighs the entries of one cache; changes nothing. For one use. */
public final class CacheSurvey {
    private final String prefix;
    private final Map<PartitionId, SeenCache.Stored> stored = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private SeenCache.@Nullable Largest largest;

    private CacheSurvey(String prefix) {
        this.prefix = prefix;
    }

    /**
     * Looks at the partitions one after the other.
     *
     * @param most about how many keys of each partition are looked at; all if 0
     */
    public static SeenCache look(OpenCatalogue catalogue, ClientOptions options, String cache, long most) {
        PartitionMap map = catalogue.newest();
        CacheSurvey survey = new CacheSurvey(prefixOf(options, cache));
        try (Instances instances = new Instances(catalogue)) {
            KeyWalk walk = new KeyWalk(instances, map, most);
            map.askedPartitions().forEach(partition -> survey.look(walk, partition));
        }
        boolean isComplete = survey.stored.size() == map.askedPartitions().size();
        return new SeenCache(survey.stored, survey.largest, survey.notes, isComplete);
    }

    /** Keys of one cache begin with it, and those of no other. */
    private static String prefixOf(ClientOptions options, String cache) {
        CacheOptions configured = options.caches().get(cache);
        String type = configured == null ? null : configured.entityType();
        return (options.namespace().isEmpty() ? "" : options.namespace() + "/") + (type == null ? cache : type) + ":";
    }

    private void look(KeyWalk walk, MappedPartition partition) {
        SeenCache.Stored[] sum = {SeenCache.Stored.NONE};
        try {
            KeyWalk.Walked walked = walk.over(partition, key -> key.text().startsWith(prefix), (key, slot, bytes) -> {
                sum[0] = sum[0].plus(new SeenCache.Stored(1, bytes));
                if (largest == null || bytes > largest.bytes()) {
                    largest = new SeenCache.Largest(key.text(), bytes);
                }
            });
            stored.put(partition.name(), walked.isComplete() ? sum[0] : estimate(walk, partition, sum[0], walked));
        } catch (SilentException e) {
            notes.add("entries of a partition are not known: " + e.getMessage());
        }
    }

    private SeenCache.Stored estimate(
            KeyWalk walk, MappedPartition partition, SeenCache.Stored seen, KeyWalk.Walked walked) {
        MemoryUse all = walk.instances().ask(partition, new SlotTransfer.Memory());
        notes.add(
                "entries of %s are estimated by %d of %d keys".formatted(partition.name(), walked.keys(), all.keys()));
        return seen.times(Math.max(1, (double) all.keys() / Math.max(1, walked.keys())));
    }
}
