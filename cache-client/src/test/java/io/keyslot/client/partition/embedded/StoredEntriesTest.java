// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.embedded.StoredEntries.Change;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The index of the keys follows the entries, however they come and go; locks are taken in one order. */
class StoredEntriesTest {
    private static final int STEPS = 3_000;
    private static final int ENTRY_BYTES = 100;
    private static final List<EncodedKey> KEYS = IntStream.range(0, 60)
            .mapToObj(number -> EncodedKey.of("customer:" + number))
            .toList();

    /** Room for about half of the keys, so that some are evicted. */
    private static final long ROOM = KEYS.size() / 2 * (ENTRY_BYTES + StoredEntries.OVERHEAD_BYTES + 11L);

    private final AtomicLong nanos = new AtomicLong(1);
    private final StoredEntries entries = new StoredEntries(ROOM, nanos::get);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20_261_124})
    void entriesThatComeAndGo_areListedAsLongAsTheyAreThere(long seed) {
        Random random = new Random(seed);

        for (int step = 0; step < STEPS; step++) {
            EncodedKey key = KEYS.get(random.nextInt(KEYS.size()));
            switch (random.nextInt(6)) {
                case 0 -> remove(key);
                case 1 -> put(key, ENTRY_BYTES, Expiry.NEVER);
                case 2 -> put(key, ENTRY_BYTES, Expiry.UNCHANGED);
                case 3 -> put(key, (int) ROOM, Expiry.NEVER); // evicted as soon as it is stored
                case 4 -> nanos.addAndGet(Duration.ofMillis(random.nextInt(500)).toNanos());
                default -> put(key, ENTRY_BYTES, Expiry.afterMillis(1 + random.nextInt(2_000)));
            }
            assertThat(listed()).as("step %d", step).containsAll(present());
        }
        entries.expire();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        entries.expire();

        assertThat(listed()).isEqualTo(present());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 33, 500})
    void locksOfKeys_areThoseOfTheirSlotsInOneOrderWhateverTheirs(int count) {
        List<EncodedKey> keys = new ArrayList<>(IntStream.range(0, count)
                .mapToObj(number -> EncodedKey.of("customer:" + number))
                .toList());
        List<Lock> taken = entries.locksOf(keys);

        Collections.shuffle(keys, new Random(count));

        assertThat(taken)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(
                        keys.stream().map(entries::lockOf).distinct().toList());
        assertThat(entries.locksOf(keys)).isEqualTo(taken);
    }

    private void put(EncodedKey key, int bytes, Expiry expiry) {
        entries.change(
                key,
                present -> new Change<>(
                        true,
                        (present == null ? EmbeddedEntry.lasting(new byte[bytes]) : present.withBytes(new byte[bytes]))
                                .expiring(expiry, nanos.get())));
    }

    private void remove(EncodedKey key) {
        entries.change(key, present -> new Change<>(true, null));
    }

    private Set<EncodedKey> present() {
        return KEYS.stream().filter(entries::contains).collect(Collectors.toSet());
    }

    private Set<EncodedKey> listed() {
        return Set.copyOf(indexed(entries));
    }

    /** Returns the keys in the index, even those without an entry. */
    static List<EncodedKey> indexed(StoredEntries entries) {
        Reply<ScanPage> page = entries.keys().page(ScanPage.START, Integer.MAX_VALUE, key -> true);
        return ((Reply.Done<ScanPage>) page).value().keys();
    }
}
