// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.concurrent.ManualTicker;
import io.keyslot.client.near.NearEntries.Reservation;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.CacheTelemetry;
import org.junit.jupiter.api.Test;

/** How much memory near copies take. NearSimulationTest covers which copies are served. */
class NearEntriesTest {
    private final ManualTicker ticker = new ManualTicker();

    @Test
    void size_isBoundByBytes() {
        NearSlots slots = NearSlots.first();
        TrackedConnection link = new TrackedConnection(ticker.nanos());
        NearEntries copies =
                new NearEntries(NearOptions.ofSize(10_000), key -> key, () -> slots, ticker, CacheTelemetry.NONE);
        for (int i = 1; i <= 1_000; i++) {
            Reservation reservation = copies.reserve(EncodedKey.of("k" + i), link, 7, 3);
            assertThat(reservation).isNotNull();
            Lookup found = Lookup.of(Envelope.of(i, new byte[] {(byte) i}));
            copies.fill(reservation, ticker.nanos(), new TrackedLookup(found, TrackedLookup.ENDLESS));
        }

        assertThat(copies.bytes()).isBetween(5_000L, 10_000L);
    }
}
