// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cluster.move.Migration;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import javax.cache.Cache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is about many entries at once is exact while a third of all slots is on its way. */
@Tag("thorough")
@SideBySide
class ScansWhileMovingIT {
    private static final int ENTRIES = 3_000;
    private static final SlotSet MOST_OF_FIRST = SlotSet.of(new SlotRange(0, 5_000));

    private final MovingServers servers = new MovingServers();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final PartitionedCache<String, Long> cache =
            servers.manager().createCache("scanned", MovingServers.strict());

    @AfterEach
    void close() {
        threads.shutdownNow();
        servers.close();
    }

    private Map<String, Long> fill() {
        Map<String, Long> entries = new HashMap<>();
        IntStream.range(0, ENTRIES).forEach(i -> entries.put("e" + i, (long) i));
        cache.putAll(entries);
        return entries;
    }

    private Future<Migration.Outcome> move(PartitionId from, PartitionId to, Consumer<String> steps) {
        String move = servers.begin(from, to, MOST_OF_FIRST);
        return threads.submit(servers.run(move, "coordinator-" + move, steps)::run);
    }

    private static void assertFinished(Future<Migration.Outcome> move) throws Exception {
        assertThat(move.get(40, TimeUnit.SECONDS)).isEqualTo(Migration.Outcome.FINISHED);
    }

    @Test
    void iterationsAndScans_findEachEntryOnce() throws Exception {
        Set<String> keys = fill().keySet();
        int passes = 0;
        for (boolean isForth : List.of(true, false)) {
            PartitionId from = isForth ? MovingServers.FIRST : MovingServers.SECOND;
            PartitionId to = isForth ? MovingServers.SECOND : MovingServers.FIRST;
            Future<Migration.Outcome> move = move(from, to, step -> {});
            do {
                List<String> found = StreamSupport.stream(cache.spliterator(), false)
                        .map(Cache.Entry::getKey)
                        .toList();
                assertThat(found).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(keys);
                List<Long> scanned = cache.scan(entry -> true, Integer.MAX_VALUE, null).entries().stream()
                        .map(Cache.Entry::getValue)
                        .toList();
                assertThat(scanned).doesNotHaveDuplicates().hasSize(ENTRIES);
                passes++;
            } while (!move.isDone());
            assertFinished(move);
        }
        assertThat(passes).isGreaterThan(2);
    }

    @Test
    void clearsAndRemovals_leaveNothing_atWhateverStep() throws Exception {
        List<String> steps = List.of("p1 MOVING", "p2 import", "p1 FROZEN", "after map commit", "map settle");
        for (String step : steps) {
            for (boolean clears : List.of(true, false)) {
                PartitionId from = servers.maps().read().ownerOf(0).orElseThrow();
                PartitionId to = from.equals(MovingServers.FIRST) ? MovingServers.SECOND : MovingServers.FIRST;
                String there = from.equals(MovingServers.FIRST)
                        ? step
                        : step.startsWith("p1 ") ? step.replace("p1 ", "p2 ") : step.replace("p2 ", "p1 ");
                Set<String> keys = fill().keySet();
                List<Future<?>> removals = new ArrayList<>();
                Future<Migration.Outcome> move = move(from, to, now -> {
                    if (now.equals(there) && removals.isEmpty()) {
                        removals.add(threads.submit(() -> {
                            if (clears) {
                                cache.clear();
                            } else {
                                cache.removeAll();
                            }
                        }));
                    }
                });
                assertFinished(move);
                assertThat(removals).as(there).hasSize(1);
                removals.get(0).get(20, TimeUnit.SECONDS);

                assertThat(cache).as(there).isEmpty();
                assertThat(cache.getAll(keys)).as(there).isEmpty();
            }
        }
    }

    @Test
    void rowsOfAGroup_areFoundAllTheTime() throws Exception {
        int customer = IntStream.iterate(1, i -> i + 1)
                .filter(i -> MOST_OF_FIRST.contains(
                        servers.manager().group(EntityKey.of("customer", i)).slot()))
                .findFirst()
                .orElseThrow();
        CacheGroup group = servers.manager().group(EntityKey.of("customer", customer));
        GroupRows<String> rows = group.rows("row", String.class);
        int written = 0;
        for (boolean isForth : List.of(true, false)) {
            Future<Migration.Outcome> move = isForth
                    ? move(MovingServers.FIRST, MovingServers.SECOND, step -> {})
                    : move(MovingServers.SECOND, MovingServers.FIRST, step -> {});
            while (!move.isDone() && written < 2_000) {
                rows.put("%05d".formatted(written), "r" + written);
                written++;
                assertThat(rows.ids().size()).isEqualTo(written);
            }
            assertFinished(move);
        }
        assertThat(written).isGreaterThan(5);
        assertThat(rows.values()).hasSize(written);
    }
}
